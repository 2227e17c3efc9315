import TestSupport
import Testing

/// A signal ends a run in good order: its exit code, and nothing left on disk.
@Suite struct SignalTests {
    static let interrupt: Int32 = 2
    static let quit: Int32 = 3
    static let kill: Int32 = 9
    static let terminate: Int32 = 15

    let folder = TemporaryDirectory()

    /// The input gives nothing, or its beginning, and never ends.
    @Test(arguments: [Self.interrupt, Self.terminate, Self.quit], [0, 20_000])
    func stopsAReadThatWaits(_ signal: Int32, _ count: Int) async throws {
        let pipe = folder / "pipe"
        let out = folder / "out"
        try #require(run("mkfifo", [pipe]).status == 0)
        // Opened for both, the pipe neither waits for a writer nor ever ends.
        let script =
            "exec 0<>\"$1\"; head -c \"$2\" \"$3\" >&0; exec \"$0\" extract -o \"$4\" -"
        let process = try #require(
            spawn(
                "/bin/sh",
                [
                    "sh", "-c", script, Command.path, pipe, String(count),
                    fixture("containers/movie.mkv"), out,
                ], input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        let ready = try await eventually { isReady(process) }
        #expect(ready, "the command did not start")
        try await end(process, by: signal)
        #expect(files(below: out).isEmpty)
        #expect(!files(below: folder.path).contains { $0.hasSuffix("undertext-part") })
    }

    /// A live presentation that is followed ends with what was read.
    @Test(.requires("python3"), arguments: [Self.interrupt, Self.terminate])
    func endsAFollowing(_ signal: Int32) async throws {
        try #require(makeFolder(folder / "live"))
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "live/a.vtt")
        folder.write("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.vtt\n", to: "live/show.m3u8")
        let server = try WebServer.hostile(serving: folder / "live")
        let out = folder / "out"
        let process = try #require(
            spawn(
                Command.path,
                [
                    "undertext", "extract", "--live", "1:00:00", "-o", out,
                    "\(server.address)/plain/show.m3u8",
                ], input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        // Once to open it, and then because it is followed.
        let follows = try await eventually {
            server.lines.filter { $0.contains("show.m3u8") }.count >= 3
        }
        #expect(follows, "the command follows nothing")
        try await end(process, by: signal)
        #expect(files(below: out).count == 1)
        #expect(fileText(out + "/show.und.vtt")?.contains("here") == true)
    }

    /// Sends a signal, of which the command has to end with its exit code.
    private func end(_ process: Int32, by signal: Int32) async throws {
        send(signal: signal, to: process)
        let ended = try await eventually { state(process) == "Z" }
        #expect(ended, "the command did not end")
        if !ended { send(signal: Self.kill, to: process) }
        #expect(waitForExit(process) == 128 + signal, "\(fileText(folder / "stderr") ?? "")")
    }

    /// `true` if a condition comes true within two minutes.
    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<6000 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// `true` if the process is the command, takes care of signals, and waits in a read.
    private func isReady(_ process: Int32) -> Bool {
        guard let status = fileText("/proc/\(process)/status") else { return false }
        guard status.hasPrefix("Name:\tundertext\n"), state(process) == "S" else { return false }
        let masks = status.split(separator: "\n")
            .filter { $0.hasPrefix("SigBlk:") || $0.hasPrefix("SigCgt:") }
            .compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
        let wanted = UInt64(1) << (Self.interrupt - 1) | UInt64(1) << (Self.terminate - 1)
        return masks.contains { $0 & wanted == wanted }
    }

    private func state(_ process: Int32) -> Substring? {
        fileText("/proc/\(process)/status")?.split(separator: "\n")
            .first { $0.hasPrefix("State:\t") }?.dropFirst(7).prefix(1)
    }
}
