import TestSupport
import Testing
import UndertextCore
import UndertextIO

@Suite struct FileSourceTests {
    private let folder = TemporaryDirectory()

    @Test func readsAnyRange() throws {
        let bytes = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let source = try FileSource(path: folder.write(bytes, to: "f"))
        #expect(source.size == 100_000)
        #expect(try source.read(at: 0, count: 100_000) == bytes)
        #expect(try source.read(at: 777, count: 10) == Array(bytes[777..<787]))
        #expect(try source.read(at: 99_990, count: 100) == Array(bytes[99_990...]))
        #expect(try source.read(at: 100_000, count: 1).isEmpty)
        #expect(try source.read(at: .max, count: 1).isEmpty)
        #expect(try source.read(at: 5, count: 0).isEmpty)
        #expect(try source.read(at: 5, count: -1).isEmpty)
        // An absurd count takes no more memory than the file has.
        #expect(try source.read(at: 1, count: .max).count == 99_999)
    }

    @Test func countsWhatItAsks() throws {
        let source = try FileSource(path: folder.write([1, 2, 3, 4], to: "f"))
        _ = try source.read(at: 0, count: 2)
        _ = try source.read(at: 2, count: 100)
        _ = try source.read(at: 9, count: 100)
        #expect(source.statistics == ReadStatistics(bytesRead: 4, requests: 2))
    }

    @Test func seesAFileGrow() throws {
        let path = folder.write([1, 2], to: "f")
        let source = try FileSource(path: path)
        writeFile([1, 2, 3], to: path)
        #expect(try source.read(at: 2, count: 1) == [3])
        #expect(source.size == 3)
        // One that shrinks gives what is left.
        writeFile([1], to: path)
        #expect(try source.read(at: 0, count: 3) == [1])
    }

    @Test func readsBeyondFourGigabytes() throws {
        let path = folder / "sparse"
        #expect(run("truncate", ["-s", "5G", path]).status == 0)
        let result = run(
            "dd", ["of=\(path)", "bs=1", "seek=5000000000", "conv=notrunc"], stdin: [7, 8])
        #expect(result.status == 0)
        let source = try FileSource(path: path)
        #expect(source.size == 5 << 30)
        #expect(try source.read(at: 5_000_000_000, count: 3) == [7, 8, 0])
    }

    @Test func anEmptyFileOpens() throws {
        let source = try FileSource(path: folder.write([UInt8](), to: "f"))
        #expect(source.size == 0)
        #expect(try source.read(at: 0, count: 10).isEmpty)
    }

    @Test func namesWhatIsWrong() throws {
        let fifo = folder / "fifo"
        #expect(run("mkfifo", [fifo]).status == 0)
        folder.write("", to: "file")
        let cases: [(String, UndertextError.Code)] = [
            (folder / "none", .notFound), (folder / "file/below", .notFound),
            (folder.path, .isDirectory), (fifo, .unsupported), ("/dev/null", .unsupported),
            (folder / String(repeating: "x", count: 300), .notFound), ("", .notFound),
        ]
        for (path, code) in cases {
            let error = #expect(throws: UndertextError.self) { try FileSource(path: path) }
            #expect(error?.code == code, "\(path)")
            #expect(error?.path == path)
            #expect(error?.message.isEmpty == false)
        }
        let missing = #expect(throws: UndertextError.self) { try FileSource(path: folder / "none") }
        #expect(missing?.underlying == "No such file or directory")
    }

    @Test func cancellationStopsReads() throws {
        let flag = Cancellation()
        let source = try FileSource(path: folder.write([1, 2, 3], to: "f"), cancellation: flag)
        #expect(try source.read(at: 0, count: 3) == [1, 2, 3])
        flag.cancel()
        let error = #expect(throws: UndertextError.self) { try source.read(at: 0, count: 3) }
        #expect(error?.code == .cancelled)
    }

    @Test func kindsAreReported() throws {
        let fifo = folder / "fifo"
        #expect(run("mkfifo", [fifo]).status == 0)
        #expect(run("ln", ["-s", fifo, folder / "link"]).status == 0)
        #expect(try FileKind(of: fifo) == .pipe)
        #expect(try FileKind(of: folder / "link") == .pipe)
        #expect(try FileKind(of: folder.path) == .directory)
        #expect(try FileKind(of: folder.write("", to: "f")) == .regular)
        #expect(try FileKind(of: "/dev/null") == .pipe)
        #expect(throws: UndertextError.self) { try FileKind(of: folder / "none") }
        #expect(throws: UndertextError.self) { try FileKind(ofDescriptor: 987) }
    }
}
