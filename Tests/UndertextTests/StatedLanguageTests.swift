import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFormats

/// The language of subtitle files: what they state, what the caller says, what their name says.
@Suite struct StatedLanguageTests {
    let folder = TemporaryDirectory()
    private let subRip = "1\n00:00:01,000 --> 00:00:02,000\nhi\n\n"

    @Test(arguments: [
        ("film.en.srt", "film.en.vtt"), ("film.eng.srt", "film.en.vtt"),
        ("film.pt-BR.srt", "film.pt-BR.vtt"), ("film.en.forced.srt", "film.en.forced.vtt"),
        ("film.en.sdh.srt", "film.en.sdh.vtt"), ("film.en.hi.srt", "film.en.sdh.vtt"),
        ("film.hi.srt", "film.hi.vtt"), ("film.en.default.srt", "film.en.vtt"),
        ("film.und.srt", "film.und.vtt"),
        ("film.2.en.srt", "film.2.en.vtt"), ("a.b.de.srt", "a.b.de.vtt"),
        ("film.English.srt", "film.en.vtt"), ("film.srt", "film.und.vtt"),
        ("The.Cat.srt", "The.Cat.und.vtt"), ("en.srt", "en.und.vtt"),
        ("Toy.Story.3.srt", "Toy.Story.3.und.vtt"),
    ])
    func namesOfOutputs(_ name: String, _ expected: String) throws {
        let path = folder.write(subRip, to: name)
        let report = try Extractor().extract(path)
        #expect(report.tracks.first?.outputs.map(\.file) == [folder / expected])
    }

    @Test func documentsCarryIt() throws {
        let path = folder.write(subRip, to: "film.pt-BR.forced.srt")
        let file = try Media(path)
        let track = try #require(file.subtitleTracks.first)
        #expect(track.language?.rawValue == "pt-BR")
        #expect(track.isForced && !track.isHearingImpaired)
        let document = try Media(path).subtitleTracks[0].textDocument()
        let ttml = document.encoded(as: .ttml)
        #expect(String(decoding: ttml.bytes, as: UTF8.self).contains("xml:lang=\"pt-BR\""))
    }

    /// The file's own word, then the caller's, then the name.
    @Test func order() throws {
        func language(_ text: String, _ name: String, _ stated: String?) throws -> String? {
            var options = Media.Options()
            options.language = stated.flatMap(LanguageTag.init)
            return try Media(folder.write(text, to: name), options: options)
                .subtitleTracks.first?.language?.rawValue
        }
        #expect(try language(subRip, "a.srt", nil) == nil)
        #expect(try language(subRip, "a.srt", "fr") == "fr")
        #expect(try language(subRip, "a.en.srt", "fr") == "fr")
        #expect(try language(subRip, "a.en.srt", nil) == "en")
        let vtt = "WEBVTT\nLanguage: de\n\n00:01.000 --> 00:02.000\nhi\n"
        #expect(try language(vtt, "a.en.vtt", "fr") == "de")
    }

    @Test func aWordWithoutEffectIsReported() throws {
        var options = ExtractionOptions()
        options.reading.language = LanguageTag("fr")
        options.destination = .file(folder / "out.srt")
        options.format = FormatRequest(text: .subRip, bitmap: .subRip)
        let vtt = folder.write(
            "WEBVTT\nLanguage: de\n\n00:01.000 --> 00:02.000\nhi\n", to: "a.vtt")
        let reported = try Extractor(options: options).extract(vtt)
        #expect(reported.diagnostics.map(\.code) == ["option-ignored"])
        options.existing = .replace
        let used = try Extractor(options: options).extract(folder.write(subRip, to: "b.srt"))
        #expect(used.diagnostics.isEmpty)
        #expect(used.tracks.first?.stream.language?.rawValue == "fr")
    }
}
