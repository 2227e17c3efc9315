import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

/// The model's reading options hold for every source that has none of its own.
@Suite struct ReadingOptionsTests {
    /// A letter that each charset reads as another one.
    private let bytes = Array("1\n00:00:00,000 --> 00:00:09,000\n".utf8) + [0xE5, 0x0A]

    private func options(_ charset: String) -> Media.Options {
        var options = Media.Options()
        options.charset = charset
        return options
    }

    private func model() -> SubtitleModel {
        var options = SubtitleModel.Options()
        options.media = self.options("CP1251")
        return SubtitleModel(options: options)
    }

    /// The text on screen of the first subtitle of a source.
    private func shown(_ source: any SubtitleDataSource) throws -> [String] {
        let model = model()
        let infos = try model.addSubtitles(of: source)
        let info: SubtitleInfo = try #require(infos.first)
        model.selectedSubtitleInfo = info
        return model.texts(at: .seconds(1))
    }

    @Test func everySourceReadsAsTheModelSays() throws {
        let folder = TemporaryDirectory()
        let path = folder.write(bytes, to: "film.en.srt")
        let input = MediaInput.file(path)
        let download = SubtitleContent(bytes: bytes, name: "film.srt")
        let listed = SubtitleInfo(
            id: "d", name: "d", source: "service", origin: .deferred(key: "d"))
        let sources: [any SubtitleDataSource] = [
            EmbeddedSubtitles(of: input), FileSubtitles(input),
            DirectorySubtitles(of: folder / "film.mkv"),
            URLSubtitles([URLSubtitles.Item(url: "file://\(path)")]),
            TestSource("service", listed: .success([listed]), fetched: .success(download)),
        ]
        for source in sources {
            #expect(try shown(source) == ["е"], "\(source.name)")
        }
        let model = model()
        model.selectedSubtitleInfo = SubtitleInfo(
            id: "i", name: "i", origin: .file(input, stream: nil))
        #expect(model.texts(at: .seconds(1)) == ["е"])
    }

    @Test func optionsOfASourceCountBeforeTheModels() throws {
        let folder = TemporaryDirectory()
        let path = folder.write(bytes, to: "film.en.srt")
        let own = options("ISO-8859-1")
        #expect(try shown(FileSubtitles(.file(path), options: own)) == ["å"])
        #expect(try shown(EmbeddedSubtitles(of: .file(path), options: own)) == ["å"])
        #expect(
            try shown(DirectorySubtitles(of: folder / "film.mkv", options: own)) == ["å"])
        // The options of a source for one file precede both.
        #expect(try shown(FileSubtitles(.file(path), charset: "CP1251", options: own)) == ["е"])
    }

    /// Sources hear of them when they list and when they fetch.
    @Test func sourcesReceiveTheOptionsOfTheModel() throws {
        let listed = SubtitleInfo(
            id: "d", name: "d", source: "service", origin: .deferred(key: "d"))
        let source = TestSource(
            "service", listed: .success([listed]),
            fetched: .success(SubtitleContent(bytes: bytes, name: "film.srt")))
        #expect(try shown(source) == ["е"])
        #expect(source.calls["charset CP1251"] == 2)
        let model = model()
        try model.addSubtitles(of: source)
        model.searchSubtitle(query: "words")
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(source.calls["search"] == 1 && source.calls["charset CP1251"] == 4)
    }
}
