import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// Containers that were built to cost libavformat too much.
@Suite struct HostileContainerTests {
    private let folder = TemporaryDirectory()

    private func code(_ body: () throws -> Void) -> UndertextError.Code? {
        (#expect(throws: UndertextError.self) { try body() })?.code
    }

    private func text(_ value: String) -> [UInt8] {
        [0, UInt8(value.utf8.count)] + Array(value.utf8)
    }

    @Test func tooManyProgramsAreRefused() throws {
        let hostile = ProgramTables.stream(programs: 3000)
        let path = folder.write(hostile, to: "a.ts")
        #expect(code { _ = try Media(path) } == .limit)
        // Each read is 32 KiB, so that it ends soon after the limit.
        var options = Media.Options()
        options.limits.programs = 50
        let few = folder.write(ProgramTables.stream(programs: 40), to: "b.ts")
        #expect(try Media(few, options: options).description.programs.count == 40)
        let more = folder.write(ProgramTables.stream(programs: 60), to: "c.ts")
        #expect(code { _ = try Media(more, options: options) } == .limit)
    }

    @Test func samplesWithoutBytesAreRefused() throws {
        let builder = MP4Builder("tx3g")
        let path = folder.write(builder.crowded(chunks: 2000, samples: 100_000), to: "a.mp4")
        #expect(code { _ = try Media(path) } == .limit)
    }

    @Test(arguments: [ReadPathPreference.auto, .scan])
    func overlappingSamplesEnd(_ io: ReadPathPreference) throws {
        let builder = MP4Builder(
            "tx3g",
            entry: [UInt8](repeating: 0, count: 30)
                + MP4Builder.box("ftab", [0, 1, 0, 1, 5] + Array("Serif".utf8)))
        let sample = text(String(repeating: "a", count: 200))
        let bytes = builder.overlapping(sample, count: 20_000)
        let path = folder.write(bytes, to: "a.mp4")
        let (packets, reader) = try ReadPathTests.packets(path, io)
        #expect(reader.path == (io == .scan ? .file : .index))
        let taken = packets.reduce(0) { $0 + $1.data.count }
        #expect(taken > 0 && taken <= 8 * bytes.count + 65_536)
        #expect(reader.takeDiagnostics().contains { $0.code == "repeated-samples" })
    }

    @Test func longEditListsAreCut() throws {
        var builder = MP4Builder("tx3g")
        builder.edits = Array(repeating: (6, 0), count: 100_000)
        let path = folder.write(builder.file([.init(text("a"), 1000)]), to: "a.mp4")
        for io in [ReadPathPreference.auto, .scan] {
            let (packets, reader) = try ReadPathTests.packets(path, io)
            #expect(packets.count <= 64)
            let reported = reader.takeDiagnostics()
            #expect(reported.contains { $0.code == "too-many-edits" && $0.severity == .error })
        }
        #expect(try Media(path).diagnostics.map(\.code) == ["too-many-edits"])
    }

    /// The examined file is the one that is read: it is opened once.
    @Test(arguments: ["movie.mkv", "movie.ts", "movie.mp4"])
    func renamedFilesAreReadOn(_ name: String) throws {
        let bytes = try #require(fileBytes(fixture("containers/" + name)))
        let path = folder.write(bytes, to: name)
        let expected = try ReadPathTests.packets(path, .scan).packets
        var options = Media.Options()
        options.io = .scan
        let file = try Media(path, options: options)
        let other = folder.write("WEBVTT\n", to: "other")
        try #require(run("mv", [other, path]).status == 0)
        let reader = try file.packetReader(of: file.subtitleTracks)
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        #expect(!packets.isEmpty && packets == expected)
    }
}
