internal import UndertextCore

/// The content of `esds`: the descriptor of an elementary stream (ISO/IEC 14496-1, section 7.2.6.5).
struct MP4ElementaryStream: Hashable, Sendable {
    /// objectTypeIndication.
    let objectType: UInt8
    /// The header of the codec, DecoderSpecificInfo; empty if there is none.
    let header: [UInt8]

    /// Reads the content of the box; `nil` if it describes no decoder.
    init?(_ box: ArraySlice<UInt8>) {
        var reader = ByteReader(box)
        guard reader.skip(4), Self.length(of: 3, &reader) != nil, reader.skip(2),
            let flags = reader.uint8()
        else { return nil }
        // Another stream, an address, a clock.
        if flags & 0x80 != 0 { guard reader.skip(2) else { return nil } }
        if flags & 0x40 != 0 {
            guard let count = reader.uint8(), reader.skip(Int(count)) else { return nil }
        }
        if flags & 0x20 != 0 { guard reader.skip(2) else { return nil } }
        guard Self.length(of: 4, &reader) != nil, let type = reader.uint8() else { return nil }
        objectType = type
        // The kind of the stream, the size of a buffer and two bit rates.
        guard reader.skip(12), let length = Self.length(of: 5, &reader),
            let header = reader.slice(length)
        else {
            header = []
            return
        }
        self.header = Array(header)
    }

    /// The object type of MPEG-4 Audio (ISO/IEC 14496-3, section 1.5.1.1).
    var audioObjectType: Int? {
        guard header.count >= 2 else { return nil }
        let object = Int(header[0] >> 3)
        return object == 31 ? 32 + Int(header[0] & 7) << 3 + Int(header[1] >> 5) : object
    }

    /// Reads a descriptor's tag and length; `nil` if it is another tag.
    private static func length(of tag: UInt8, _ reader: inout ByteReader) -> Int? {
        guard reader.uint8() == tag else { return nil }
        var length = 0
        for _ in 0..<4 {
            guard let byte = reader.uint8() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return length }
        }
        return nil
    }
}
