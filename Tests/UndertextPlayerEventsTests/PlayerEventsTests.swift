import Testing
import Undertext
import UndertextCore
import UndertextIO
import UndertextPlayback
import UndertextPlayerEvents

/// The events that consumers receive.
@Suite struct PlayerEventsTests {
    /// Collects what a function is called with.
    private final class Collected: Sendable {
        private let state = Monitor<[[PlayerEvent]]>([])
        var calls: [[PlayerEvent]] { state.with { $0 } }
        var events: [PlayerEvent] { calls.flatMap(\.self) }
        func add(_ events: [PlayerEvent]) { state.with { $0.append(events) } }
    }

    private static let failure = UndertextError(.io, "the server is gone", path: "a")

    @Test func eventsAreTypedAndInOrder() async {
        let events = PlayerEvents()
        let collected = Collected()
        let observation = events.observe { collected.add($0) }
        let reported: [PlayerEvent] = [
            .item(.file("movie.mkv")), .status(.loading), .duration(.seconds(90)), .status(.ready),
            .waiting, .playing, .rate(1.5), .volume(0.5), .muted(true), .looping(true),
            .seeked(.seconds(3)), .audio(MediaStreamInfo(id: 2, type: .audio, language: "en")),
            .failed(Self.failure), .paused, .status(.ended), .status(.failed(Self.failure)),
        ]
        for event in reported { events.report(event) }
        #expect(collected.calls == reported.map { [$0] })
        #expect(Set(collected.events.map(\.kind)).count == 13)
        observation.cancel()
        events.report(.playing)
        #expect(collected.events == reported)
    }

    /// A property that is reported again as it is, is no event; a seek and a failure always are.
    @Test func onlyChangesAreEvents() {
        let events = PlayerEvents()
        let collected = Collected()
        let observation = events.observe { collected.add($0) }
        for _ in 0..<2 {
            events.report(.volume(0.5))
            events.report(.playing)
            events.report(.seeked(.seconds(1)))
            events.report(.failed(Self.failure))
        }
        #expect(
            collected.events == [
                .volume(0.5), .playing, .seeked(.seconds(1)), .failed(Self.failure),
                .seeked(.seconds(1)), .failed(Self.failure),
            ])
        events.report(.paused)
        events.report(.playing)
        #expect(collected.events.suffix(2) == [.paused, .playing])
        #expect(events.current == [.volume(0.5), .playing])
        withExtendedLifetime(observation) {}
    }

    @Test func anotherItemHasItsOwnStatus() {
        let events = PlayerEvents()
        for event: PlayerEvent in [
            .item(.file("a")), .status(.ready), .duration(.seconds(1)), .volume(1),
            .item(.file("b")),
        ] {
            events.report(event)
        }
        #expect(events.current == [.volume(1), .item(.file("b"))])
        let collected = Collected()
        let observation = events.observe([.status, .duration]) { collected.add($0) }
        events.report(.status(.ready))
        events.report(.duration(.seconds(1)))
        events.report(.volume(0.1))
        #expect(collected.events == [.status(.ready), .duration(.seconds(1))])
        withExtendedLifetime(observation) {}
    }

    /// A consumer that takes nothing costs no more than one event for each property.
    @Test func pendingEventsAreBounded() async {
        var events: PlayerEvents? = PlayerEvents()
        let all = events?.events() ?? AsyncStream { nil }
        let some = events?.events([.seeked, .paused]) ?? AsyncStream { nil }
        for number in 0..<10_000 {
            events?.report(.volume(Double(number)))
            events?.report(.seeked(.seconds(Int64(number))))
            events?.report(number.isMultiple(of: 2) ? .playing : .paused)
            events?.report(.failed(UndertextError(.io, "\(number)")))
        }
        events = nil
        var taken: [PlayerEvent] = []
        for await event in all { taken.append(event) }
        #expect(taken.count == 36)
        #expect(taken.first == .lost(failures: 9968))
        let properties = taken.filter { $0.kind != .failed }
        #expect(properties == [.volume(9999), .seeked(.seconds(9999)), .paused])
        let failures = taken.dropFirst().filter { $0.kind == .failed }
        #expect(
            failures == (9968..<10_000).map { .failed(UndertextError(.io, "\($0)")) })
        var filtered: [PlayerEvent] = []
        for await event in some { filtered.append(event) }
        #expect(filtered == [.seeked(.seconds(9999)), .paused])
    }

    @Test func batchesComeAtMostOnceAnInterval() async {
        let clock = ManualClock()
        let events = PlayerEvents(clock: clock)
        var batches = events.batches(every: .seconds(1)).makeAsyncIterator()
        events.report(.playing)
        #expect(await batches.next() == [.playing], "the first one at once")
        events.report(.volume(0.1))
        events.report(.paused)
        events.report(.volume(0.2))
        async let moved: Void = clock.advanceSleepers(by: .seconds(1))
        #expect(await batches.next() == [.paused, .volume(0.2)])
        await moved
        // After a quiet time the next one comes at once.
        clock.advance(by: .seconds(5))
        events.report(.playing)
        #expect(await batches.next() == [.playing])
    }

    @Test func aFunctionIsCalledInBatches() async {
        let clock = ManualClock()
        let events = PlayerEvents(clock: clock)
        let collected = Collected()
        let observation = events.observe(every: .seconds(1)) { collected.add($0) }
        for number in 1...5 { events.report(.rate(Double(number))) }
        #expect(collected.calls == [[.rate(1)]])
        await clock.advanceSleepers(by: .milliseconds(999))
        #expect(collected.calls == [[.rate(1)]])
        await clock.advanceSleepers(by: .milliseconds(1))
        while collected.calls.count < 2 { await Task.yield() }
        #expect(collected.calls == [[.rate(1)], [.rate(5)]])
        withExtendedLifetime(observation) {}
    }

    /// A function may report events and end its own observation.
    @Test func aFunctionMayReport() {
        let events = PlayerEvents()
        let collected = Collected()
        let observation = events.observe { [weak events] batch in
            collected.add(batch)
            if batch == [.volume(0)] { events?.report(.muted(true)) }
        }
        events.report(.volume(0))
        #expect(collected.calls == [[.volume(0)], [.muted(true)]])
        withExtendedLifetime(observation) {}
    }

    @Test func observationsEndWithTheirValue() {
        let events = PlayerEvents()
        let collected = Collected()
        var observation: PlayerEventObservation? = events.observe { collected.add($0) }
        events.report(.playing)
        #expect(observation != nil)
        observation = nil
        events.report(.paused)
        #expect(collected.events == [.playing])
    }

    @Test func cancellationEndsASequence() async {
        let events = PlayerEvents(clock: ManualClock())
        for isBatched in [false, true] {
            let task = Task {
                var count = 0
                if isBatched {
                    for await batch in events.batches() { count += batch.count }
                } else {
                    for await _ in events.events() { count += 1 }
                }
                return count
            }
            task.cancel()
            #expect(await task.value == 0)
        }
    }

    /// Tasks that wait for one sequence all end with it.
    ///
    /// A time limit would count the time in which other tests use the threads.
    @Test func severalTasksMayWait() async {
        var events: PlayerEvents? = PlayerEvents()
        guard let sequence = events?.events([.volume]) else { return }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for await _ in sequence {} } }
            for _ in 0..<8 { await Task.yield() }
            events = nil
        }
    }

    /// Whatever threads report, all consumers see the same last values.
    @Test func manyThreadsMayReport() async {
        let events = PlayerEvents()
        let seen = Monitor<[PlayerEvent.Kind: PlayerEvent]>([:])
        let observation = events.observe { batch in
            seen.with { seen in for event in batch { seen[event.kind] = event } }
        }
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        events.report(.volume(Double(number * 8 + task)))
                        events.report(.rate(Double(number * 8 + task)))
                    }
                }
            }
        }
        #expect(Set(events.current) == Set(seen.with { Array($0.values) }))
        #expect(events.current.count == 2)
        withExtendedLifetime(observation) {}
    }
}
