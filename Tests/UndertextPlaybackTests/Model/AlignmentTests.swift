import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextPlayback

/// Subtitles of a model that get the times of others.
@Suite struct AlignmentTests {
    /// Cues at irregular times, later by an offset.
    private func document(_ name: String, later: Duration = .zero, seed: UInt64 = 3)
        -> SubtitleDocument
    {
        var generator = SeededGenerator(seed: seed)
        var time = Timestamp.seconds(40)
        return SubtitleDocument(
            header: SubtitleHeader(codec: .subRip),
            cues: (0..<70).map { index in
                let start = time.advanced(by: later)
                let length = Duration.milliseconds(Int64.random(in: 900...3500, using: &generator))
                time = time.advanced(by: length)
                let end = time.advanced(by: later)
                time = time.advanced(
                    by: .milliseconds(
                        Int64.random(in: 60...1500, using: &generator) * (index % 9 == 8 ? 9 : 1)))
                return Cue(
                    order: index, start: start, end: end,
                    content: .text(StyledText("\(name) \(index)")))
            })
    }

    private func info(_ id: String, _ document: SubtitleDocument) -> SubtitleInfo {
        SubtitleInfo(id: id, name: id, origin: .document(document))
    }

    @Test func cuesAreShownAtTheTimesOfTheReference() async throws {
        let model = SubtitleModel()
        let right = document("right")
        let (late, reference) = (
            info("late", document("late", later: .milliseconds(7_250))), info("right", right)
        )
        model.addSubtitle(info: late)
        model.addSubtitle(info: reference)
        model.selectedSubtitleInfo = late
        let found = try await model.align(late, to: reference)
        #expect(found.segments.map(\.offset) == [.milliseconds(-7_250)])
        #expect(found.speed == 1 && found.confidence > 0.9)
        #expect(model.subtitleInfos.first?.alignment == found)
        let cue = try #require(right.cues.dropFirst(20).first)
        _ = model.subtitle(currentTime: cue.start)
        #expect(model.waitUntilReady())
        #expect(model.loadedTrack?.cues.map(\.start) == right.cues.map(\.start))
        #expect(model.parts.map(\.text?.plainText) == ["late 20"])
        // Again, with the result of the first time in place.
        let again = try await model.align(late, to: reference)
        #expect(again == found)
        model.removeAlignment(of: late)
        #expect(model.waitUntilReady())
        #expect(model.subtitleInfos.first?.alignment == nil)
        #expect(
            model.loadedTrack?.cues.first?.start
                == right.cues.first?.start.advanced(by: .milliseconds(7_250)))
    }

    @Test func filesAreReadWithTheirNewTimesAndDelaysCount() throws {
        let model = SubtitleModel()
        let right = document("right")
        guard case .text(let late) = document("late", later: .milliseconds(-3_000)) else { return }
        let bytes = late.encoded(as: .subRip).bytes
        let file = SubtitleInfo(
            id: "file", name: "file", origin: .file(.bytes(bytes, name: "late.srt"), stream: nil))
        model.addSubtitle(info: file)
        model.addSubtitle(info: info("right", right))
        // The reference is shown a second later.
        model.setDelay(.seconds(1), for: info("right", right))
        let found = try model.align(file, to: info("right", right))
        #expect(found.segments.map(\.offset) == [.seconds(4)])
        model.selectedSubtitleInfo = file
        _ = model.subtitle(currentTime: .seconds(45))
        #expect(model.waitUntilReady())
        #expect(
            model.loadedTrack?.cues.first?.start
                == right.cues.first?.start.advanced(by: .seconds(1)))
    }

    /// A video without subtitles is compared by its speech, one with subtitles by these.
    @Test func videosAreReferences() async throws {
        let model = SubtitleModel()
        let right = document("right")
        let late = info("late", document("late", later: .milliseconds(7_250)))
        model.addSubtitle(info: late)
        let folder = TemporaryDirectory()
        let film = folder.write(
            SpokenAudio.wave(right.cues.map { $0.start..<$0.end }), to: "film.wav")
        let found = try await model.align(late, to: .file(film))
        #expect(found.reference == .speech && found.confidence > 0.8)
        let offset = try #require(found.segments.first?.offset)
        #expect(abs((offset + .milliseconds(7_250)) / .milliseconds(1)) < 150, "\(found)")
        #expect(found.segments.count == 1 && model.subtitleInfos.first?.alignment == found)
        // The delay of the subtitles is added to their new times.
        model.setDelay(.seconds(2), for: late)
        let delayed = try await model.align(late, to: .file(film))
        let other = try #require(delayed.segments.first?.offset)
        #expect(abs((other + .milliseconds(9_250)) / .milliseconds(1)) < 150, "\(delayed)")
        model.setDelay(.zero, for: late)

        guard case .text(let text) = right else { return }
        let file = folder.write(text.encoded(as: .subRip).bytes, to: "film.srt")
        let again = try await model.align(late, to: .file(file))
        #expect(again.reference == .subtitles)
        #expect(again.segments.map(\.offset) == [.milliseconds(-7_250)])
        // Other speech changes nothing, and neither does a file with nothing to compare.
        let wrong = folder.write(
            SpokenAudio.wave(document("x", seed: 8).cues.map { $0.start..<$0.end }), to: "x.wav")
        let error = await #expect(throws: UndertextError.self) {
            try await model.align(late, to: .file(wrong))
        }
        #expect(error?.code == .unsupported)
        let none = folder.write("nothing", to: "none.mkv")
        await #expect(throws: UndertextError.self) { try await model.align(late, to: .file(none)) }
        #expect(model.subtitleInfos.first?.alignment == again)
    }

    @Test func whatDoesNotFitChangesNothing() throws {
        let model = SubtitleModel()
        let (one, other) = (info("one", document("one")), info("other", document("other", seed: 8)))
        model.addSubtitle(info: one)
        #expect(throws: UndertextError.self) { try model.align(one, to: other) }
        model.addSubtitle(info: other)
        let error = #expect(throws: UndertextError.self) { try model.align(one, to: other) }
        #expect(error?.code == .unsupported)
        #expect(model.subtitleInfos.allSatisfy { $0.alignment == nil })
    }
}
