import Testing

@testable import UndertextCLI

/// The reader of ffmpeg's command lines.
@Suite struct FFmpegArgumentsTests {
    private static func parse(_ line: String) -> FFmpegArguments? {
        FFmpegArguments(line.split(separator: " ").map(String.init))
    }

    @Test func optionsBelongToTheNextFile() throws {
        let line =
            "-i file:a.mkv -copyts -map 0:3 -an -vn -c:s copy x.srt -map 0:s:1 -f webvtt - -y -stats -v quiet"
        let command = try #require(Self.parse(line))
        #expect(command.input == "a.mkv" && command.copiesTimestamps && command.replaces)
        #expect(command.statistics == true && command.logLevel == -8)
        #expect(
            command.outputs == [
                .init(
                    target: .file("x.srt"), format: .srt, stream: .index(3), encoder: .copy,
                    statesEncoder: true),
                .init(target: .standardOutput, format: .webvtt, stream: .subtitle(1)),
            ])
    }

    @Test func namesOfFiles() {
        let paths: [(String, String?)] = [
            ("a.mkv", "a.mkv"), ("/a:b.mkv", "/a:b.mkv"), ("./a:b", "./a:b"), ("file:a:b", "a:b"),
            ("file:/x y", "/x y"), ("a:b.mkv", nil), ("http://x", nil), ("file:", nil), ("", nil),
            ("-", nil), ("pipe:0", nil), ("file:http://x", nil), ("subfile,,start,0,:x", nil),
        ]
        for (name, path) in paths { #expect(FFmpegArguments.localPath(name) == path, "\(name)") }
    }

    @Test func streams() {
        typealias Stream = FFmpegArguments.StreamSpecifier
        let maps: [(String, Stream?)] = [
            ("0:2", .index(2)), ("0:2?", .index(2)), ("0:s", .subtitle(nil)),
            ("0:s:0", .subtitle(0)),
            ("0:s:0?", .subtitle(0)), ("0:s:m:language:eng", .language("eng")), ("0", nil),
            ("", nil),
            ("0:", nil), ("0:s:", nil), ("0:-1", nil), ("0:+1", nil), ("0:2:", nil),
            ("0:s:m:language:", nil),
            ("0:m:language:eng", nil), ("0:999999", nil), ("0: 1", nil), ("-0:2", nil),
            ("0:a", nil),
            ("0:0x2", nil), ("0:٣", nil), ("?", nil), ("0:?", nil),
        ]
        for (map, stream) in maps { #expect(Stream(map: map) == stream, "\(map)") }
    }

    /// Lines that are cut off or changed are read, or are ffmpeg's; what is read has an input and outputs.
    @Test func damagedLines() {
        var random = SystemRandomNumberGenerator()
        var words: [String] = [
            "", "-", "--", "-y", "0:s:0", "pipe:1", "-f", "\u{0}", "-map", "é", "file:",
        ]
        for line in FFmpegCommandLines.extractions {
            words += line.text.split(separator: " ").map(String.init)
        }
        for line in FFmpegCommandLines.extractions {
            let whole = line.text.split(separator: " ").map(String.init)
            for end in whole.indices { check(Array(whole[..<end])) }
            for _ in 0..<200 {
                var changed = whole
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: changed.indices, using: &random)
                    changed[place] = words.randomElement(using: &random) ?? ""
                }
                check(changed)
            }
        }
    }

    private func check(_ words: [String]) {
        guard let command = FFmpegArguments(words) else { return }
        #expect(!command.input.isEmpty && !command.outputs.isEmpty, "\(words)")
        #expect(words.contains("-i"), "\(words)")
    }
}
