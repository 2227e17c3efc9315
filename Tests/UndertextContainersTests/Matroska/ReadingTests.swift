import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// The number and size of requests to the source.
@Suite struct MatroskaReadingTests {
    /// The bytes that a reader requested and those that it needed.
    private struct Cost: CustomStringConvertible {
        var fileSize: Int
        var header: UInt64
        var payload: UInt64
        var packets: Int
        var asked: ReadStatistics
        var ratio: Double { Double(asked.bytesRead) / Double(header + payload) }
        var description: String {
            "\(fileSize) bytes, header and index \(header), payload \(payload) in \(packets) "
                + "packets; asked \(asked.bytesRead) in \(asked.requests) requests, ratio \(ratio)"
        }
    }

    /// Proves the index and reads all subtitles.
    private func cost(_ bytes: [UInt8]) throws -> Cost {
        let source = MemorySource(bytes)
        let file = try MatroskaFile(source: source)
        let streams = subtitleStreams(file)
        guard case .usable = try file.index(for: streams) else {
            throw UndertextError(.malformed, "no usable index")
        }
        let packets = try drain(file.packetReader(for: streams))
        let parts = file.layout.elements.map { ($0.end ?? $0.start) - $0.start }
        // SeekHead and the headers of EBML and segment come before the first part.
        let first = file.layout.elements.map(\.start).min() ?? 0
        let seekHead = min(first, 160)
        return Cost(
            fileSize: bytes.count, header: parts.reduce(seekHead, +),
            payload: packets.reduce(0) { $0 + UInt64($1.data.count) }, packets: packets.count,
            asked: source.statistics)
    }

    /// `count` subtitles, one every two seconds, of one or two lines.
    private func subRip(_ count: Int) -> String {
        (0..<count).map { index in
            let start = index * 2
            func time(_ seconds: Int, _ fraction: String) -> String {
                let minutes = String(seconds / 60 + 100).dropFirst()
                return "00:\(minutes):\(String(seconds % 60 + 100).dropFirst()),\(fraction)"
            }
            let words = String(repeating: "word ", count: 3 + index * 7 % 9)
            return "\(index + 1)\n\(time(start, "100")) --> \(time(start + 1, "600"))\n"
                + "Line \(index) \(words)\n\n"
        }.joined()
    }

    @Test(.requires("mkvmerge", "ffmpeg", "ffprobe")) func asksForLittleMoreThanItNeeds() throws {
        let files = try GeneratedFiles()
        files.folder.write(subRip(100), to: "long.srt")
        try files.tool(
            "ffmpeg",
            "-v error -f lavfi -i nullsrc=s=320x240:r=5:d=200 -vf noise=alls=90:allf=t -c:v mpeg4 "
                + "-q:v 4 -g 50 long.mkv")
        let tracks = String(repeating: " long.srt", count: 6)
        try files.tool("mkvmerge", "-q -o out.mkv long.mkv" + tracks)
        let muxed = try cost(#require(fileBytes(files.path("out.mkv"))))
        print("mkvmerge:", muxed)
        #expect(muxed.packets == 600)
        #expect(muxed.ratio <= 1.3, "\(muxed)")
        #expect(muxed.asked.bytesRead < UInt64(muxed.fileSize / 10))

        let inputs = String(repeating: " -i long.srt", count: 6)
        let maps = (0...6).map { " -map \($0)" }.joined()
        try files.tool("ffmpeg", "-v error -i long.mkv\(inputs)\(maps) -c copy lavf.mkv")
        let remuxed = try cost(#require(fileBytes(files.path("lavf.mkv"))))
        print("ffmpeg:", remuxed)
        #expect(remuxed.ratio <= 1.3, "\(remuxed)")

        // FFmpeg puts a checksum before the timestamp of a cluster: one request for both, one for the block, and
        // some for the rests of long blocks. One more for each cluster were 349.
        try files.tool("ffmpeg", "-v error -i long.mkv -i long.srt -map 0 -map 1 -c copy one.mkv")
        let one = try cost(#require(fileBytes(files.path("one.mkv"))))
        print("ffmpeg, one track:", one)
        #expect(one.packets == 100)
        #expect(one.asked.requests <= 300, "\(one)")
    }

    @Test(.requires("mkvmerge", "ffmpeg", "ffprobe"), .requiresCorpus("libpgs-js/tests/files"))
    func readsBitmapsTightly() throws {
        let files = try GeneratedFiles()
        let folder = try #require(corpusPath("libpgs-js/tests/files"))
        let sup = try #require(TestSupport.files(below: folder).first { $0.hasSuffix(".sup") })
        // Uncompressed, so that its packets are its payload.
        try files.tool("mkvmerge", "-q -o plain.mkv v.mkv --compression 0:none \(sup)")
        let cost = try cost(#require(fileBytes(files.path("plain.mkv"))))
        print("pgs:", cost)
        #expect(cost.ratio <= 1.3, "\(cost)")
    }

    @Test func keepsWhatItHasRead() throws {
        let source = FaultyByteSource(Array(0..<200))
        let window = SourceWindow(source, cancellation: nil)
        #expect(try Array(window.bytes(at: 10, count: 4, ahead: 20)) == [10, 11, 12, 13])
        #expect(try Array(window.bytes(at: 20, count: 10)) == Array(20..<30))
        #expect(source.reads.count == 1)
        // Only missing bytes are requested.
        #expect(try Array(window.bytes(at: 25, count: 10)) == Array(25..<35))
        #expect(source.reads.map(\.offset) == [10, 30] && source.reads[1].count == 5)
        #expect(try Array(window.bytes(at: 195, count: 100)) == Array(195..<200))
        #expect(try Array(window.bytes(at: 500, count: 5)) == [])
        #expect(try Array(window.bytes(at: .max, count: 5)) == [])
        #expect(window.asked == 30)
    }
}
