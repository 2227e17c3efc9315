import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// The binding to FFmpeg's libraries.
@Suite struct LibraryTests {
    @Test func versionsAreKnown() throws {
        let built = FFmpegVersion.built
        let running = try FFmpegVersion.running()
        #expect(FFmpegVersion.isLoaded)
        #expect(FFmpegVersion.runningIfLoaded == running)
        for (left, right) in [
            (built.avformat, running.avformat), (built.avcodec, running.avcodec),
            (built.avutil, running.avutil),
        ] {
            #expect(left.split(separator: ".").count == 3)
            #expect(left.split(separator: ".").first == right.split(separator: ".").first)
        }
    }

    @Test func aMissingLibraryNamesItsPackage() {
        let absent = MissingLibrary.error(
            kind: .library, library: "avformat", major: 59, detail: "cannot open")
        #expect(absent.code == .missingLibrary)
        #expect(absent.message.states("apt-get install libavformat59"))
        #expect(absent.underlying == "cannot open")
        // One package brings all three.
        let first = MissingLibrary.error(
            kind: .library, library: "avutil", major: 57, detail: "cannot open")
        #expect(first.message.states("install libavformat\(FFmpegVersion.formatMajor)"))
        let damaged = MissingLibrary.error(
            kind: .symbol, library: "avcodec", major: 61, detail: "avcodec_open2")
        #expect(damaged.message.states("avcodec_open2"))
        #expect(damaged.message.states("apt-get install --reinstall libavcodec61"))
        let other = MissingLibrary.error(kind: .version, library: "avutil", major: 57, detail: "")
        #expect(other.message.states("57", "libavutil57"))
    }

    @Test func theLogCanBeCaught() throws {
        FFmpegLog.install()
        defer { try? FFmpegLog.uninstall() }
        let path = try Material.write(
            "log.mp4", [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0])
        do throws(UndertextError) {
            _ = try FFmpegDemuxer(.path(path))
            Issue.record("a film without a header was opened")
        } catch {
            #expect(error.code == .notMedia)
            #expect(error.underlying == "moov atom not found")
        }
        #expect(FFmpegLog.takeLastMessage() == nil)
    }
}
