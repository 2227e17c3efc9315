import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// The index of AVI files.
@Suite struct AVIIndexCheckTests {
    private static func chunk(_ id: String, _ content: [UInt8]) -> [UInt8] {
        var bytes = Array(id.utf8)
        let count = UInt32(content.count)
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        bytes += content
        return content.count % 2 == 0 ? bytes : bytes + [0]
    }

    private static func list(_ kind: String, _ chunks: [UInt8]...) -> [UInt8] {
        chunk("LIST", Array(kind.utf8) + chunks.joined())
    }

    /// A file with a stream, media of an odd length, and the chunks after them.
    private static func file(header: [UInt8] = [], _ rest: [UInt8] = []) -> [UInt8] {
        let stream = list("strl", chunk("strh", [UInt8](repeating: 0, count: 56)), header)
        let body =
            list("hdrl", chunk("avih", [UInt8](repeating: 0, count: 56)), stream)
            + list("movi", chunk("00dc", [1, 2, 3])) + rest
        return chunk("RIFF", Array("AVI ".utf8) + body)
    }

    private func isDamaged(_ bytes: [UInt8]) throws -> Bool {
        try AVIIndexCheck.isDamaged(MemorySource(bytes))
    }

    private static let entry = chunk("idx1", [UInt8](repeating: 0, count: 16))

    @Test func anIndexIsFound() throws {
        #expect(try !isDamaged(Self.file(Self.entry)))
        #expect(try !isDamaged(Self.file(Self.chunk("JUNK", [1]) + Self.entry)))
        #expect(try !isDamaged(Self.file(header: Self.chunk("indx", [0, 0, 0, 0]))))
        #expect(try isDamaged(Self.file()))
        #expect(try isDamaged([]))
        #expect(try isDamaged(Array("RIFF".utf8)))
        // libavformat's index of the XSUB fixtures.
        let fixture = try #require(
            fileBytes(Repository.root + "/Fixtures/bitmap/xsub/run-lengths.avi"))
        #expect(try isDamaged(fixture) == (fixture.firstRange(of: Array("idx1".utf8)) == nil))
    }

    @Test func aCutFileIsDamaged() throws {
        let bytes = Self.file(Self.entry)
        for end in bytes.indices { #expect(try isDamaged(Array(bytes[..<end])), "\(end)") }
    }

    @Test func flippedBitsDoNoHarm() throws {
        let bytes = Self.file(Self.entry)
        var found: Set<Bool> = []
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            found.insert(try isDamaged(flipped))
        }
        #expect(found == [true, false])
    }

    /// Lists within lists cost no more than chunks in a row.
    @Test func aFileOfHeadersEnds() throws {
        let empty = Self.list("strl")
        let many = Self.list("hdrl", Array([[UInt8]](repeating: empty, count: 20_000).joined()))
        let source = MemorySource(Self.chunk("RIFF", Array("AVI ".utf8) + many))
        #expect(try AVIIndexCheck.isDamaged(source))
        #expect(source.statistics.requests < 10_010)
    }
}
