import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO

/// Content that libavformat drops silently is reported.
@Suite struct LossTests {
    private let folder = TemporaryDirectory()

    private func losses(
        _ bytes: [UInt8], _ io: ReadPathPreference
    ) throws -> (packets: Int, codes: Set<String>, streams: Set<Int?>) {
        let path = folder.write(bytes, to: "film.mkv")
        let (packets, reader) = try ReadPathTests.packets(path, io)
        let errors = reader.takeDiagnostics().filter { $0.severity == .error }
        return (packets.count, Set(errors.map(\.code)), Set(errors.map(\.streamIndex)))
    }

    /// A block whose stream of zlib is damaged, of a file whose structure is sound.
    @Test func aCompressedBlockThatIsDamagedIsReportedByAScan() throws {
        var file = SmallMatroska()
        file.storages = [.zlib]
        file.hasCues = false
        var bytes = file.bytes
        let sound = try losses(bytes, .scan)
        #expect(sound.packets == 16 && sound.codes.isEmpty)
        // The fourth stream begins with the bytes that all of them begin with.
        let starts = bytes.indices.dropLast(1).filter { bytes[$0] == 0x78 && bytes[$0 + 1] == 0xDA }
        try #require(starts.count == 16)
        bytes[starts[3] + 2] ^= 0xFF
        for io in [ReadPathPreference.walk, .scan] {
            let found = try losses(bytes, io)
            #expect(found.packets == 15)
            #expect(found.codes.contains("damaged-block") || found.codes.contains("lost-packet"))
            #expect(found.streams.contains(0))
        }
    }

    /// Lacing whose sizes do not fit the block.
    @Test func aLacedBlockThatIsDamagedIsReportedByAScan() throws {
        var file = SmallMatroska()
        file.storages = [.ebml]
        file.hasCues = false
        var bytes = file.bytes
        let first = try #require(
            bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual("Line".utf8) })
        bytes[first - 1] = 0xFE
        let walked = try losses(bytes, .walk)
        #expect(walked.packets == 30 && walked.codes == ["damaged-block"])
        // libavformat leaves out what follows in the cluster, too.
        let scanned = try losses(bytes, .scan)
        #expect(scanned.packets <= 30 && scanned.codes.contains("damaged-block"))
        #expect(scanned.packets == 30 || scanned.codes.contains("lost-packet"))
    }

    /// libavformat would take a gigabyte for a million chapters; it is not asked.
    @Test func headersBeyondLimitsAreNotGivenToLibavformat() throws {
        // A Chapters element of six million bytes, of which the beginning is read.
        let atom: [UInt8] = [0xB6, 0x88, 0x73, 0xC4, 0x81, 0x05, 0x91, 0x82, 0x10, 0x00]
        let count = 600_000
        func size(_ value: Int) -> [UInt8] {
            [0x08] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        var chapters: [UInt8] = [0x10, 0x43, 0xA7, 0x70] + size(count * atom.count + 7)
        chapters += [0x45, 0xB9] + size(count * atom.count)
        for _ in 0..<count { chapters += atom }
        var live = SmallMatroska()
        live.isLive = true
        let stored = live.bytes
        let place = try #require(
            stored.indices.dropLast(4).first {
                stored[$0..<$0 + 4].elementsEqual([0x1F, 0x43, 0xB6, 0x75])
            })
        let path = folder.write(
            Array(stored[..<place]) + chapters + stored[place...], to: "chapters.mkv")
        let file = try Media(path)
        #expect(file.diagnostics.map(\.code) == ["too-many-chapters"])
        #expect(file.description.chapters.count <= 10_000)
        // Only libavformat reports how certain it is of the format.
        #expect(try file.probedDescription().probeScore == nil)
        let (packets, reader) = try ReadPathTests.packets(path, .auto)
        #expect(packets.count == 144)
        #expect(reader.path == .walk)
        #expect(reader.summary.statistics.bytesRead < 5 << 20)
    }

    /// One truth about a file that is cut off: for the library and in JSON.
    @Test func aCutFileIsJunkContentEverywhere() throws {
        let file = try Media(fixture("containers/truncated.mkv"))
        #expect(file.content.isJunkContent)
        let report = try file.probe()
        #expect(report.content.isJunkContent)
        let json = String(decoding: report.json.compact, as: UTF8.self)
        #expect(json.contains("\"isJunkContent\":true"))
        let sound = try Media(fixture("containers/movie.mkv"))
        #expect(!sound.content.isJunkContent)
        #expect(try !sound.probe().content.isJunkContent)
    }

    /// libavformat takes any end of a pipe for the end of the file.
    @Test(.requires("ffmpeg"), arguments: ["+faststart", "frag_keyframe+empty_moov"])
    func aCutPipeOfMP4IsReported(_ flags: String) throws {
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-i", fixture("containers/movie.mp4"), "-map", "0:s", "-c", "copy",
                "-use_editlist", "0", "-movflags", flags, folder / "film.mp4",
            ])
        try #require(made.status == 0, "\(made.stderr)")
        let bytes = try #require(fileBytes(folder / "film.mp4"))
        #expect(run("mkfifo", [folder / "pipe"]).status == 0)
        for share in [60, 70, 80, 90, 100] {
            folder.write(Array(bytes.prefix(bytes.count * share / 100)), to: "cut.mp4")
            folder.write("", to: "empty")
            let process = spawn(
                "/bin/sh", ["sh", "-c", "cat '\(folder / "cut.mp4")' > '\(folder / "pipe")'"],
                input: folder / "empty", output: folder / "out", error: folder / "err")
            var isTold = false
            do throws(UndertextError) {
                let file = try Media(folder / "pipe")
                let reader = try file.packetReader(of: file.subtitleTracks)
                while try reader.nextPacket() != nil { continue }
                isTold = reader.takeDiagnostics().contains { $0.severity == .error }
            } catch {
                isTold = true
            }
            #expect(isTold == (share < 100), "\(share) %")
            if let process { _ = waitForExit(process) }
        }
    }
}
