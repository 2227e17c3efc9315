import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Headers with more than anybody needs cost no more than their limits.
@Suite struct HeaderLimitTests {
    /// A file with something after its tracks.
    private func opened(_ extra: [UInt8]) throws -> (file: MatroskaFile, bytesRead: UInt64) {
        var file = SampleFile.plain()
        file.extra = extra
        let source = MemorySource(file.bytes)
        let opened = try MatroskaFile(source: source)
        return (opened, source.statistics.bytesRead)
    }

    private func expect(_ extra: [UInt8], _ code: String) throws -> MatroskaFile {
        let (file, bytesRead) = try opened(extra)
        #expect(file.diagnostics.map(\.code) == [code])
        #expect(file.isBeyondLimits)
        #expect(bytesRead < 5 << 20)
        #expect(try drain(file.walkingReader(for: subtitleStreams(file))).count == 16)
        return file
    }

    @Test func chapters() throws {
        let atom = element(0xB6, number(0x73C4, 5) + number(0x91, 1000))
        let many = [[UInt8]](repeating: atom, count: 150_000).flatMap { $0 }
        let file = try expect(element(0x1043_A770, element(0x45B9, many)), "too-many-chapters")
        #expect(file.description.chapters.count <= 10_000)
        let editions = [[UInt8]](repeating: element(0x45B9, atom), count: 20_000).flatMap { $0 }
        _ = try expect(element(0x1043_A770, editions), "too-many-chapters")
    }

    @Test func tags() throws {
        let value = element(0x67C8, text(0x45A3, "NAME") + text(0x4487, "value"))
        let one = [[UInt8]](repeating: value, count: 150_000).flatMap { $0 }
        _ = try expect(element(0x1254_C367, element(0x7373, one)), "too-many-tags")
        let many = [[UInt8]](repeating: element(0x7373, value), count: 25_000).flatMap { $0 }
        _ = try expect(element(0x1254_C367, many), "too-many-tags")
    }

    @Test func attachments() throws {
        let font = element(
            0x61A7, text(0x466E, "a.ttf") + text(0x4660, "font/ttf") + text(0x465C, "abcd"))
        let many = [[UInt8]](repeating: font, count: 1500).flatMap { $0 }
        let file = try expect(element(0x1941_A469, many), "too-many-attachments")
        #expect(file.description.attachments.count == 1000)
    }

    @Test func tracks() throws {
        var file = SampleFile.plain()
        for index in 3..<1200 { file.tracks.append(SampleFile.track(number: UInt64(index))) }
        let opened = try open(file.bytes)
        #expect(opened.description.streams.count == 1000)
        #expect(opened.isBeyondLimits)
        #expect(opened.diagnostics.map(\.code) == ["too-many-tracks"])
        #expect(opened.diagnostics.allSatisfy { $0.severity == .error })
    }

    /// A track that extends beyond its element is damaged.
    @Test func aDamagedTrackIsAnError() throws {
        var file = SampleFile.plain()
        file.tracks[1] = SampleFile.track(number: 2, [0x53, 0x6E, 0x85, 0x41])
        let opened = try open(file.bytes)
        #expect(opened.diagnostics.map(\.code) == ["damaged-header"])
        #expect(opened.diagnostics.first?.severity == .error)
        #expect(opened.diagnostics.first?.streamIndex == 1)
    }
}
