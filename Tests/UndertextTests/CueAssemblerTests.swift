import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

@Suite struct CueAssemblerTests {
    static let matroska = ContainerDescription(formatName: "matroska,webm")

    func assembler(
        forced: Bool = false, forcedOnly: Bool = false,
        container: ContainerDescription = matroska
    ) -> CueAssembler {
        CueAssembler(
            mapping: TimelineMapping(view: .player, container: container), trackIsForced: forced,
            forcedOnly: forcedOnly, limits: Limits(), diagnostics: DiagnosticSink())
    }

    func image(
        _ start: Int64, end: (Int64, EndSource)? = nil, color: UInt32 = 1, forced: Bool = false,
        fallback: Int64? = nil
    ) throws -> DecodedEvent {
        let bitmap = try #require(
            IndexedBitmap(width: 1, height: 1, indices: [0], palette: [RGBA(rawValue: color)]))
        return .cue(
            DecodedCue(
                start: .milliseconds(start),
                end: end.map { .init(time: .milliseconds($0.0), source: $0.1) },
                fallbackEnd: fallback.map {
                    .init(time: .milliseconds($0), source: .containerDuration)
                }, replacesEarlier: true, isForced: forced,
                content: .images(
                    CueImages(canvas: nil, images: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)]))))
    }

    func text(_ start: Int64, _ end: Int64?) -> DecodedEvent {
        .cue(
            DecodedCue(
                start: .milliseconds(start),
                end: end.map { .init(time: .milliseconds($0), source: .containerDuration) },
                content: .text(StyledText("t\(start)"))))
    }

    func run(
        _ events: [DecodedEvent], _ assembler: CueAssembler, duration: Int64? = nil
    ) -> [String] {
        var assembler = assembler
        var cues = events.flatMap { assembler.add($0) }
        cues += assembler.finish(duration: duration.map { .milliseconds($0) })
        #expect(cues.map(\.order) == Array(cues.indices))
        return cues.map { cue in
            "\(cue.start.roundedMilliseconds)-\(cue.end.roundedMilliseconds) \(cue.endSource)"
                + (cue.isForced ? " forced" : "")
        }
    }

    @Test func aClearEndsAImage() throws {
        let events = [try image(1000), .clear(at: .milliseconds(2500))]
        #expect(run(events, assembler()) == ["1000-2500 nextEvent"])
    }

    @Test func theNextImageEndsAImage() throws {
        let events = [try image(1000), try image(2000, color: 2)]
        #expect(
            run(events, assembler(), duration: 9000) == [
                "1000-2000 nextEvent", "2000-9000 endOfStream",
            ])
    }

    @Test func equalImagesWithoutAGapAreOne() throws {
        let events = [try image(1000), try image(2000), .clear(at: .milliseconds(3000))]
        #expect(run(events, assembler()) == ["1000-3000 nextEvent"])
        let gap = [
            try image(1000), .clear(at: .milliseconds(1500)), try image(2000),
            .clear(at: .milliseconds(3000)),
        ]
        #expect(run(gap, assembler()) == ["1000-1500 nextEvent", "2000-3000 nextEvent"])
    }

    @Test func forcedAndUnforcedOfOneSetDoNotEndEachOther() throws {
        let events = [
            try image(1000), try image(1000, color: 2, forced: true),
            .clear(at: .milliseconds(2000)),
        ]
        #expect(run(events, assembler()) == ["1000-2000 nextEvent", "1000-2000 nextEvent forced"])
        #expect(run(events, assembler(forcedOnly: true)) == ["1000-2000 nextEvent forced"])
    }

    @Test func repeatedImagesContinueAndMissingOnesEnd() throws {
        let events = [
            try image(1000), try image(1000, color: 2, forced: true),
            try image(3000, color: 2, forced: true), .clear(at: .milliseconds(6000)),
        ]
        #expect(run(events, assembler()) == ["1000-3000 nextEvent", "1000-6000 nextEvent forced"])
        let both = [
            try image(1000), try image(1000, color: 2, forced: true),
            try image(3000), try image(3000, color: 2, forced: true),
            .clear(at: .milliseconds(6000)),
        ]
        #expect(run(both, assembler()) == ["1000-6000 nextEvent", "1000-6000 nextEvent forced"])
    }

    @Test func aPageTimeOutHoldsUnlessSomethingComesEarlier() throws {
        let early = [
            try image(1000, end: (31000, .clamped)),
            try image(2000, end: (32000, .clamped), color: 2),
        ]
        #expect(run(early, assembler()) == ["1000-2000 nextEvent", "2000-32000 clamped"])
        let late = [try image(1000, end: (3000, .clamped)), .clear(at: .milliseconds(9000))]
        #expect(run(late, assembler()) == ["1000-3000 clamped"])
    }

    /// A disc decoder shows one unit at a time, regardless of the end that a unit states.
    @Test func theNextImageEndsAImageWithAnEndOfItsOwn() throws {
        let events = [
            try image(1000, end: (5000, .explicit)),
            try image(2000, end: (3000, .explicit), color: 2),
            try image(4000, end: (9000, .explicit), color: 3), .clear(at: .milliseconds(6000)),
        ]
        #expect(
            run(events, assembler()) == [
                "1000-2000 nextEvent", "2000-3000 explicit", "4000-6000 nextEvent",
            ])
    }

    /// A DVD shows one unit at a time, regardless of the duration in the container.
    @Test func theContainersLengthHoldsUnlessSomethingComesEarlier() throws {
        let early = [
            try image(1000, end: (11000, .containerDuration)),
            try image(2500, end: (12500, .containerDuration), color: 2),
        ]
        #expect(
            run(early, assembler()) == ["1000-2500 nextEvent", "2500-12500 containerDuration"])
        let late = [
            try image(1000, end: (3000, .containerDuration)), try image(9000, color: 2),
        ]
        #expect(run(late, assembler()).first == "1000-3000 containerDuration")
    }

    @Test func equalImagesWithEndsOfTheirOwnAreOne() throws {
        let adjacent = [
            try image(1000, end: (2000, .explicit)), try image(2000, end: (3000, .explicit)),
            try image(3000, end: (4000, .containerDuration)), try image(9000, color: 2),
        ]
        #expect(run(adjacent, assembler()).first == "1000-4000 containerDuration")
        let apart = [
            try image(1000, end: (1999, .explicit)), try image(2000, end: (3000, .explicit)),
        ]
        #expect(run(apart, assembler()) == ["1000-1999 explicit", "2000-3000 explicit"])
        let overlapping = [
            try image(1000, end: (2001, .explicit)), try image(2000, end: (3000, .explicit)),
        ]
        #expect(run(overlapping, assembler()) == ["1000-3000 explicit"])
        let different = [
            try image(1000, end: (2000, .explicit)),
            try image(2000, end: (3000, .explicit), color: 2),
        ]
        #expect(run(different, assembler()).count == 2)
    }

    /// Nothing waits for an image from before a jump of the clock.
    @Test func aClockThatRunsBackEndsWhatWasOpen() throws {
        var subject = assembler()
        var cues = subject.add(try image(30_001_000))
        var most = 0
        for number in 0..<2000 {
            cues += subject.add(try image(5000 + Int64(number) * 1000, color: UInt32(number + 2)))
            most = max(most, number + 2 - cues.count)
        }
        #expect(most <= 2)
        #expect(cues.first?.end == .milliseconds(30_011_000))
        #expect(cues.first?.endSource == .clamped)
        #expect(
            run([try image(9000, fallback: 12000), .clear(at: .milliseconds(100))], assembler())
                == ["9000-12000 containerDuration"])
    }

    /// FFmpeg's muxer stamps the page that clears the screen a millisecond before the page it clears.
    @Test func aShortStepBackReplacesWhatWasShown() throws {
        let page = try image(1400, end: (31_400, .clamped))
        #expect(
            run([page, .clear(at: .milliseconds(1399)), try image(1400, color: 2)], assembler())
                == ["1400-1401 clamped", "1400-11400 clamped"])
        // A stop of its own counts.
        #expect(
            run(
                [try image(1400, end: (2000, .explicit)), try image(1300, color: 2)],
                assembler()
            )
            .first == "1400-2000 explicit")
    }

    /// An image without an end does not hold back everything that is shown beside it.
    @Test func waitingCuesAreBounded() throws {
        var subject = assembler()
        var cues: [Cue] = []
        for number in 0..<3000 {
            let time = 1000 + Int64(number) * 1000
            cues += subject.add(try image(time))
            cues += subject.add(try image(time, color: UInt32(number + 2), forced: true))
        }
        #expect(cues.count > 1500)
        cues += subject.finish(duration: nil)
        #expect(cues.count >= 3001)
    }

    @Test func theLastImageEndsAsWellAsIsKnown() throws {
        #expect(
            run([try image(1000, fallback: 4000)], assembler(), duration: 9000) == [
                "1000-4000 containerDuration"
            ])
        #expect(run([try image(1000)], assembler(), duration: 9000) == ["1000-9000 endOfStream"])
        #expect(run([try image(1000)], assembler()) == ["1000-11000 clamped"])
        #expect(run([try image(9500)], assembler(), duration: 9000) == ["9500-19500 clamped"])
    }

    @Test func openTextLastsUntilTheNext() {
        #expect(
            run([text(1000, nil), text(1000, nil), text(2000, 3000)], assembler()) == [
                "1000-2000 nextEvent", "1000-2000 nextEvent", "2000-3000 containerDuration",
            ])
        #expect(
            run([text(1000, 5000), text(2000, 3000)], assembler()).first
                == "1000-5000 containerDuration")
    }

    @Test func cuesKeepTheOrderOfTheirStart() {
        #expect(
            run([text(1000, nil), text(1000, 1500), text(4000, 5000)], assembler()) == [
                "1000-4000 nextEvent", "1000-1500 containerDuration", "4000-5000 containerDuration",
            ])
    }

    @Test func transportStreamsStartAtZero() throws {
        let container = ContainerDescription(formatName: "mpegts", startTime: 1_400_000)
        let events = [text(500, 1000), text(1000, 2000), text(2400, 3400)]
        var subject = assembler(container: container)
        let cues = events.flatMap { subject.add($0) }
        #expect(cues.map(\.start.roundedMilliseconds) == [0, 1000])
        #expect(cues.map(\.end.roundedMilliseconds) == [600, 2000])
        #expect(subject.diagnostics.take().map(\.code) == ["before-zero"])
    }

    @Test func theTracksFlagForcesItsCues() throws {
        #expect(
            run([text(0, 10)], assembler(forced: true, forcedOnly: true)) == [
                "0-10 containerDuration forced"
            ])
    }

    @Test func anEmptyCueLastsAMillisecond() {
        #expect(run([text(5, 5)], assembler()) == ["5-6 clamped"])
    }
}
