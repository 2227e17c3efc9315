import Foundation
import TestSupport
import UndertextCore
import UndertextFFmpeg

/// The files that the tests read and the tools that they compare with.
enum Material {
    /// Other projects' files, or `nil` where they are not there.
    static let corpus: URL? =
        FileManager.default.fileExists(atPath: Repository.corpus)
        ? URL(filePath: Repository.corpus).standardized : nil

    /// Files of the corpus with one of these extensions, sorted.
    static func corpusFiles(_ extensions: Set<String>) -> [String] {
        guard let corpus, let walk = FileManager.default.enumerator(atPath: corpus.path) else {
            return []
        }
        return walk.compactMap { $0 as? String }
            .filter { extensions.contains(($0 as NSString).pathExtension.lowercased()) }
            .sorted().map { corpus.path + "/" + $0 }
    }

    /// Runs a tool and returns its standard output.
    static func run(_ name: String, _ arguments: [String]) -> Data {
        Data(TestSupport.run(name, arguments).stdout)
    }

    /// A folder of this test run.
    static let folder: URL = {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "undertext-demux-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }()

    /// Writes a file of this test run.
    static func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }

    static func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// A video of two seconds with audio, made by ffmpeg; each name is made once.
    static func film(
        _ name: String, subtitles: String = srt, _ options: [String]
    ) throws -> String {
        let path = folder.appending(path: name).path
        let text = try write(name + ".in.srt", subtitles)
        _ = run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=d=2:s=160x120:r=5", "-f",
                "lavfi", "-i", "sine=d=2", "-i", text, "-map", "0", "-map", "1", "-map", "2",
                "-c:v", "mpeg4",
            ] + options + [path])
        return path
    }

    static let srt = """
        1
        00:00:00,100 --> 00:00:00,900
        First <i>line</i>

        2
        00:00:01,000 --> 00:00:01,500
        Second

        """
}

/// All packets of the chosen streams.
func packets(_ demuxer: FFmpegDemuxer) throws -> [Packet] {
    var result: [Packet] = []
    while let packet = try demuxer.nextPacket() { result.append(packet) }
    return result
}
