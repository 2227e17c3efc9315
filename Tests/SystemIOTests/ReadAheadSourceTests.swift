import MediaCore
import TestSupport
import Testing

@testable import SystemIO

@Suite struct ReadAheadSourceTests {
    private let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    private let block = 64 << 10
    private let folder = TemporaryDirectory()

    private func source(
        _ path: String, _ cancellation: Cancellation = Cancellation()
    ) throws -> ReadAheadSource {
        let file = try FileSource(path: path, cancellation: cancellation)
        return ReadAheadSource(file, cancellation: cancellation, connect: file.connector)
    }

    private func read(_ source: ReadAheadSource, at offset: Int, _ buffer: inout [UInt8]) throws
        -> [UInt8]
    {
        let range = try source.read(at: UInt64(offset), count: block, into: &buffer)
        return Array(buffer[range])
    }

    @Test func blocksAreThoseOfTheFile() throws {
        let path = folder.write(bytes, to: "file")
        let source = try source(path)
        var buffer: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: block) {
            let end = min(bytes.count, start + block)
            #expect(try read(source, at: start, &buffer) == Array(bytes[start..<end]))
        }
        #expect(try read(source, at: bytes.count, &buffer).isEmpty)
        #expect(source.statistics.bytesRead == UInt64(bytes.count))
    }

    @Test func jumpsAreFollowed() throws {
        let path = folder.write(bytes, to: "file")
        let source = try source(path)
        var buffer: [UInt8] = []
        var state: UInt64 = 7
        for _ in 0..<60 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var place = Int(state >> 33) % bytes.count
            for _ in 0..<Int(state >> 20) % 5 {
                let end = max(place, min(bytes.count, place + block))
                let expected = place < bytes.count ? Array(bytes[place..<end]) : []
                #expect(try read(source, at: place, &buffer) == expected)
                place += block
            }
        }
    }

    @Test func aFileThatGrowsIsReadToItsNewEnd() throws {
        let path = folder.write(Array(bytes[..<200_000]), to: "file")
        let source = try source(path)
        var buffer: [UInt8] = []
        for start in stride(from: 0, to: 200_000, by: block) {
            _ = try read(source, at: start, &buffer)
        }
        _ = folder.write(bytes, to: "file")
        #expect(
            try read(source, at: 200_000, &buffer) == Array(bytes[200_000..<200_000 + block]))
    }

    @Test func stoppingIsAnError() throws {
        let path = folder.write(bytes, to: "file")
        let cancellation = Cancellation()
        let source = try source(path, cancellation)
        var buffer: [UInt8] = []
        for start in 0..<4 { _ = try read(source, at: start * block, &buffer) }
        cancellation.cancel()
        #expect(throws: MediaError.self) {
            for start in 4..<20 { _ = try read(source, at: start * block, &buffer) }
        }
    }
}
