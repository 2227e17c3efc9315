import TestSupport
import Testing

@Suite struct ServeLimitsTests {
    /// More clients than descriptors, none of which sends a request.
    @Test(.requires("python3")) func descriptorsDoNotRunOut() throws {
        let scratch = TemporaryDirectory()
        scratch.write("#EXTM3U\n", to: "master.m3u8")
        let server = try #require(
            ServeProcess(["--local", scratch.path], descriptors: 200))
        let port = try #require(
            server.address.split(separator: ":").last?.split(separator: "/").first)
        let script = """
            import os, socket
            idle = []
            most = 0
            for _ in range(260):
                idle.append(socket.create_connection(("127.0.0.1", \(port)), 60))
                most = max(most, len(os.listdir("/proc/\(server.process)/fd")))
            s = socket.create_connection(("127.0.0.1", \(port)), 60)
            s.sendall(b"GET /master.m3u8 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
            print(s.recv(15), most < 190)
            """
        let client = run("python3", ["-c", script])
        #expect(client.text == "b'HTTP/1.1 200 OK' True\n", "\(client.stderr)")
    }
}
