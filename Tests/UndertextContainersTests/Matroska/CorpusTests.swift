import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Independent files, compared with ffprobe.
@Suite(.requires("ffprobe"), .requiresCorpus()) struct MatroskaCorpusTests {
    @Test func describesAsFFprobeDoes() throws {
        for path in corpusFiles() {
            let file = try open(#require(fileBytes(path)))
            #expect(differences(file, path) == [], "\(path)")
        }
    }

    @Test func readsTheSamePacketsByTheIndex() throws {
        for path in corpusFiles() {
            let file = try open(#require(fileBytes(path)))
            let streams = subtitleStreams(file)
            let assessment = try file.index(for: streams)
            // The one file without an index has no subtitles either.
            guard path.contains("multi_seekhead") == false else {
                #expect(assessment == .refused(reason: "The file has no index."))
                continue
            }
            guard case .usable = assessment else {
                Issue.record("\(path): \(assessment)")
                continue
            }
            let reader = try file.packetReader(for: streams)
            let packets = try drain(reader)
            #expect(reader.diagnostics.take() == [])
            #expect(packets.map(line) == FFprobe.subtitlePackets(path), "\(path)")
        }
    }
}
