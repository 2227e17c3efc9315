import Glibc
import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

/// Servers that do as they should, and those that do not: never a wrong byte, never a long wait.
@Suite struct HTTPSourceTests {
    let folder = TemporaryDirectory()
    let bytes: [UInt8]

    init() {
        var generator = SeededGenerator(seed: 7)
        bytes = generator.bytes(300_000)
        folder.write(bytes, to: "file")
    }

    private static func quick() -> HTTPOptions {
        var options = HTTPOptions()
        options.firstDelay = .milliseconds(1)
        return options
    }

    private func source(
        _ server: WebServer, _ mode: String, options: HTTPOptions = Self.quick()
    ) throws -> HTTPSource {
        guard
            case .source(let source) = try HTTPInput.open(
                "\(server.address)/\(mode)/file", options: options)
        else {
            throw UndertextError(.unsupported, "no ranges")
        }
        return source
    }

    private func expectError(
        _ code: UndertextError.Code, _ work: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            try work()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            #expect(
                (error as? UndertextError)?.code == code, "\(error)", sourceLocation: sourceLocation
            )
        }
    }

    private var manyRanges: [ByteRange] {
        // Not in order, overlapping, and beyond the end.
        [(70_000, 10), (100, 40), (120, 60), (299_990, 30), (100_000, 5000), (400_000, 8)].map {
            ByteRange(offset: UInt64($0.0), count: $0.1)
        }
    }

    private func expected(_ range: ByteRange) -> [UInt8] {
        let start = min(Int(range.offset), bytes.count)
        return Array(bytes[start..<min(bytes.count, start + range.count)])
    }

    @Test(.requires("nginx")) func manyRangesComeWithOneAnswer() throws {
        let server = try WebServer.nginx(serving: folder.path)
        guard
            case .source(let source) = try HTTPInput.open(
                "\(server.address)/file", options: Self.quick())
        else {
            Issue.record("nginx sends ranges")
            return
        }
        let before = source.statistics.requests
        #expect(try source.read(manyRanges) == manyRanges.map(expected))
        #expect(source.statistics.requests == before + 1)
        #expect(source.rangesAtOnce > 1)
    }

    /// It answers with the whole file, which is not read, and is asked range by range from then on.
    @Test(.requires("python3")) func aServerThatSendsNoPartsIsAskedOneByOne() throws {
        let server = try WebServer.hostile(serving: folder.path)
        let source = try source(server, "plain")
        #expect(source.rangesAtOnce > 1)
        #expect(try source.read(manyRanges) == manyRanges.map(expected))
        #expect(source.rangesAtOnce == 1)
        let after = server.requests.count
        #expect(try source.read(manyRanges) == manyRanges.map(expected))
        #expect(server.requests[after...].allSatisfy { !$0.range.contains(",") })
        #expect(source.statistics.bytesRead < 100_000)
    }

    /// Failures of all reads together are limited: else a server could keep a job for hours.
    @Test(.requires("python3")) func triesEnd() throws {
        let server = try WebServer.hostile(serving: folder.path)
        let source = try source(server, "plain")
        var tries = 0
        while source.resource.mayRetryAfterFailure() { tries += 1 }
        #expect((10...1000).contains(tries))
        #expect(!source.resource.mayRetryAfterFailure())
    }

    @Test(.requires("python3")) func readsExactlyTheRangesOnOneConnection() throws {
        let server = try WebServer.hostile(serving: folder.path)
        let source = try source(server, "plain")
        #expect(source.size == 300_000)
        #expect(try source.read(at: 0, count: 1000) == Array(bytes[..<1000]))
        for (offset, count) in [(70_000, 10), (299_990, 10), (100_000, 150_000), (65_530, 20)] {
            #expect(
                try source.read(at: UInt64(offset), count: count)
                    == Array(bytes[offset..<offset + count]))
        }
        #expect(try source.read(at: 299_990, count: 100) == Array(bytes[299_990...]))
        #expect(try source.read(at: 300_000, count: 1).isEmpty)
        #expect(try source.read(at: .max, count: 1).isEmpty)
        #expect(try source.read(at: 5, count: 0).isEmpty)
        let requests = server.requests
        #expect(Set(requests.map(\.connection)).count == 1)
        #expect(requests.count == 6)
        #expect(source.statistics.requests == 6)
        #expect(source.statistics.bytesRead == 65_536 + 10 + 10 + 150_000 + 20 + 10)
        #expect(requests.map(\.range).contains("bytes=70000-70009"))
    }

    @Test(.requires("python3")) func furtherConnectionsReadTheSame() throws {
        let server = try WebServer.hostile(serving: folder.path)
        let connect = try source(server, "to-plain").connector
        let other = try connect(Cancellation())
        #expect(try other.read(at: 200_000, count: 9) == Array(bytes[200_000..<200_009]))
        // It goes where the redirect has led already.
        #expect(server.requests.count == 3)
    }

    /// Faults that a retry repairs.
    @Test(
        .requires("python3"),
        arguments: ["cut-once", "busy-once", "short", "long", "unknown-size", "to-plain"])
    func bytesAreRightInSpiteOf(_ mode: String) throws {
        let server = try WebServer.hostile(serving: folder.path)
        let source = try source(server, mode)
        for (offset, count) in [(100_000, 50_000), (0, 10), (290_000, 10_000)] {
            #expect(
                try source.read(at: UInt64(offset), count: count)
                    == Array(bytes[offset..<offset + count]))
        }
        #expect(try source.read(at: 299_000, count: 5000) == Array(bytes[299_000...]))
    }

    /// Permanent faults: an error after a bounded number of requests.
    @Test(
        .requires("python3"),
        arguments: ["cut", "shifted", "refuses", "forgets", "grows", "changes"])
    func endsWithAnError(_ mode: String) throws {
        let server = try WebServer.hostile(serving: folder.path)
        let source = try source(server, mode)
        expectError(.io) { _ = try source.read(at: 100_000, count: 50_000) }
        #expect(server.requests.count <= 6)
    }

    @Test(.requires("python3")) func refusesAtOpening() throws {
        let server = try WebServer.hostile(serving: folder.path)
        expectError(.nestedOpen) { _ = try source(server, "to-file") }
        expectError(.nestedOpen) { _ = try source(server, "to-private") }
        expectError(.nestedOpen) { _ = try source(server, "to-loop") }
        expectError(.io) { _ = try source(server, "busy") }
        expectError(.notFound) { _ = try source(server, "missing") }
        expectError(.unsupported) { _ = try source(server, "packed") }
        expectError(.unsupported) { _ = try HTTPInput.open("ftp://127.0.0.1/file") }
        expectError(.unsupported) { _ = try HTTPInput.open("http://") }
        expectError(.io) { _ = try HTTPInput.open("http://127.0.0.1:1/", options: Self.quick()) }
        folder.write("", to: "empty")
        expectError(.empty) { _ = try HTTPInput.open("\(server.address)/plain/empty") }
    }

    @Test(.requires("python3")) func aPrivateAddressThatWasNamedIsRead() throws {
        let server = try WebServer.hostile(serving: folder.path)
        let port = server.address.split(separator: ":").last ?? ""
        guard case .source(let source) = try HTTPInput.open("http://127.0.0.2:\(port)/plain/file")
        else {
            Issue.record("no ranges")
            return
        }
        #expect(try source.read(at: 9, count: 3) == Array(bytes[9..<12]))
    }

    @Test(.requires("python3")) func aServerWithoutRangesIsReadInOrder() throws {
        let server = try WebServer.hostile(serving: folder.path)
        guard case .stream(let stream) = try HTTPInput.open("\(server.address)/no-ranges/file")
        else {
            Issue.record("it has no ranges")
            return
        }
        #expect(stream.size == 300_000)
        var read: [UInt8] = []
        while true {
            let part = try stream.read(upTo: 7777)
            if part.isEmpty { break }
            #expect(part.count <= 7777)
            read += part
        }
        #expect(read == bytes)
        #expect(stream.statistics.bytesRead == 300_000)
    }

    @Test(.requires("python3")) func aStreamThatIsCutOffIsAnError() throws {
        let server = try WebServer.hostile(serving: folder.path)
        guard case .stream(let stream) = try HTTPInput.open("\(server.address)/no-ranges-cut/file")
        else {
            Issue.record("it has no ranges")
            return
        }
        var count = 0
        expectError(.io) {
            while case let part = try stream.read(upTo: 7777), !part.isEmpty { count += part.count }
        }
        #expect(count == 150_000)
    }

    @Test(.requires("python3")) func aStallEndsAtTheDeadline() throws {
        let server = try WebServer.hostile(serving: folder.path)
        var options = Self.quick()
        options.deadline = .now + .seconds(10)
        let source = try source(server, "stalls", options: options)
        expectError(.timeout) { _ = try source.read(at: 100_000, count: 50_000) }
        #expect(ContinuousClock.now >= options.deadline ?? .now)
    }

    @Test(.requires("python3")) func aStallEndsByItself() throws {
        let server = try WebServer.hostile(serving: folder.path)
        var options = Self.quick()
        options.stallTimeout = .seconds(5)
        let source = try source(server, "stalls", options: options)
        expectError(.timeout) { _ = try source.read(at: 100_000, count: 50_000) }
    }

    @Test(.requires("python3")) func aStalledReadIsStoppedFromOutside() throws {
        let server = try WebServer.hostile(serving: folder.path)
        let options = Self.quick()
        let source = try source(server, "stalls", options: options)
        let cancellation = options.cancellation
        // A thread, because the tests around this one keep every task waiting.
        let stopper = try #require(
            WorkerThread {
                // Only once the request has been made.
                while server.requests.count < 2 { usleep(5000) }
                cancellation.cancel()
            })
        expectError(.cancelled) { _ = try source.read(at: 100_000, count: 50_000) }
        stopper.join()
    }

    /// A response that only announces others is limited by its bytes, and not requested again.
    @Test(.requires("python3"), arguments: ["endless-1xx", "endless-headers"])
    func endlessHeadersAreAbandoned(_ mode: String) throws {
        let server = try WebServer.hostile(serving: folder.path)
        expectError(.limit) { _ = try source(server, mode) }
        #expect(server.requests.count == 1)
        let request = HTTPRequest(.get, "\(server.address)/\(mode)/file")
        expectError(.limit) {
            _ = try HTTPClient().fetch(request, cancellation: Cancellation())
        }
        #expect(server.requests.count == 2)
    }

    /// Connections to one input wait together for no longer than one of them may.
    @Test(.requires("python3")) func silenceCountsOnce() throws {
        let server = try WebServer.hostile(serving: folder.path)
        var options = Self.quick()
        options.stallTimeout = .seconds(5)
        let source = try source(server, "stalls", options: options)
        expectError(.timeout) { _ = try source.read(at: 100_000, count: 50_000) }
        let other = try source.connector(Cancellation())
        let requests = server.requests.count
        for _ in 0..<20 {
            expectError(.timeout) { _ = try other.read(at: 200_000, count: 50_000) }
        }
        #expect(server.requests.count <= requests + 20)
    }
}
