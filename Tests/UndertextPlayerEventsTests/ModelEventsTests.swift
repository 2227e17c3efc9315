import Testing
import Undertext
import UndertextCore
import UndertextIO
import UndertextPlayback
import UndertextPlayerEvents

/// The events that come from the subtitle model.
@Suite struct ModelEventsTests {
    private func document(_ text: String) -> SubtitleOrigin {
        let cue = Cue(
            order: 0, start: .seconds(1), end: .seconds(2), content: .text(StyledText(text)))
        return .document(
            SubtitleDocument(header: SubtitleHeader(codec: .subRip), cues: [cue]))
    }

    /// The events of some kinds as lines, for which a test can wait: loaders report on their own threads.
    private final class Lines: Sendable {
        private let lines = Monitor<[String]>([])

        func add(_ events: [PlayerEvent]) {
            lines.with { $0 += events.map(Self.line) }
            lines.wakeAll(.consumers)
        }

        /// Waits until a line has arrived `times` times.
        func wait(for line: String, times: Int = 1) {
            let isThere: Bool? = lines.wait(.consumers, timeout: .seconds(120)) { lines in
                lines.count { $0 == line } >= times ? true : nil
            }
            if isThere == nil { Issue.record("not told: \(line), but \(all)") }
        }

        var all: [String] { lines.with { $0 } }

        private static func line(_ event: PlayerEvent) -> String {
            switch event {
            case .subtitles(let info, let place): "subtitles \(place) \(info?.id ?? "none")"
            case .cues(let cues, let place): "cues \(place) \(cues.compactMap(\.plainText))"
            case .failed(let error): "failed \(error.code.name)"
            default: "\(event)"
            }
        }
    }

    @Test func selectionAndCuesAreEvents() {
        let model = SubtitleModel()
        let events = PlayerEvents(model: model)
        #expect(Set(events.current.map(\.kind)) == [.subtitles, .cues])
        let lines = Lines()
        let observation = events.observe([.subtitles, .cues]) { lines.add($0) }
        model.select(SubtitleInfo(id: "a", name: "a", origin: document("hello")))
        model.select(SubtitleInfo(id: "b", name: "b", origin: document("hallo")), at: .second)
        lines.wait(for: "subtitles second b")
        _ = model.subtitle(currentTime: .milliseconds(1500))
        lines.wait(for: "cues first [\"hello\"]")
        lines.wait(for: "cues second [\"hallo\"]")
        _ = model.subtitle(currentTime: .milliseconds(1600))
        _ = model.subtitle(currentTime: .seconds(3))
        lines.wait(for: "cues first []")
        lines.wait(for: "cues second []")
        model.selectedSubtitleInfo = nil
        lines.wait(for: "subtitles first none")
        #expect(lines.all.count == 7)
        #expect(
            lines.all.filter { $0.hasPrefix("subtitles first") } == [
                "subtitles first a", "subtitles first none",
            ])
        withExtendedLifetime(observation) {}
    }

    /// A failure is reported once, with its type, and again if it recurs.
    @Test func failuresAreTyped() {
        let model = SubtitleModel()
        let events = PlayerEvents(model: model)
        let missing = SubtitleInfo(
            id: "m", name: "m", origin: .file(.file("/nowhere/missing.srt"), stream: nil))
        let lines = Lines()
        let observation = events.observe([.failed]) { lines.add($0) }
        for times in 1...2 {
            model.select(missing)
            lines.wait(for: "failed not-found", times: times)
            _ = model.subtitle(currentTime: .seconds(Int64(times)))
            model.selectedSubtitleInfo = nil
        }
        #expect(lines.all.count == 2)
        withExtendedLifetime(observation) {}
    }

    @Test func failuresOfSourcesAreEvents() {
        final class Failing: SubtitleDataSource {
            let name = "service"
            func subtitles(
                options: Media.Options, cancellation: Cancellation
            ) throws(UndertextError) -> [SubtitleInfo] {
                throw UndertextError(.quotaExceeded, "no more today")
            }
        }
        let model = SubtitleModel()
        let events = PlayerEvents(model: model)
        let source = Failing()
        let lines = Lines()
        let observation = events.observe([.failed]) { lines.add($0) }
        model.addSubtitle(dataSource: source)
        lines.wait(for: "failed quota-exceeded")
        #expect(lines.all.count == 1)
        withExtendedLifetime(observation) {}
    }
}
