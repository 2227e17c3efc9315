import Synchronization
import TestSupport
import Testing
import UndertextCore
import UndertextIO

@Suite struct PipeSourceTests {
    private let folder = TemporaryDirectory()

    private func makeFIFO() -> String {
        let path = folder / "fifo"
        #expect(run("mkfifo", [path]).status == 0)
        return path
    }

    private func writer(_ script: String) throws -> Int32 {
        folder.write("", to: "empty")
        return try #require(
            spawn(
                "/bin/sh", ["sh", "-c", script], input: folder / "empty", output: folder / "out",
                error: folder / "err"))
    }

    @Test func readsToTheEndThroughPauses() throws {
        let fifo = makeFIFO()
        let source = try PipeSource(path: fifo)
        // The writer comes after the reader, and waits in between.
        let process = try writer(
            "sleep 0.3; { printf abc; sleep 0.3; head -c 300000 /dev/zero; } > '\(fifo)'")
        var bytes: [UInt8] = []
        while true {
            let part = try source.read(upTo: 50_000)
            if part.isEmpty { break }
            #expect(part.count <= 50_000)
            bytes += part
        }
        #expect(bytes == Array("abc".utf8) + [UInt8](repeating: 0, count: 300_000))
        #expect(source.statistics.bytesRead == 300_003)
        #expect(try source.read(upTo: 10).isEmpty)
        #expect(waitForExit(process) == 0)
    }

    @Test func aWaitingReadCanBeStopped() throws {
        let fifo = makeFIFO()
        let process = try writer("exec sleep 30 > '\(fifo)'")
        defer {
            send(signal: 15, to: process)
            _ = waitForExit(process)
        }
        let flag = Cancellation()
        // A thread of its own: tasks share few, which other tests may hold.
        let isSubmitted = BackgroundQueue(threads: 1).submit {
            pause(milliseconds: 150)
            flag.cancel()
        }
        #expect(isSubmitted)
        // Without the flag this would wait for the writer's 30 seconds and find the end.
        let error = #expect(throws: UndertextError.self) {
            try PipeSource(path: fifo, cancellation: flag).read(upTo: 100)
        }
        #expect(error?.code == .cancelled)
    }

    @Test func aFolderIsNoPipe() {
        let error = #expect(throws: UndertextError.self) { try PipeSource(path: folder.path) }
        #expect(error?.code == .isDirectory)
        #expect(throws: UndertextError.self) { try PipeSource(path: folder / "none") }
    }

    @Test func nothingAskedIsNothingRead() throws {
        #expect(try PipeSource(path: "/dev/null").read(upTo: 0).isEmpty)
        #expect(try PipeSource(path: "/dev/null").read(upTo: 10).isEmpty)
        #expect(try PipeSource(path: "/dev/zero").read(upTo: .max).count == 1 << 20)
    }
}
