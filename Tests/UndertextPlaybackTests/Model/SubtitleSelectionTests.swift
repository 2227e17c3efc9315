import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct SubtitleSelectionTests {
    private func model(_ infos: [SubtitleInfo]) -> SubtitleModel {
        let model = SubtitleModel()
        for info in infos { model.addSubtitle(info: info) }
        return model
    }

    @Test func byLanguage() {
        let model = model([
            documentInfo("de", language: "de"),
            documentInfo("sdh", language: "en", disposition: .hearingImpaired),
            documentInfo("en", language: "en"),
        ])
        #expect(model.select(language: "en")?.id == "en")
        #expect(model.selectedSubtitleInfo?.id == "en")
        #expect(model.select(language: "ger")?.id == "de")
        #expect(model.select(language: "fr") == nil)
        #expect(model.selectedSubtitleInfo == nil)
        #expect(model.select(language: "de")?.id == "de")
        #expect(model.select(language: nil) == nil)
        #expect(model.selectedSubtitleInfo == nil)
        #expect(model.select(language: "de")?.id == "de")
        #expect(model.select(language: "not a language!") == nil)
    }

    @Test func aRuleHoldsUntilSomebodyChooses() throws {
        let model = SubtitleModel()
        model.select(language: "en")
        #expect(model.selectedSubtitleInfo == nil)
        model.addSubtitle(info: documentInfo("sdh", language: "en", disposition: .hearingImpaired))
        #expect(model.selectedSubtitleInfo?.id == "sdh")
        model.addSubtitle(info: documentInfo("full", language: "en"))
        #expect(model.selectedSubtitleInfo?.id == "full", "the better one comes later")
        model.selectedSubtitleInfo = try model.info("sdh")
        model.addSubtitle(info: documentInfo("default", language: "en", disposition: .default))
        #expect(model.selectedSubtitleInfo?.id == "sdh", "a viewer's choice stays")
    }

    @Test func theSecondPlaceTakesAnotherOne() {
        let model = model([documentInfo("en", language: "en"), documentInfo("de", language: "de")])
        model.select(preferring: SubtitlePreference(languages: []))
        model.select(preferring: SubtitlePreference(languages: []), at: .second)
        #expect(model.selectedSubtitleInfo?.id == "en")
        #expect(model.secondSubtitleInfo?.id == "de")
    }

    @Test func downloadsAreNeverChosenByARule() {
        let model = model([
            SubtitleInfo(
                id: "web", name: "web", language: LanguageTag("en"), origin: .deferred(key: "1"))
        ])
        #expect(model.select(language: "en") == nil)
    }

    @Test func unreadableEntriesAreSkipped() {
        let model = model([
            SubtitleInfo(
                id: "gone", name: "gone", language: LanguageTag("en"),
                origin: .file(.file("/nowhere/gone.srt"), stream: nil)),
            documentInfo("sdh", language: "en", disposition: .hearingImpaired),
        ])
        model.select(language: "en")
        #expect(model.texts(at: .seconds(0)) == ["sdh 0"])
        #expect(model.selectedSubtitleInfo?.id == "sdh")
        #expect(model.subtitleInfos.first?.error?.code == .notFound)
    }

    @Test func forcedTrackWhileOff() {
        let model = model([
            documentInfo("en", language: "en"),
            documentInfo("forced", language: "en", disposition: .forced),
            documentInfo("de", language: "de", disposition: .forced),
        ])
        let off = SubtitlePreference(languages: nil, showsForcedWhenOff: true)
        #expect(model.select(preferring: off, audioLanguage: LanguageTag("en")) == nil)
        #expect(model.selectedSubtitleInfo == nil, "nothing counts as chosen")
        #expect(model.loadedTrack?.info.id == "forced")
        #expect(model.texts(at: .seconds(0)) == ["forced 0"])
        model.select(preferring: off, audioLanguage: LanguageTag("fr"))
        #expect(model.loadedTrack == nil)
        model.select(
            preferring: SubtitlePreference(languages: nil), audioLanguage: LanguageTag("en"))
        #expect(model.loadedTrack == nil)
    }

    @Test func forcedImagesOfAWholeTrackWhileOff() throws {
        let model = SubtitleModel()
        try model.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
        let images = try #require(model.subtitleInfos.first { $0.codec == .pgs })
        // Only the images are left to choose from.
        for info in model.subtitleInfos where info.id != images.id {
            model.removeSubtitle(info: info)
        }
        let off = SubtitlePreference(languages: nil, showsForcedWhenOff: true)
        model.select(preferring: off, audioLanguage: images.language)
        #expect(model.selectedSubtitleInfo == nil)
        var shown: [Int64] = []
        for tenth in 0..<Int64(200) {
            _ = model.subtitle(currentTime: .milliseconds(tenth * 100))
            #expect(model.waitUntilReady(timeout: .patience))
            if !model.parts.isEmpty { shown.append(tenth) }
            #expect(model.parts.allSatisfy { $0.cue.isForced })
        }
        // NO ENTRY from 3.5 to 5.8 s, Keep out! from 8.5 to 11.5 s.
        #expect(shown == Array(35..<58) + Array(85..<115))
        #expect(model.waitUntilComplete())
        #expect(model.loadedTrack?.cues.count == 2)
    }

    /// Another thread may have taken everything out meanwhile.
    @Test func byIdentity() {
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("a"))
        model.addSubtitle(info: documentInfo("b"))
        #expect(model.select(id: "b"))
        #expect(model.select(id: "a", at: .second))
        #expect(model.subtitleEntries.map(\.info.id) == ["a", "b"])
        #expect(model.subtitleEntries.map(\.place) == [.second, .first])
        #expect(model.subtitleEntries.map(\.isSecond) == [true, false])
        #expect(model.select(id: "b", at: .second))
        #expect(model.subtitleEntries.map(\.place) == [nil, .first])
        #expect(model.subtitleEntries.map(\.isSecond) == [false, true])
        #expect(!model.select(id: "c"))
        #expect(model.selectedSubtitleInfo?.id == "b")
        model.removeAll()
        #expect(!model.select(id: "b"))
        #expect(model.subtitleEntries.isEmpty && model.selectedSubtitleInfo == nil)
    }
}
