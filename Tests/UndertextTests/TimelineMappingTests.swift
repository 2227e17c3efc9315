import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Changed times that overflow are reported and never trap.
@Suite struct TimelineMappingTests {
    private static let bases: [TimeBase] = [
        .nanoseconds, .milliseconds, .mpeg, TimeBase(1, 1), TimeBase(1001, 24_000),
        TimeBase(1, Int32.max),
    ]
    private static let ticks: [Int64] = [
        .min, .min + 1, -1_000_000_000_000, -1, 0, 1, 90_000, 1_000_000_000_000, .max - 1, .max,
    ]
    private static let changes: [Retiming] = [
        Retiming(shift: .seconds(9_223_372_036)), Retiming(shift: .seconds(-9_223_372_036)),
        Retiming(speed: TimeBase(1000, 1)), Retiming(speed: TimeBase(1, 1000)),
        Retiming(speed: TimeBase(1000, 1), shift: .seconds(-9_223_372_036)),
        Retiming(shift: .milliseconds(1)),
    ]

    private func mapping(_ retiming: Retiming, _ view: TimelineView = .player) -> TimelineMapping {
        TimelineMapping(
            view: view, container: ContainerDescription(formatName: "srt"), retiming: retiming)
    }

    @Test(arguments: [TimelineView.player, .source])
    func extremePackets(_ view: TimelineView) {
        for retiming in Self.changes {
            let mapping = mapping(retiming, view)
            for base in Self.bases {
                for pts in Self.ticks {
                    for duration in Self.ticks {
                        let packet = Packet(
                            streamIndex: 0, pts: pts, dts: pts, duration: duration, timeBase: base,
                            data: [])
                        let (moved, note) = mapping.mapped(packet)
                        // Nothing is lost or cut without a word.
                        #expect(moved != nil || note != nil)
                        guard let moved else { continue }
                        #expect(moved.start != nil)
                        let wasCut = note?.code == "time-overflow"
                        #expect(moved.end != nil || wasCut || duration < 0)
                    }
                }
            }
        }
    }

    @Test func usualPacketsAreAsBefore() {
        let mapping = mapping(Retiming(speed: TimeBase(2, 1), shift: .seconds(-1)))
        func moved(_ pts: Int64, _ duration: Int64?) -> (Packet?, Diagnostic?) {
            mapping.mapped(
                Packet(
                    streamIndex: 0, pts: pts, duration: duration, timeBase: .milliseconds, data: [])
            )
        }
        #expect(moved(1000, 500).0?.pts == 1000 && moved(1000, 500).0?.duration == 1000)
        #expect(moved(1000, 500).1 == nil)
        #expect(moved(400, 500).0?.pts == 0 && moved(400, 500).0?.duration == 800)
        #expect(moved(1000, nil).0?.duration == nil && moved(1000, nil).1 == nil)
        #expect(moved(100, 100).0 == nil && moved(100, 100).1?.code == "before-zero")
    }

    @Test func contentBeyondIsReported() {
        let mapping = mapping(Retiming(speed: TimeBase(1000, 1)))
        // In milliseconds: the latest time is 9,223,372,036,854.
        let late = mapping.mapped(
            Packet(
                streamIndex: 2, pts: 10_000_000_000, duration: 1, timeBase: .milliseconds, data: [])
        )
        #expect(late.packet == nil)
        #expect(late.note?.code == "time-overflow" && late.note?.severity == .error)
        #expect(late.note?.streamIndex == 2)
        let long = mapping.mapped(
            Packet(
                streamIndex: 2, pts: 1000, duration: 10_000_000_000, timeBase: .milliseconds,
                data: []))
        #expect(long.packet?.pts == 1_000_000 && long.packet?.end != nil)
        #expect(long.note?.code == "time-overflow" && long.note?.severity == .warning)
    }

    @Test func cuesBeyondAreReported() throws {
        var assembler = CueAssembler(
            mapping: mapping(Retiming(speed: TimeBase(1000, 1))), trackIsForced: false,
            forcedOnly: false, limits: Limits(), diagnostics: DiagnosticSink())
        var cues: [Cue] = []
        for (start, end) in [
            (1000, 2000), (3000, 10_000_000_000), (10_000_000_001, 10_000_000_002),
        ]
            as [(Int64, Int64)]
        {
            let decoded = DecodedCue(
                start: .milliseconds(start),
                end: .init(time: .milliseconds(end), source: .explicit),
                content: .text(StyledText("a")))
            cues += assembler.add(.cue(decoded))
        }
        cues += assembler.finish(duration: nil)
        #expect(cues.map(\.start) == [.seconds(1000), .seconds(3000)])
        #expect(cues.allSatisfy { $0.end > $0.start })
        let told = assembler.diagnostics.take()
        #expect(told.map(\.code) == ["time-overflow", "time-overflow"])
        #expect(told.map(\.severity) == [.warning, .error])
    }
}
