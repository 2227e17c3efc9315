import Testing
import UndertextCore

@testable import Undertext

@Suite struct OutputNameTests {
    func stream(_ index: Int, _ language: String?, _ disposition: Disposition = [])
        -> StreamDescription
    {
        StreamDescription(
            index: index, kind: .text, codec: .subRip, language: language.flatMap(LanguageTag.init),
            disposition: disposition)
    }

    @Test func numbersCountEqualTracksOfTheWholeInput() {
        let streams = [
            stream(1, "eng"), stream(2, "en"), stream(3, "en", .forced), stream(4, "de"),
            stream(5, "en", [.forced, .hearingImpaired]), stream(6, nil), stream(7, "en"),
        ]
        let names = OutputNames(stem: "m", streams: streams, forcedOnly: false)
        #expect(
            streams.map(names.base) == [
                "m.en", "m.2.en", "m.en.forced", "m.de", "m.en.forced.sdh", "m.und", "m.3.en",
            ])
    }

    @Test func forcedOnlyMarksEveryName() {
        let streams = [stream(1, "en"), stream(2, "en", .forced)]
        let names = OutputNames(stem: "m", streams: streams, forcedOnly: true)
        #expect(streams.map(names.base) == ["m.en.forced", "m.2.en.forced"])
    }

    @Test(arguments: [
        ("movie.mkv", "movie", "."), ("/a/b/my.movie.mkv", "my.movie", "/a/b"),
        ("/x.mkv", "x", "/"), (".hidden", ".hidden", "."), ("dir/noext", "noext", "dir"),
        ("http:x.mkv", "http:x", "."), ("-", "stdin", "."),
        ("https://host/a/b.c.mp4?x=1.2#y", "b.c", "."), ("https://host", "subtitles", "."),
    ])
    func stems(_ argument: String, _ stem: String, _ directory: String) {
        let input = MediaInput(argument: argument)
        #expect(input.stem == stem)
        #expect(input.defaultDirectory == directory)
    }

    @Test func onlySchemeSlashSlashIsAnURL() {
        #expect(MediaInput(argument: "http:x.mkv") == .file("http:x.mkv"))
        #expect(MediaInput(argument: "1http://x") == .file("1http://x"))
        #expect(MediaInput(argument: "https://x/y") == .url("https://x/y"))
    }
}
