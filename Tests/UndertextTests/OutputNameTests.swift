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

    /// The services that are known depend on the selection, so a number would, too.
    @Test func servicesHaveNamesRatherThanNumbers() {
        func service(_ index: Int, _ name: String, _ language: String?, of carrier: Int?)
            -> StreamDescription
        {
            var stream = stream(index, language)
            stream.service = name
            stream.carrier = carrier
            return stream
        }
        let streams = [
            service(1, "page888", "de", of: nil), service(5, "page150", "de", of: 1),
            service(6, "CC1", "en", of: 0), service(7, "SERVICE2", "en", of: 0),
            service(8, "CC1", nil, of: 2), service(9, "CC1", "en", of: 3),
        ]
        func names(_ streams: [StreamDescription]) -> [String] {
            streams.map(OutputNames(stem: "m", streams: streams, forcedOnly: false).base)
        }
        #expect(
            names(streams) == [
                "m.de", "m.page150.de", "m.cc1.en", "m.service2.en", "m.cc1.und", "m.2.cc1.en",
            ])
        #expect(names([streams[0], streams[3]]) == ["m.de", "m.service2.en"])
    }

    /// Messages name tracks so that two of one language differ.
    @Test func labelsHaveServiceAndFlags() {
        #expect(stream(3, "en").label == "3 (en, subrip)")
        #expect(
            stream(4, nil, [.forced, .hearingImpaired]).label == "4 (und, subrip, forced, SDH)")
        #expect(stream(5, "en", [.default, .comment]).label == "5 (en, subrip, commentary)")
        var teletext = StreamDescription(index: 6, kind: .text, codec: .teletext, language: "de")
        teletext.service = "page150"
        #expect(teletext.label == "6 (de, dvb_teletext, page150)")
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
