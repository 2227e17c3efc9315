import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// Protected MP4 files: `sinf` and `pssh`.
@Suite struct MP4ProtectionTests {
    private static let widevine: [UInt8] = [
        0xED, 0xEF, 0x8B, 0xA9, 0x79, 0xD6, 0x4A, 0xCE, 0xA3, 0xC8, 0x27, 0xDC, 0xD5, 0x1D, 0x21,
        0xED,
    ]

    /// `pssh` of a version, with the keys of version 1.
    private static func header(version: Int, keys: Int = 0, data: [UInt8]) -> [UInt8] {
        var content = MP4Builder.words(version << 24) + widevine
        if version > 0 {
            content += MP4Builder.words(keys) + [UInt8](repeating: 7, count: 16 * keys)
        }
        return MP4Builder.box("pssh", content, MP4Builder.words(data.count), data)
    }

    /// An entry of video, audio or text with its fixed fields and `sinf`.
    private static func entry(_ fields: Int, _ scheme: String) -> [UInt8] {
        let type = MP4Builder.box(
            "schm", MP4Builder.words(0), Array(scheme.utf8), MP4Builder.words(0x10000))
        return [UInt8](repeating: 0, count: fields)
            + MP4Builder.box("sinf", MP4Builder.box("frma", Array("avc1".utf8)), type)
    }

    /// A file with boxes added to `moov`.
    private static func file(
        _ format: String, _ entry: [UInt8], _ boxes: [UInt8] = []
    ) throws -> [UInt8] {
        let bytes = MP4Builder(format, entry: entry).file([.init([1], 1000)])
        let movie = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
        let size = bytes[movie..<movie + 4].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[..<movie]) + MP4Builder.words(size + boxes.count)
            + bytes[(movie + 4)..<(movie + size)] + boxes + bytes[(movie + size)...]
    }

    private func protection(_ bytes: [UInt8]) throws -> DRMInfo? {
        try MP4File(source: MemorySource(bytes)).drmInfo
    }

    @Test(arguments: [("encv", 70), ("enca", 20), ("enca", 36), ("enca", 56), ("enct", 0)])
    func schemesAreRead(_ format: String, _ fields: Int) throws {
        for scheme in ["cenc", "cbcs"] {
            let found = try protection(Self.file(format, Self.entry(fields, scheme)))
            #expect(found == DRMInfo(scheme: scheme))
        }
        #expect(try protection(Self.file("tx3g", Self.entry(fields, "cenc"))) == nil)
    }

    @Test func systemsAreRead() throws {
        let boxes =
            Self.header(version: 0, data: [1, 2, 3]) + Self.header(version: 1, keys: 2, data: [])
        let found = try #require(try protection(Self.file("encv", Self.entry(70, "cbcs"), boxes)))
        let id = "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"
        #expect(found.scheme == "cbcs")
        #expect(found.systems == [.init(id: id, initData: [1, 2, 3]), .init(id: id)])
        #expect(try protection(Self.file("tx3g", [], boxes))?.scheme == nil)
        #expect(try protection(Self.file("tx3g", [])) == nil)
    }

    @Test func damageDoesNoHarm() throws {
        let boxes = Self.header(version: 1, keys: 1, data: [1, 2, 3])
        let bytes = try Self.file("encv", Self.entry(70, "cenc"), boxes)
        for end in bytes.indices { _ = try? protection(Array(bytes[..<end])) }
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            _ = try? protection(flipped)
        }
        // More keys than bytes, and more data than the box has.
        let keys = MP4Builder.box(
            "pssh", MP4Builder.words(1 << 24) + Self.widevine, MP4Builder.words(-1))
        let data = MP4Builder.box(
            "pssh", MP4Builder.words(0) + Self.widevine, MP4Builder.words(-1), [1])
        #expect(try protection(Self.file("tx3g", [], keys + data)) == nil)
        let many = Array([[UInt8]](repeating: boxes, count: 100).joined())
        #expect(try protection(Self.file("tx3g", [], many))?.systems.count == 64)
    }
}
