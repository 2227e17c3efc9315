import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct SubtitleModelTests {
    @Test func shownAndReported() {
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("a"))
        #expect(!model.subtitle(currentTime: .seconds(0)))
        #expect(model.parts.isEmpty)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        #expect(model.waitUntilReady(timeout: .patience))
        // It arrived between two calls: the next call reports it.
        #expect(model.parts.map(\.text?.plainText) == ["a 0"])
        #expect(model.subtitle(currentTime: .milliseconds(10)))
        #expect(!model.subtitle(currentTime: .milliseconds(20)))
        #expect(model.subtitle(currentTime: .seconds(1)))
        #expect(model.parts.isEmpty)
        #expect(!model.subtitle(currentTime: .milliseconds(1500)))
        #expect(model.subtitle(currentTime: .seconds(2)))
        #expect(model.parts.first?.start == .seconds(2))
        #expect(model.parts.first?.end == .seconds(3))
        model.selectedSubtitleInfo = nil
        #expect(model.parts.isEmpty)
        #expect(model.subtitle(currentTime: .seconds(2)))
        #expect(!model.subtitle(currentTime: .seconds(2)))
    }

    @Test func delaysAddUp() throws {
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("a"))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        #expect(model.texts(at: .seconds(4)) == ["a 4"])
        model.subtitleDelay = .seconds(1)
        #expect(model.parts.isEmpty, "it changes what is shown at once")
        #expect(model.texts(at: .seconds(5)) == ["a 4"])
        #expect(model.parts.first?.start == .seconds(5))
        #expect(model.parts.first?.cue.start == .seconds(4))
        try model.setDelay(.milliseconds(500), for: model.info("a"))
        #expect(model.texts(at: .milliseconds(5499)) == [])
        #expect(model.texts(at: .milliseconds(5500)) == ["a 4"])
        model.setDelay(.milliseconds(-1500), forSource: "application")
        #expect(model.texts(at: .seconds(4)) == ["a 4"])
        #expect(model.loadedTrack?.delay == .zero)
        model.setDelay(.zero, forSource: "another")
        model.subtitleDelay = .seconds(-3)
        #expect(model.texts(at: .seconds(0)) == ["a 4"])
        #expect(model.nextChange(after: .zero) == .seconds(1))
        #expect(model.loadedTrack?.shownTime(of: .seconds(4)) == .zero)
        #expect(model.loadedTrack?.storedTime(at: .zero) == .seconds(4))
    }

    @Test func twoAtOnce() {
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("a"))
        model.addSubtitle(info: documentInfo("b"))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        model.secondSubtitleInfo = model.subtitleInfos.last
        #expect(model.texts(at: .seconds(6)) == ["a 6"])
        #expect(model.texts(at: .seconds(6), second: true) == ["b 6"])
        #expect(model.subtitleInfos.map(\.isEnabled) == [true, true])
        model.selectedSubtitleInfo = nil
        #expect(model.texts(at: .seconds(6)) == [])
        #expect(model.texts(at: .seconds(6), second: true) == ["b 6"])
        // The same twice is read once.
        model.selectedSubtitleInfo = model.subtitleInfos.last
        #expect(model.texts(at: .seconds(8)) == ["b 8"])
        #expect(model.loadedTrack?.generation == model.secondLoadedTrack?.generation)
        model.secondSubtitleInfo = nil
        #expect(model.texts(at: .seconds(8)) == ["b 8"])
        #expect(model.secondLoadedTrack == nil)
    }

    @Test func nextChanges() {
        let model = SubtitleModel()
        #expect(model.nextChange(after: .zero) == nil)
        model.addSubtitle(info: documentInfo("a", count: 3))
        var later = documentInfo("b", count: 3)
        later.delay = .milliseconds(300)
        model.addSubtitle(info: later)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        model.secondSubtitleInfo = model.subtitleInfos.last
        #expect(model.waitUntilReady(timeout: .patience))
        var times: [Int64] = []
        var time: Timestamp? = .seconds(-10)
        while let now = time {
            time = model.nextChange(after: now)
            if let time { times.append(time.roundedMilliseconds) }
        }
        #expect(times == [0, 300, 1000, 1300, 2000, 2300, 3000, 3300, 4000, 4300, 5000, 5300])
    }

    @Test func replacedAndRemoved() throws {
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("a"))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        #expect(model.texts(at: .seconds(0)) == ["a 0"])
        // A selected subtitle is loaded again when it is replaced.
        let other = SubtitleInfo(
            id: "a", name: "other", origin: .document(documentOfSeconds("new")))
        model.addSubtitle(info: other)
        #expect(model.subtitleInfos.map(\.name) == ["other"])
        #expect(model.texts(at: .seconds(0)) == ["new 0"])
        try model.removeSubtitle(info: model.info("a"))
        #expect(model.subtitleInfos.isEmpty)
        #expect(model.selectedSubtitleInfo == nil)
        #expect(model.texts(at: .seconds(0)) == [])
        // A selected subtitle that is not in the list is added.
        model.selectedSubtitleInfo = documentInfo("c")
        #expect(model.subtitleInfos.map(\.id) == ["c"])
        #expect(model.texts(at: .seconds(0)) == ["c 0"])
        model.removeAll()
        #expect(model.subtitleInfos.isEmpty && model.parts.isEmpty)
    }

    @Test func argumentsOfARenderer() throws {
        let model = SubtitleModel()
        #expect(model.loadedTrack == nil)
        try model.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
        let script = try #require(model.subtitleInfos.first { $0.codec == .ass })
        model.selectedSubtitleInfo = script
        #expect(model.waitUntilComplete())
        let track = try #require(model.loadedTrack)
        let header = try #require(track.assHeader)
        #expect(String(decoding: header, as: UTF8.self).contains("[V4+ Styles]"))
        #expect(track.fonts.map(\.name) == ["Undertext Blocks.ttf"])
        #expect(try track.fonts.first?.bytes == fixtureBytes("subtitles/blocks.ttf"))
        #expect(track.canvas != nil)
        #expect(track.cues.contains { if case .ass = $0.source { true } else { false } })
        #expect(track.isComplete)
        let expected = try Media(fixture("containers/movie.mkv"))
            .subtitleTrack(id: script.streamIndex).document()
        #expect(track.cues == expected.cues)
        #expect(track.header == expected.header)
        // Fonts are for scripts.
        model.selectedSubtitleInfo = model.subtitleInfos.first { $0.codec == .subRip }
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.loadedTrack?.fonts.isEmpty == true)
        #expect(model.loadedTrack?.assHeader == nil)
    }
}

extension SubtitleInfo {
    /// The stream of an embedded track.
    var streamIndex: Int {
        if case .embedded(_, let stream) = origin { stream } else { -1 }
    }
}
