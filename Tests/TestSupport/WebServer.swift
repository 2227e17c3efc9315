internal import Glibc
internal import Synchronization
public import Testing

/// A web server on this machine for one test; it ends with the last reference to it.
public final class WebServer: Sendable {
    /// A request that was answered.
    public struct Request: Hashable, Sendable {
        /// The identifier of the connection.
        public let connection: String
        /// The requested path.
        public let path: String
        /// The header `Range`; empty without one.
        public let range: String
        /// The number of bytes of its ranges, if all of them have an end.
        public var count: Int? {
            var count = 0
            for part in range.drop(while: { $0 != "=" }).dropFirst().split(separator: ",") {
                let ends = part.split(separator: "-")
                guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]) else {
                    return nil
                }
                count += last - first + 1
            }
            return count > 0 ? count : nil
        }
    }

    /// `http://127.0.0.1:PORT`, without a slash at its end.
    public let address: String
    private let process: Int32
    private let log: String
    private let scratch: TemporaryDirectory

    private init(port: Int, process: Int32, log: String, scratch: TemporaryDirectory) {
        address = "http://127.0.0.1:\(port)"
        self.process = process
        self.log = log
        self.scratch = scratch
    }

    deinit {
        send(signal: SIGKILL, to: process)
        _ = waitForExit(process)
    }

    /// Starts nginx with its defaults, on the files of a folder; a test that uses it requires `nginx`.
    ///
    /// `/no-ranges/NAME` is the same file without ranges.
    public static func nginx(
        serving folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> WebServer {
        let scratch = TemporaryDirectory()
        var server: WebServer?
        for _ in 0..<5 where server == nil {
            guard let port = freePort() else { break }
            scratch.write(configuration(port, folder, scratch.path), to: "nginx.conf")
            let arguments = [
                "env", toolPath("nginx") ?? "nginx", "-p", scratch.path, "-e", scratch / "early",
                "-c", scratch / "nginx.conf",
            ]
            server = started(arguments, log: "log", scratch) { accepts(port) ? port : nil }
        }
        return try #require(
            server, "nginx does not start: \(fileText(scratch / "err") ?? "")",
            sourceLocation: sourceLocation)
    }

    /// A server that does what the first part of a path says; see `hostile-server.py`.
    ///
    /// A test that uses it requires `python3`.
    public static func hostile(
        serving folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> WebServer {
        try python("hostile-server.py", folder, sourceLocation: sourceLocation)
    }

    /// A server that pages of any origin may read, and that takes what they find; see
    /// `browser-server.py`.
    ///
    /// A test that uses it requires `python3`.
    public static func browser(
        serving folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> WebServer {
        try python("browser-server.py", folder, sourceLocation: sourceLocation)
    }

    /// Starts a server in Python, which prints its port.
    fileprivate static func python(
        _ script: String, _ arguments: String..., sourceLocation: SourceLocation
    ) throws -> WebServer {
        let scratch = TemporaryDirectory()
        let path = Repository.root + "/Tests/TestSupport/" + script
        let server = started(["env", "python3", path] + arguments, log: "out", scratch) {
            let lines = (fileText(scratch / "out") ?? "").split(separator: "\n")
            return lines.first.flatMap { Int($0) }
        }
        return try #require(
            server, "\(script) does not start: \(fileText(scratch / "err") ?? "")",
            sourceLocation: sourceLocation)
    }

    /// Services that have subtitles; one process for all tests, which ends with theirs.
    fileprivate static let provider = Result {
        try python("provider-server.py", sourceLocation: #_sourceLocation)
    }

    /// Its output so far, without the first line.
    public var lines: [String] {
        (fileText(log) ?? "").split(separator: "\n").dropFirst().map(String.init)
    }

    /// The lines of the log that contain a text.
    ///
    /// Other lines do not become strings, because there may be thousands, some with keys of a megabyte.
    func lines(containing text: String) -> [String] {
        let bytes = (fileBytes(log) ?? []) + [0]
        return unsafe bytes.withUnsafeBufferPointer { all in
            guard let base = unsafe UnsafeRawPointer(all.baseAddress) else { return [] }
            var found: [String] = []
            var offset = 0
            while let hit = unsafe strstr(
                (base + offset).assumingMemoryBound(to: CChar.self), text)
            {
                let position = unsafe UnsafeRawPointer(hit) - base
                var (start, end) = (position, position)
                while start > offset, unsafe all[start - 1] != 0x0A { start -= 1 }
                while unsafe all[end] != 0x0A && all[end] != 0 { end += 1 }
                unsafe found.append(String(decoding: all[start..<end], as: UTF8.self))
                offset = end
            }
            return found
        }
    }

    /// Starts a program and waits, two minutes at most, for the port that it serves.
    private static func started(
        _ arguments: [String], log: String, _ scratch: TemporaryDirectory, port: () -> Int?
    ) -> WebServer? {
        guard
            let process = spawn(
                "/usr/bin/env", arguments, input: "/dev/null", output: scratch / "out",
                error: scratch / "err")
        else { return nil }
        for _ in 0..<12_000 {
            if let port = port() {
                return WebServer(
                    port: port, process: process, log: scratch / log, scratch: scratch)
            }
            usleep(10_000)
        }
        send(signal: SIGKILL, to: process)
        _ = waitForExit(process)
        return nil
    }

    /// The requests, as soon as there are `count` of them, or after a minute: they are recorded when their
    /// responses have been sent.
    public func requests(atLeast count: Int) -> [Request] {
        for _ in 0..<6000 where requests.count < count { usleep(10_000) }
        return requests
    }

    /// The requests so far; those that have just ended may be missing.
    public var requests: [Request] {
        (fileText(log) ?? "").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3 else { return nil }
            return Request(
                connection: String(words[0]), path: String(words[1]), range: String(words[2]))
        }
    }

    private static func configuration(_ port: Int, _ folder: String, _ scratch: String) -> String {
        """
        daemon off; master_process off; pid \(scratch)/pid; error_log \(scratch)/error;
        events {}
        http {
            log_format ranges '$connection $uri $http_range';
            access_log \(scratch)/log ranges;
            client_body_temp_path \(scratch)/body; proxy_temp_path \(scratch)/proxy;
            fastcgi_temp_path \(scratch)/fastcgi; uwsgi_temp_path \(scratch)/uwsgi;
            scgi_temp_path \(scratch)/scgi;
            server {
                listen 127.0.0.1:\(port);
                location / { root \(folder); }
                location /no-ranges/ { alias \(folder)/; max_ranges 0; }
            }
        }
        """
    }

    private static func freePort() -> Int? {
        withSocket { number in
            var address = loopback(port: 0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe bind(number, pointer, size) == 0
                        && getsockname(number, pointer, &size) == 0
                }
            }
            return isBound ? Int(address.sin_port.bigEndian) : nil
        }
    }

    private static func accepts(_ port: Int) -> Bool {
        withSocket { number in
            var address = loopback(port: UInt16(port))
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe connect(number, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }

    private static func withSocket<Result>(_ body: (CInt) -> Result) -> Result {
        let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        return body(number)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// Object storage that checks signatures, see `s3-server.py`.
///
/// A test that uses it requires ``Trait/requiresMoto``.
public struct ObjectStorage: Sendable {
    /// A request that was answered.
    public struct Request: Hashable, Sendable {
        /// The method, such as `GET`.
        public let method: String
        /// The path, with its escapes.
        public let path: String
        /// The status of the response.
        public let status: Int
        /// Bytes of its body.
        public let count: Int
    }

    private let server: WebServer
    private let keys: [String]

    /// Starts the server with the files of a folder in the bucket `films`, and creates keys.
    public static func start(
        with folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ObjectStorage {
        let server = try WebServer.python(
            "s3-server.py", folder, sourceLocation: sourceLocation)
        for _ in 0..<6000 where server.lines.isEmpty { usleep(10_000) }
        let keys = try #require(server.lines.first, sourceLocation: sourceLocation)
        return ObjectStorage(
            server: server, keys: keys.split(separator: " ").map(String.init))
    }

    /// The variables with which programs find and open it; files of the user have no effect.
    public var variables: [String: String?] {
        [
            "AWS_ENDPOINT_URL": server.address, "AWS_ACCESS_KEY_ID": keys.first,
            "AWS_SECRET_ACCESS_KEY": keys.last, "AWS_SHARED_CREDENTIALS_FILE": "/dev/null/none",
            "AWS_CONFIG_FILE": "/dev/null/none", "AWS_PROFILE": nil, "AWS_SESSION_TOKEN": nil,
            "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": nil, "AWS_REQUEST_PAYER": nil,
            "AWS_NO_SIGN_REQUEST": nil,
        ]
    }

    /// Sends a command of `s3-server.py` and returns its answer.
    public func control(_ command: String, _ values: [String: String]) -> String {
        let script = """
            import sys, urllib.parse, urllib.request
            print(urllib.request.urlopen(sys.argv[1] + urllib.parse.urlencode(
                [tuple(a.split('=', 1)) for a in sys.argv[2:]], errors='surrogateescape')).read().decode(), end='')
            """
        let address = "\(server.address)/-/\(command)?"
        return run("python3", ["-c", script, address] + values.map { "\($0)=\($1)" }).text
    }

    /// The requests for keys that contain a text once they are so many, or after a minute.
    public func requests(_ part: String, atLeast count: Int) -> [Request] {
        for _ in 0..<6000 where requests(part).count < count { usleep(10_000) }
        return requests(part)
    }

    /// The requests for keys that contain a text, so far.
    public func requests(_ part: String) -> [Request] {
        server.lines(containing: part).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 5, words[1].contains(part), let status = Int(words[3]),
                let count = Int(words[4])
            else { return nil }
            return Request(
                method: String(words[0]), path: String(words[1]), status: status, count: count)
        }
    }
}

/// Services that have subtitles, for one test: see `provider-server.py`.
public struct ProviderServer: Sendable {
    private let server: WebServer
    private let tag: String
    private static let count = Atomic<Int>(0)

    /// A server that no other test uses; the test must require `python3`.
    public static func start() throws -> ProviderServer {
        let server = try WebServer.provider.get()
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return ProviderServer(server: server, tag: "test-\(getpid())-\(number)")
    }

    /// The address before the mode, without a slash at its end.
    public var address: String { "\(server.address)/\(tag)" }
    /// The port.
    public var port: String { String(server.address.split(separator: ":").last ?? "") }

    /// The requests of this test so far, as JSON.
    public var lines: [String] { server.lines.filter { $0.contains("\"tag\": \"\(tag)\"") } }
}
