import TestSupport
import Testing
import UndertextCore

@testable import UndertextServer

@Suite struct LocalFolderTests {
    private static func bytes(_ answer: ServerAnswer) throws -> [UInt8] {
        switch answer.body {
        case .bytes(let bytes): return bytes
        case .source(let source, let range):
            return try source.read(
                at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
        }
    }

    private static func folder() -> (TemporaryDirectory, String) {
        let scratch = TemporaryDirectory()
        scratch.write("secret", to: "outside")
        run("mkdir", ["-p", scratch / "site/sub", scratch / "site/.git"])
        scratch.write("#EXTM3U\n", to: "site/master.m3u8")
        scratch.write("0123456789", to: "site/sub/a.ts")
        scratch.write("hidden", to: "site/.git/config")
        scratch.write("", to: "site/empty.vtt")
        run("ln", ["-s", "../outside", scratch / "site/link"])
        run("ln", ["-s", "..", scratch / "site/up"])
        run("ln", ["-s", "sub/a.ts", scratch / "site/inner.ts"])
        run("mkfifo", [scratch / "site/pipe"])
        return (scratch, scratch / "site")
    }

    @discardableResult
    private static func run(_ tool: String, _ arguments: [String]) -> Int32 {
        TestSupport.run(tool, arguments).status
    }

    @Test func filesOnly() throws {
        let (scratch, folder) = Self.folder()
        defer { withExtendedLifetime(scratch) {} }
        let site = try LocalFolderSite(folder)
        let master = site.answer(ServerRequest("GET", "/master.m3u8"))
        #expect(master.status == 200)
        #expect(master["Content-Type"] == "application/vnd.apple.mpegurl")
        #expect(try Self.bytes(master) == Array("#EXTM3U\n".utf8))
        #expect(site.answer(ServerRequest("GET", "/sub/a.ts"))["Content-Type"] == "video/mp2t")
        #expect(site.answer(ServerRequest("GET", "/inner.ts")).status == 200)
        #expect(site.answer(ServerRequest("GET", "/empty.vtt")).status == 200)
        for target in [
            "/", "/sub", "/sub/", "/none", "/link", "/up/outside", "/../outside", "/%2e%2e/outside",
            "/.git/config", "/sub/../master.m3u8", "/pipe", "/sub/a.ts/x",
            "/" + String(repeating: "x", count: 5000),
        ] {
            #expect(site.answer(ServerRequest("GET", target)).status == 404, "\(target)")
        }
        #expect(throws: UndertextError.self) { try LocalFolderSite(scratch / "none") }
        #expect(throws: UndertextError.self) { try LocalFolderSite(scratch / "outside") }
    }

    @Test(
        arguments: [
            ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=8-", 206, "89", "bytes 8-9/10"),
            ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("bytes=-3", 206, "789", "bytes 7-9/10"),
            ("bytes=-99", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, nil, "bytes */10"),
            ("bytes=-0", 416, nil, "bytes */10"), ("bytes=5-3", 200, "0123456789", nil),
            ("bytes=0-1,3-4", 200, "0123456789", nil), ("bytes=", 200, "0123456789", nil),
            ("bytes=-", 200, "0123456789", nil), ("lines=0-1", 200, "0123456789", nil),
            ("bytes=99999999999999999999-", 200, "0123456789", nil),
            ("bytes=0-18446744073709551615", 206, "0123456789", "bytes 0-9/10"),
        ] as [(String, Int, String?, String?)])
    func ranges(_ range: String, _ status: Int, _ body: String?, _ reported: String?) throws {
        let (scratch, folder) = Self.folder()
        defer { withExtendedLifetime(scratch) {} }
        let answer = try LocalFolderSite(folder).answer(
            ServerRequest("GET", "/sub/a.ts", range: range))
        #expect(answer.status == status)
        #expect(answer["Content-Range"] == reported)
        if let body { #expect(try Self.bytes(answer) == Array(body.utf8)) }
    }
}
