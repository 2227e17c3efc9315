import TestSupport
import Testing
import UndertextContainers

@Suite struct MP4CodecNamesTests {
    /// A box of a type.
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count + 8)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8)
            + content
    }

    /// A header of a file whose only track has these sample entries.
    private static func header(_ entries: [UInt8]) -> [UInt8] {
        ["stbl", "minf", "mdia", "trak", "moov"].reduce(
            box("stsd", [UInt8](repeating: 0, count: 8) + entries)
        ) { box($1, $0) }
    }

    /// A sample entry of images, or of sound.
    private static func entry(
        _ format: String, _ type: String, _ record: [UInt8], before: Int = 78
    ) -> [UInt8] {
        box(format, [UInt8](repeating: 0, count: before) + box(type, record))
    }

    static let advanced: [UInt8] = [1, 0x64, 0, 0x1F, 0xFF]
    static let efficient: [UInt8] = [1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93]
    static let high: [UInt8] = [1, 0x62, 0, 0, 0, 4, 0xB0, 0, 0, 0, 1, 0, 153]
    static let esds: [UInt8] = [
        0, 0, 0, 0, 3, 0x80, 0x80, 0x80, 0x22, 0, 1, 0, 4, 0x80, 0x80, 0x80, 0x14, 0x40, 0x15, 0, 0,
        0, 0, 1, 0xF4, 0, 0, 1, 0xF4, 0, 5, 0x80, 0x80, 0x80, 2, 0x12, 0x10,
    ]

    @Test(
        arguments: [
            (entry("avc1", "avcC", advanced), "avc1.64001f"),
            // The examples of ISO/IEC 14496-15, E.3, and of a stream in 10 bits of the high tier.
            (entry("hvc1", "hvcC", efficient), "hvc1.1.6.L93.90"),
            (entry("hev1", "hvcC", high), "hev1.A2.20000000.H153.B0.0.0.0.1"),
            (entry("av01", "av1C", [0x81, 0x04, 0x0C, 0]), "av01.0.04M.08"),
            (entry("av01", "av1C", [0x81, 0x28, 0xC0, 0]), "av01.1.08H.10"),
            (entry("vp09", "vpcC", [1, 0, 0, 0, 2, 10, 0xA2]), "vp09.02.10.10"),
            (entry("mp4a", "esds", esds, before: 28), "mp4a.40.2"),
            (box("ac-3", [UInt8](repeating: 0, count: 28)), "ac-3"),
            (box("Opus", [UInt8](repeating: 0, count: 28)), "Opus"),
            (entry("avc1", "avcC", [1, 2]), nil),
            (box("xyz1", []), nil),
        ] as [([UInt8], String?)])
    func names(entry: [UInt8], name: String?) {
        #expect(MP4CodecNames(initialization: Self.header(entry)).names == [name])
    }

    @Test func otherObjectsOfMPEG4() {
        var mp3 = Self.esds
        mp3[17] = 0x6B
        var extended = Self.esds
        // Object type 31 means: 32 and what the next six bits say.
        extended.replaceSubrange(35..., with: [0xF9, 0x40])
        let videos: [(UInt8, String?)] = [(0x61, "mp4v.61"), (0x6A, "mp4v.6a"), (0x20, nil)]
        for (type, name) in videos {
            var video = Self.esds
            video[17] = type
            let header = Self.header(Self.entry("mp4v", "esds", video))
            #expect(MP4CodecNames(initialization: header).names == [name])
        }
        for (bytes, name) in [(mp3, "mp4a.6b"), (extended, "mp4a.40.42")] {
            let header = Self.header(Self.entry("mp4a", "esds", bytes, before: 28))
            #expect(MP4CodecNames(initialization: header).names == [name])
        }
    }

    @Test func damageDoesNotTrap() {
        let header = Self.header(
            Self.entry("avc1", "avcC", Self.advanced) + Self.entry("hvc1", "hvcC", Self.high)
                + Self.entry("mp4a", "esds", Self.esds, before: 28))
        #expect(MP4CodecNames(initialization: header).names.compactMap { $0 }.count == 3)
        for count in header.indices {
            _ = MP4CodecNames(initialization: Array(header[..<count]))
            for bit in 0..<8 {
                var damaged = header
                damaged[count] ^= 1 << bit
                _ = MP4CodecNames(initialization: damaged)
            }
        }
        #expect(MP4CodecNames(initialization: []).names.isEmpty)
    }
}
