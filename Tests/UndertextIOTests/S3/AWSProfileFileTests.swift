import TestSupport
import Testing
import UndertextCore
import UndertextIO

/// The shared files of the AWS tools, also damaged and hostile ones.
@Suite struct AWSProfileFileTests {
    private static let example = """
        # a comment
        [default]
        aws_access_key_id = AKID=1
        aws_secret_access_key=abc/+=
        \t
        [profile  films]
        region = eu-central-1
        s3 =
            addressing_style = virtual
            ; a comment
            max_queue_size = 10
        output = json
          continued
        [services local]
        s3 =
          endpoint_url = http://127.0.0.1:9000
        """

    private func error(_ text: String) -> UndertextError? {
        #expect(throws: UndertextError.self) {
            try AWSProfileFile(Array(text.utf8), path: "credentials")
        }
    }

    @Test(arguments: ["\n", "\r\n"]) func settingsAreRead(_ end: String) throws {
        let text = "\u{FEFF}" + Self.example.replacing("\n", with: end)
        let file = try AWSProfileFile(Array(text.utf8), path: "config")
        #expect(file.section("default")?["aws_access_key_id"]?.value == "AKID=1")
        #expect(file.section("default")?["aws_secret_access_key"]?.value == "abc/+=")
        let profile = try #require(file.section("profile films"))
        #expect(profile["region"]?.line == 7)
        #expect(profile["s3.addressing_style"]?.value == "virtual")
        #expect(profile["output"]?.value == "json")
        #expect(profile.count == 5)
        #expect(
            file.section("services local")?["s3.endpoint_url"]?.value == "http://127.0.0.1:9000")
        #expect(file.section("films") == nil)
    }

    @Test(arguments: [
        ("aws_access_key_id = x", "line 1 precedes"), ("[default\nx = y", "line 1 lacks"),
        ("[a]\n\nsecretvalue\n", "line 3 is neither"), ("[]\n", "line 1 has a section"),
        ("[a]\n= secretvalue", "line 2 has a value"),
        ("[a]\nk = secret\0value", "line 2 has bytes"),
    ])
    func damageIsReportedWithItsLine(_ text: String, _ message: String) {
        let error = error(text)
        #expect(error?.code == .malformed)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("secret") == false)
    }

    @Test func truncationAndMutationsNeverTrap() {
        let bytes = Array(Self.example.utf8)
        for count in bytes.indices { _ = try? AWSProfileFile(Array(bytes[..<count]), path: "c") }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = .random(in: 0...255)
            }
            do throws(UndertextError) {
                _ = try AWSProfileFile(damaged, path: "c")
            } catch {
                #expect(error.code == .malformed)
                #expect(error.message.hasPrefix("line "))
            }
        }
    }

    @Test func secretsAreNotDumped() throws {
        let file = try AWSProfileFile(
            Array("[a]\naws_secret_access_key = verysecret".utf8), path: "c")
        var text = ""
        dump(file, to: &text)
        #expect(!text.contains("verysecret"))
    }
}
