import Dispatch
import TestSupport
import Testing
import UndertextCore
import UndertextIO
import UndertextStreaming

@testable import UndertextServer

@Suite(.enabled(if: HTTPServer.isAvailable, "built without the trait Server"))
struct HTTPServerTests {
    /// Runs a server while `body` talks to it.
    private static func serving(
        _ rules: ServerRules, _ server: HTTPServer = HTTPServer(),
        _ body: @escaping @Sendable (Int) -> Void
    ) async throws {
        let cancellation = Cancellation()
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await server.run(rules, cancellation: cancellation) { port in
                    continuation.yield(port)
                }
            }
            for await port in ports {
                // Not on a thread that the server needs.
                await withCheckedContinuation { done in
                    DispatchQueue.global().async {
                        body(port)
                        done.resume()
                    }
                }
                cancellation.cancel()
            }
            try await group.waitForAll()
        }
    }

    /// The output of Python's client: statuses, some headers and bodies.
    private static func python(_ port: Int, _ requests: String) -> String {
        let script = """
            import http.client
            def ask(method, path, body=None, **headers):
                c = http.client.HTTPConnection("127.0.0.1", \(port), timeout=120)
                c.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
                for name, value in headers.items():
                    c.putheader(name, value)
                if body: c.putheader("Content-Length", str(len(body)))
                c.endheaders(body)
                r = c.getresponse()
                data = r.read()
                print(r.status, r.getheader("Content-Length"), r.getheader("Content-Type"),
                    r.getheader("Content-Range"), data[:12])
            \(requests)
            """
        let result = run("python3", ["-c", script])
        return result.text + result.stderr
    }

    @Test(.requires("python3")) func requestsOverLoopback() async throws {
        let scratch = TemporaryDirectory()
        scratch.write([UInt8](repeating: 0x61, count: 300_000), to: "big.ts")
        scratch.write("#EXTM3U\n", to: "master.m3u8")
        let rules = ServerRules(try LocalFolderSite(scratch.path))
        try await Self.serving(rules) { port in
            let lines = Self.python(
                port,
                """
                ask("GET", "/master.m3u8")
                ask("HEAD", "/big.ts")
                ask("GET", "/big.ts")
                ask("GET", "/big.ts", Range="bytes=299990-")
                ask("GET", "/none")
                ask("GET", "/../etc/passwd")
                ask("GET", "/master.m3u8", Host="evil.example")
                ask("GET", "http://evil.example/master.m3u8", Host="localhost")
                ask("GET", "HTTP://localhost@evil.example/master.m3u8", Host="localhost")
                ask("GET", "http://localhost:80/master.m3u8", Host="evil.example")
                ask("POST", "/master.m3u8", b"x" * 100000)
                """
            ).split(separator: "\n").map(String.init)
            #expect(
                lines == [
                    "200 8 application/vnd.apple.mpegurl None b'#EXTM3U\\n'",
                    "200 300000 video/mp2t None b''",
                    "200 300000 video/mp2t None b'aaaaaaaaaaaa'",
                    "206 10 video/mp2t bytes 299990-299999/300000 b'aaaaaaaaaa'",
                    "404 22 text/plain; charset=utf-8 None b'there is no '",
                    "404 22 text/plain; charset=utf-8 None b'there is no '",
                    "421 31 text/plain; charset=utf-8 None b'this server '",
                    "421 31 text/plain; charset=utf-8 None b'this server '",
                    "400 30 text/plain; charset=utf-8 None b'the request '",
                    "200 8 application/vnd.apple.mpegurl None b'#EXTM3U\\n'",
                    "405 31 text/plain; charset=utf-8 None b'only GET and'",
                ])
        }
    }

    @Test func aPortThatIsTaken() async throws {
        let rules = ServerRules(try LocalFolderSite("/"))
        try await Self.serving(rules) { port in
            let failed = Monitor<UndertextError?>(nil)
            Task {
                do throws(UndertextError) {
                    try await HTTPServer(port: port).run(rules, cancellation: Cancellation()) { _ in
                    }
                } catch {
                    failed.with { $0 = error }
                    failed.wakeAll(.consumers)
                }
            }
            let error = failed.wait(.consumers, timeout: .seconds(120)) { $0 }
            #expect(error?.code == .io)
            #expect(error?.message.states("\(port)") == true)
        }
    }

    @Test(.requires("python3")) func openConnectionsDoNotKeepIt() async throws {
        let scratch = TemporaryDirectory()
        scratch.write("x", to: "a.vtt")
        let rules = ServerRules(try LocalFolderSite(scratch.path))
        // A client that stays connected: the server ends all the same.
        let client = Monitor<Int32?>(nil)
        try await Self.serving(rules) { port in
            let script = """
                import socket, time
                s = socket.create_connection(("127.0.0.1", \(port)))
                s.sendall(b"GET /a.vtt HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                s.recv(10); print("connected", flush=True); time.sleep(600)
                """
            let out = scratch / "client"
            let started = spawn(
                "/usr/bin/env", ["env", "python3", "-c", script], input: "/dev/null", output: out,
                error: scratch / "err")
            client.with { $0 = started }
            let end = ContinuousClock.now + .seconds(120)
            while fileText(out)?.contains("connected") != true, .now < end {
                pause(milliseconds: 10)
            }
            #expect(fileText(out)?.contains("connected") == true)
        }
        if let process = client.with({ $0 }) {
            send(signal: 9, to: process)
            _ = waitForExit(process)
        }
    }

    @Test(.requires("python3")) func idleConnectionsDoNotLockOutClients() async throws {
        let scratch = TemporaryDirectory()
        scratch.write("x", to: "a.vtt")
        let rules = ServerRules(try LocalFolderSite(scratch.path))
        var server = HTTPServer()
        server.connections = 8
        try await Self.serving(rules, server) { port in
            let lines = Self.python(
                port,
                """
                import select, socket, time
                idle = [socket.create_connection(("127.0.0.1", \(port)), 60) for _ in range(60)]
                ask("GET", "/a.vtt")
                # Those that were closed can be read from, sooner or later.
                def open():
                    return sum(not select.select([s], [], [], 0)[0] for s in idle)
                end = time.time() + 60
                while open() > 8 + \(ConnectionLimit.slack) and time.time() < end: time.sleep(0.05)
                print(open() <= 8 + \(ConnectionLimit.slack))
                ask("GET", "/a.vtt")
                """
            ).split(separator: "\n").map(String.init)
            let answer = "200 1 text/vtt None b'x'"
            #expect(lines == [answer, "True", answer])
        }
    }

    /// A file of zeros, and how much was read of it.
    private final class CountedZeros: ServerSite {
        static let size = UInt64(1) << 30
        let bytes = Monitor(0)

        func answer(_ request: ServerRequest) -> ServerAnswer {
            ServerAnswer(
                200,
                body: .source(Source(bytes: bytes), range: 0..<Self.size))
        }

        private final class Source: ByteSource {
            let name = "zeros"
            let bytes: Monitor<Int>
            let size = CountedZeros.size

            init(bytes: Monitor<Int>) { self.bytes = bytes }

            func read(at offset: UInt64, count: Int) throws -> [UInt8] {
                bytes.with { $0 += count }
                bytes.wakeAll(.consumers)
                return [UInt8](repeating: 0, count: count)
            }
        }
    }

    @Test(.requires("python3")) func stalledReadersHoldLittle() async throws {
        let site = CountedZeros()
        let clients = 20
        try await Self.serving(ServerRules(site)) { port in
            let scratch = TemporaryDirectory()
            let script = """
                import socket, time
                idle = []
                for _ in range(\(clients)):
                    s = socket.socket()
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    s.connect(("127.0.0.1", \(port)))
                    s.sendall(b"GET /a HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                    idle.append(s)
                time.sleep(600)
                """
            let client = spawn(
                "/usr/bin/env", ["env", "python3", "-c", script], input: "/dev/null",
                output: scratch / "out", error: scratch / "err")
            guard let client else {
                Issue.record("python3 does not start")
                return
            }
            defer {
                send(signal: 9, to: client)
                _ = waitForExit(client)
            }
            // Each gets something, and no more than half a mebibyte is read for it.
            let begun = site.bytes.wait(.consumers, timeout: .seconds(120)) {
                $0 >= clients * 32_768 ? true : nil
            }
            #expect(begun == true)
            let more = site.bytes.wait(.consumers, timeout: .seconds(2)) {
                $0 > clients << 19 ? $0 : nil
            }
            #expect(more == nil)
        }
    }
}
