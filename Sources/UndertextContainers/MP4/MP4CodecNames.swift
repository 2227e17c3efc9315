internal import UndertextCore

/// The codecs of an MP4 file as playlists and manifests name them: `avc1.64001f`, `mp4a.40.2`.
///
/// RFC 6381; ISO/IEC 14496-15, annex E, for H.264 and HEVC; the bindings of AV1 and VP9 to MP4.
package struct MP4CodecNames: Hashable, Sendable {
    /// A name for each sample entry, in the order of the tracks; `nil` where a codec has a form that
    /// is not known here.
    package let names: [String?]

    /// Looks at the header of a file.
    ///
    /// - Parameter initialization: bytes with the box `moov`.
    package init(initialization: [UInt8]) {
        names = Self.contents(
            ["moov", "trak", "mdia", "minf", "stbl", "stsd"], initialization[...]
        )
        .flatMap(MP4SampleEntry.parse).map(Self.name)
    }

    /// The contents of all boxes at the end of a path.
    private static func contents(
        _ path: [String], _ bytes: ArraySlice<UInt8>
    ) -> [ArraySlice<UInt8>] {
        path.reduce(into: [bytes]) { found, type in found = found.flatMap { boxes(type, in: $0) } }
    }

    private static func boxes(_ wanted: String, in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]
    {
        var boxes = MP4MemoryBoxes(bytes)
        var found: [ArraySlice<UInt8>] = []
        while let (type, content) = boxes.next() {
            if type == wanted { found.append(content) }
        }
        return found
    }

    /// The name of a sample entry; `nil` if the form of its codec is not known here.
    static func name(_ entry: MP4SampleEntry) -> String? {
        let pictures = entry.body.dropFirst(MP4SampleEntry.videoFields)
        let sound = entry.body.dropFirst(MP4SampleEntry.soundFields)
        switch entry.format {
        case "avc1", "avc3":
            return boxes("avcC", in: pictures).first.flatMap { advancedVideo(entry.format, $0) }
        case "hvc1", "hev1":
            return boxes("hvcC", in: pictures).first.flatMap { highEfficiency(entry.format, $0) }
        case "av01": return boxes("av1C", in: pictures).first.flatMap(av1)
        case "vp09": return boxes("vpcC", in: pictures).first.flatMap(vp9)
        case "mp4a": return boxes("esds", in: sound).first.flatMap(elementary)
        case "mp4v": return boxes("esds", in: pictures).first.flatMap(mpegVideo)
        case "ac-3", "ec-3", "ac-4", "Opus", "fLaC", "alac", "wvtt": return entry.format
        default: return nil
        }
    }

    private static func advancedVideo(_ format: String, _ record: ArraySlice<UInt8>) -> String? {
        let bytes = Array(record.prefix(4))
        guard bytes.count == 4 else { return nil }
        return format + "." + bytes[1...].map { zeroPadded($0, to: 2, radix: 16) }.joined()
    }

    /// ISO/IEC 14496-15, section E.3.
    private static func highEfficiency(_ format: String, _ record: ArraySlice<UInt8>) -> String? {
        let bytes = Array(record.prefix(13))
        guard bytes.count == 13 else { return nil }
        let space = ["", "A", "B", "C"][Int(bytes[1] >> 6)]
        let tier = bytes[1] & 0x20 == 0 ? "L" : "H"
        let compatible = bytes[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var backwards: UInt32 = 0
        for bit in 0..<32 where compatible >> bit & 1 == 1 { backwards |= 1 << (31 - bit) }
        var constraints = Array(bytes[6..<12])
        while constraints.last == 0 { constraints.removeLast() }
        var parts = [
            format, "\(space)\(bytes[1] & 0x1F)", String(backwards, radix: 16, uppercase: true),
            "\(tier)\(bytes[12])",
        ]
        parts += constraints.map { String($0, radix: 16, uppercase: true) }
        return parts.joined(separator: ".")
    }

    private static func av1(_ record: ArraySlice<UInt8>) -> String? {
        let bytes = Array(record.prefix(3))
        guard bytes.count == 3 else { return nil }
        let tier = bytes[2] & 0x80 == 0 ? "M" : "H"
        let depth = bytes[2] & 0x40 == 0 ? 8 : bytes[2] & 0x20 == 0 ? 10 : 12
        return "av01.\(bytes[1] >> 5).\(zeroPadded(bytes[1] & 0x1F, to: 2))\(tier)."
            + zeroPadded(depth, to: 2)
    }

    private static func vp9(_ record: ArraySlice<UInt8>) -> String? {
        let bytes = Array(record.dropFirst(4).prefix(3))
        guard bytes.count == 3 else { return nil }
        let numbers = [bytes[0], bytes[1], bytes[2] >> 4].map { zeroPadded($0, to: 2) }
        return "vp09." + numbers.joined(separator: ".")
    }

    /// MPEG-2 and MPEG-1 video by their object types; the names of MPEG-4 video have a profile besides.
    private static func mpegVideo(_ box: ArraySlice<UInt8>) -> String? {
        guard let type = MP4ElementaryStream(box)?.objectType, 0x60...0x65 ~= type || type == 0x6A
        else { return nil }
        return "mp4v." + zeroPadded(type, to: 2, radix: 16)
    }

    private static func elementary(_ box: ArraySlice<UInt8>) -> String? {
        guard let stream = MP4ElementaryStream(box) else { return nil }
        let name = "mp4a." + zeroPadded(stream.objectType, to: 2, radix: 16)
        guard stream.objectType == 0x40 else { return name }
        return stream.audioObjectType.map { name + ".\($0)" }
    }
}
