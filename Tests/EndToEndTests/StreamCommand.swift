import Synchronization
import TestSupport
import Testing

/// `undertext serve`, running until the last reference to it goes.
final class ServeProcess: Sendable {
    /// Its output: the address of the master playlist.
    let address: String
    /// Its process ID.
    let process: Int32
    private let scratch: TemporaryDirectory
    private let hasEnded = Atomic(false)

    /// Starts the command with a free port; `nil`, with its messages recorded, if it fails.
    ///
    /// - Parameters:
    ///   - arguments: arguments of the command.
    ///   - command: the command, `serve` or `inspect`.
    ///   - descriptors: the limit for open descriptors; `nil` for that of the tests.
    init?(_ arguments: [String], command: String = "serve", descriptors: Int? = nil) {
        let scratch = TemporaryDirectory()
        let limit = descriptors.map { "ulimit -n \($0) && " } ?? ""
        guard
            let process = spawn(
                "/bin/sh",
                ["sh", "-c", limit + "exec \"$@\"", "sh", Command.path, command, "--port", "0"]
                    + arguments,
                input: "/dev/null", output: scratch / "out", error: scratch / "err")
        else { return nil }
        self.process = process
        self.scratch = scratch
        var line: Substring?
        for _ in 0..<12_000 {
            line = fileText(scratch / "out")?.split(separator: "\n").first
            if line != nil { break }
            pause(milliseconds: 10)
        }
        guard let line else {
            print("undertext \(command): \(fileText(scratch / "err") ?? "")")
            send(signal: 9, to: process)
            _ = waitForExit(process)
            return nil
        }
        address = String(line)
    }

    /// Ends it by a signal; returns its exit code and messages.
    func stop(_ signal: Int32) -> (status: Int32, stderr: String) {
        send(signal: signal, to: process)
        hasEnded.store(true, ordering: .relaxed)
        return (waitForExit(process), fileText(scratch / "err") ?? "")
    }

    /// Its messages so far.
    var messages: String { fileText(scratch / "err") ?? "" }

    deinit {
        if !hasEnded.load(ordering: .relaxed) { _ = stop(9) }
    }
}

/// Presentations made by ffmpeg, with test images and a tone.
enum StreamSamples {
    /// Makes 24 seconds in H.264 and AAC; a test that uses it requires `ffmpeg`.
    static func film(in scratch: TemporaryDirectory) throws -> String {
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-f", "lavfi",
                "-i", "sine=frequency=440", "-t", "24", "-c:v", "libx264", "-preset", "ultrafast",
                "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "48k",
                scratch / "film.mp4",
            ])
        try #require(made.status == 0, "\(made.stderr)")
        return scratch / "film.mp4"
    }

    /// Cuts the video into segments of four seconds with a master playlist.
    static func presentation(
        _ name: String, in scratch: TemporaryDirectory, _ options: [String]
    ) throws {
        run("mkdir", ["-p", scratch / name])
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-i", scratch / "film.mp4", "-c", "copy", "-f", "hls", "-hls_time",
                "4",
                "-hls_playlist_type", "vod", "-master_pl_name", "master.m3u8",
            ] + options + [scratch / "\(name)/media.m3u8"])
        try #require(made.status == 0, "\(made.stderr)")
    }

    @discardableResult
    private static func run(_ tool: String, _ arguments: [String]) -> ToolResult {
        TestSupport.run(tool, arguments)
    }

    /// Ten cues, one of which lies across a boundary, and two at once.
    static let cues: [(start: Double, end: Double, text: String)] = [
        (0.5, 1.5, "one"), (2, 3, "two"), (3.5, 5.25, "across"), (6, 7, "four"), (9, 11, "five"),
        (9.5, 10.5, "also"), (13, 14, "six"), (15.75, 16.75, "seven"), (19, 20, "eight"),
        (22, 23.5, "last"),
    ]

    static var subRip: String {
        cues.enumerated().map { number, cue in
            "\(number + 1)\n\(clock(cue.start)) --> \(clock(cue.end))\n\(cue.text)\n"
        }.joined(separator: "\n")
    }

    private static func clock(_ seconds: Double) -> String {
        let milliseconds = Int(seconds * 1000)
        let digits = String(1000 + milliseconds % 1000).dropFirst()
        return "00:00:\(String(100 + milliseconds / 1000).dropFirst()),\(digits)"
    }

    /// Ten times and what is shown then.
    static let times: [(time: Double, texts: [String])] = [
        (1, ["one"]), (1.75, []), (2.5, ["two"]), (4.5, ["across"]), (6.5, ["four"]),
        (9.25, ["five"]), (10, ["five", "also"]), (13.5, ["six"]), (16.25, ["seven"]),
        (22.75, ["last"]),
    ]
}
