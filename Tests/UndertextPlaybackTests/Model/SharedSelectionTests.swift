import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

/// A player's media and the model have one selection.
@Suite struct SharedSelectionTests {
    private let folder = TemporaryDirectory()

    /// Two qualities, each with subtitles of its own group in two languages, without a media clock.
    private func presentation() -> String {
        let renditions = ["a", "b"].flatMap { group in
            ["en", "de"].map { language in
                let name = "\(group)-\(language)"
                folder.write(
                    "WEBVTT\n\n00:01.000 --> 00:05.000\n\(name)\n", to: "\(name).vtt")
                folder.write(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n\(name).vtt\n#EXT-X-ENDLIST\n",
                    to: "\(name).m3u8")
                return """
                    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="\(group)",NAME="\(language)",\
                    LANGUAGE="\(language)",URI="\(name).m3u8"\n
                    """
            }
        }
        for name in ["low", "high"] {
            folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n\(name).ts\n#EXT-X-ENDLIST\n",
                to: "\(name).m3u8")
        }
        return folder.write(
            "#EXTM3U\n" + renditions.joined() + """
                #EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,SUBTITLES="a"
                low.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=9000,RESOLUTION=1920x1080,SUBTITLES="b"
                high.m3u8

                """, to: "master.m3u8")
    }

    @Test func mediaAndModelFollowEachOther() throws {
        let media = try Media(presentation())
        let model = SubtitleModel()
        try media.select(text: .language("en"))
        try model.addSubtitles(of: EmbeddedSubtitles(of: media))
        // An earlier selection of the media.
        #expect(model.selectedSubtitleInfo?.language == "en")
        #expect(model.texts(at: .seconds(2)) == ["a-en"])
        // A later selection of the media.
        try media.select(text: .language("de"))
        #expect(model.selectedSubtitleInfo?.language == "de")
        #expect(model.texts(at: .seconds(2)) == ["a-de"])
        // Another quality, whose subtitles are others.
        try media.setTargetBandwidth(9000)
        #expect(model.selectedSubtitleInfo?.language == "de")
        #expect(model.texts(at: .seconds(2)) == ["b-de"])
        // Selections of the model: explicit, by a rule, none.
        model.selectedSubtitleInfo = model.subtitleInfos.first { $0.language == "en" }
        #expect(media.content.currentTextStream?.language == "en")
        #expect(model.texts(at: .seconds(2)) == ["b-en"])
        model.select(language: "de")
        #expect(media.content.currentTextStream?.language == "de")
        #expect(media.content.currentVideoStream?.currentTrack?.height == 1080)
        model.selectedSubtitleInfo = nil
        #expect(media.content.currentTextStream == nil)
        // Off for the media is off for the model.
        try media.select(text: .language("en"))
        try media.select(text: .off)
        #expect(model.selectedSubtitleInfo == nil)
        #expect(model.texts(at: .seconds(2)) == [])
    }

    /// Subtitles of other sources are none of the media's, which leave them alone; the second place is the model's.
    @Test func otherSubtitlesAreTheModelsOwn() throws {
        let media = try Media(presentation())
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("file", language: "fr"))
        model.select(language: "en")
        try model.addSubtitles(of: EmbeddedSubtitles(of: media))
        #expect(media.content.currentTextStream?.language == "en", "the rule of the model")
        model.secondSubtitleInfo = model.subtitleInfos.first { $0.language == "de" }
        #expect(media.content.currentTextStream?.language == "en")
        model.selectedSubtitleInfo = model.subtitleInfos.first { $0.id == "file" }
        #expect(media.content.currentTextStream == nil)
        try media.setTargetBandwidth(9000)
        #expect(model.selectedSubtitleInfo?.id == "file")
        #expect(model.texts(at: .seconds(2), second: true) == ["b-de"])
        // Media without a model keep their selection.
        model.removeAll()
        try media.select(text: .language("de"))
        #expect(model.selectedSubtitleInfo == nil)
        #expect(media.content.currentTextStream?.language == "de")
    }

    /// The content of a file takes time to determine; an earlier selection applies to it.
    @Test func filesAreSelectedBeforeTheyAreDescribed() throws {
        let media = try Media(fixture("containers/movie.mkv"))
        let model = SubtitleModel()
        try model.addSubtitles(of: EmbeddedSubtitles(of: media))
        let info = try #require(model.subtitleInfos.last { $0.error == nil })
        model.selectedSubtitleInfo = info
        guard case .embedded(_, let stream) = info.origin else {
            Issue.record("no track: \(info)")
            return
        }
        #expect(media.content.currentTextStreamID == stream)
    }
}
