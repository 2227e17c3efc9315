import TestSupport
import Testing

/// A running example player, controlled over its socket.
final class Player {
    private let process: Int32
    private let folder = TemporaryDirectory()
    private var hasEnded = false

    /// Starts the player, paused at the beginning; `nil` if it does not.
    init?(_ program: String, _ film: String, on screen: VirtualScreen, options: [String]) {
        let own = [
            "vo=x11", "ao=null", "pause=yes", "osc=no", "osd-level=0", "config=no",
            "geometry=640x360+0+0", "border=no", "input-ipc-server=" + (folder / "socket"),
        ].flatMap { ["--mpv", $0] }
        let variables = [
            "DISPLAY=" + screen.display, "HOME=" + folder.path, "PATH=/usr/bin:/bin",
            "LIBGL_ALWAYS_SOFTWARE=1",
        ]
        folder.write("", to: "in")
        guard
            let process = spawn(
                program, [program, film] + options + own, variables: variables,
                input: folder / "in", output: folder / "out", error: folder / "err")
        else { return nil }
        self.process = process
        guard tells("playing") else {
            Issue.record("the player did not start: \(output) \(errors)")
            return nil
        }
    }

    deinit {
        if !hasEnded {
            TestSupport.send(signal: 9, to: process)
            _ = waitForExit(process)
        }
    }

    /// Its output so far.
    private var output: String { String(decoding: fileBytes(folder / "out") ?? [], as: UTF8.self) }
    private var errors: String { String(decoding: fileBytes(folder / "err") ?? [], as: UTF8.self) }

    /// Sends it a command of mpv's.
    func send(_ words: String...) {
        let list = words.map { "\"\($0)\"" }.joined(separator: ",")
        let script =
            "import socket,sys\n" + "s=socket.socket(socket.AF_UNIX)\ns.settimeout(120)\n"
            + "s.connect(sys.argv[1])\ns.sendall(sys.argv[2].encode()+b'\\n')\n"
            + "print(s.recv(4096).decode())"
        let result = run(
            "python3", ["-c", script, folder / "socket", "{\"command\":[\(list)]}"])
        #expect(result.status == 0, "\(result.stderr)")
    }

    /// `true` if it prints a line that begins so within two minutes.
    func tells(_ line: String) -> Bool {
        let reported = eventually { output.split(separator: "\n").contains { $0.hasPrefix(line) } }
        if !reported { Issue.record("not reported: \(line); but: \(output) \(errors)") }
        return reported
    }

    /// Waits for its end.
    func exitStatus() -> Int32 {
        hasEnded = true
        return waitForExit(process)
    }
}

/// Looks every tenth of a second for at most two minutes.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<1200 {
        if condition() { return true }
        _ = run("sleep", ["0.1"])
    }
    return false
}
