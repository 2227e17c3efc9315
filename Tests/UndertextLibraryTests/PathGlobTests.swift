import Testing
import UndertextLibrary

/// Patterns match as those of fnmatch, and `**` stands for folders.
@Suite struct PathGlobTests {
    @Test(arguments: [
        ("*.mkv", "a.mkv", true), ("*.mkv", "x/y/a.mkv", true), ("*.mkv", "a.mkv.part", false),
        ("?.mkv", "é.mkv", true), ("?.mkv", "ab.mkv", false), ("a*b*c", "aXbYbZc", true),
        ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[]]", "]", true), ("[a", "[a", true),
        ("\\*", "*", true), ("\\*", "a", false), ("Films/*.mkv", "Films/a.mkv", true),
        ("Films/*.mkv", "Films/x/a.mkv", false), ("Films/**/*.mkv", "Films/a.mkv", true),
        ("Films/**/*.mkv", "Films/x/y/a.mkv", true), ("**/Extras/**", "a/Extras", true),
        ("**/Extras/**", "a/Extras/b/c.mkv", true), ("Extras/**", "a/Extras/b", false),
        ("**", "a/b", true), ("", "a", false),
    ])
    func matches(_ pattern: String, _ path: String, _ expected: Bool) {
        #expect(PathGlob(pattern).matches(path) == expected, "\(pattern) \(path)")
    }

    /// Many stars take no time that grows beyond the product of both lengths.
    @Test func endsSoon() {
        let name = String(repeating: "a", count: 5000)
        let pattern = String(repeating: "*a", count: 200) + "b"
        #expect(!PathGlob(pattern).matches(name))
        let folders = String(repeating: "a/", count: 2000) + "c"
        #expect(!PathGlob(String(repeating: "**/a/", count: 100) + "b").matches(folders))
    }
}
