internal import UndertextCore

extension MP4SampleEntry {
    /// The length of the fields of a video entry (ISO/IEC 14496-12, section 12.1.3).
    static let videoFields = 70
    /// The length of the fields of a sound entry.
    static let soundFields = 20

    /// The boxes after the fields of a video entry, or `nil` if they do not fill it.
    var videoBoxes: [(type: String, content: ArraySlice<UInt8>)]? {
        guard body.count >= Self.videoFields else { return nil }
        return MP4MemoryBoxes.all(in: body.dropFirst(Self.videoFields))
    }
}

extension MP4MemoryBoxes {
    /// All boxes, or `nil` if more than the rest of one follows them.
    static func all(in bytes: ArraySlice<UInt8>) -> [(type: String, content: ArraySlice<UInt8>)]? {
        var boxes = MP4MemoryBoxes(bytes)
        var found: [(type: String, content: ArraySlice<UInt8>)] = []
        var end = bytes.startIndex
        while let box = boxes.next() {
            found.append(box)
            end = box.content.endIndex
        }
        // QuickTime ends a list by four zero bytes.
        return bytes.endIndex - end < 8 ? found : nil
    }
}

/// A sample entry of sound: its fields, and the boxes after them.
///
/// ISO/IEC 14496-12, section 12.2.3; QuickTime file format, "Sound Sample Descriptions", of which versions 1 and 2 have more
/// fields.
struct MP4SoundEntry {
    /// The four bytes that name the encoder's vendor.
    let vendor: [UInt8]
    let channels: Int
    /// Bits of a sample.
    let bits: Int
    /// Samples per second.
    let sampleRate: Int
    /// The boxes, and of QuickTime those within `wave`.
    let boxes: [(type: String, content: ArraySlice<UInt8>)]

    private static let furtherFields = [0, 16]

    /// Reads an entry of an `stsd` with a version; `nil` if it has another form.
    init?(_ entry: MP4SampleEntry, entryVersion: UInt8) {
        var reader = ByteReader(entry.body)
        guard let version = reader.uint16(), Self.furtherFields.indices.contains(Int(version)),
            // Of a later list, the version has another meaning.
            version == 0 || entryVersion == 0,
            reader.skip(2), let vendor = reader.slice(4), let channels = reader.uint16(),
            let bits = reader.uint16(), reader.skip(4), let rate = reader.uint32(),
            reader.skip(Self.furtherFields[Int(version)]),
            var boxes = MP4MemoryBoxes.all(in: reader.rest())
        else { return nil }
        self.vendor = Array(vendor)
        self.channels = Int(channels)
        self.bits = Int(bits)
        sampleRate = Int(rate >> 16)
        if let place = boxes.firstIndex(where: { $0.type == "wave" }) {
            guard let inner = MP4MemoryBoxes.all(in: boxes[place].content) else { return nil }
            boxes.replaceSubrange(place...place, with: inner)
        }
        self.boxes = boxes
    }

    /// The content of the first box of a type.
    func content(_ type: String) -> ArraySlice<UInt8>? {
        boxes.first { $0.type == type }?.content
    }
}
