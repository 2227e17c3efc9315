import Testing
import UndertextCore

@Suite struct DiagnosticSinkTests {
    private func note(_ sink: DiagnosticSink, _ codes: String...) {
        for code in codes { sink.report(.warning, code, "") }
    }

    private func codes(_ sink: DiagnosticSink) -> [String] { sink.take().map(\.code) }

    @Test func collectsUntilItIsTaken() {
        let sink = DiagnosticSink()
        note(sink, "a", "b")
        #expect(codes(sink) == ["a", "b"])
        #expect(codes(sink).isEmpty)
    }

    @Test func passesOnAtOnce() {
        var found: [String] = []
        let sink = DiagnosticSink { found.append($0.code) }
        note(sink, "a")
        note(sink.section(capacity: 1), "b", "c")
        #expect(found == ["a", "b", "c"])
        #expect(codes(sink).isEmpty)
    }

    @Test func sectionsFollowInTheirOrder() {
        let sink = DiagnosticSink()
        let (first, second) = (sink.section(), sink.section())
        sink.add { [Diagnostic(.info, "polled", "")] }
        note(second, "c")
        note(first.section(), "b")
        note(first, "a")
        note(sink, "0")
        #expect(codes(sink) == ["0", "a", "b", "c", "polled"])
    }

    @Test func dataBeyondTheCapacityIsIgnored() {
        let sink = DiagnosticSink()
        let section = sink.section(capacity: 2)
        note(section, "a", "b", "c")
        note(sink, "0")
        #expect(codes(sink) == ["0", "a", "b"])
        note(section, "d")
        #expect(codes(sink) == ["d"])
    }

    @Test func changesWhatPasses() {
        let sink = DiagnosticSink()
        let stream = sink.changing { $0.streamIndex = 3 }
        note(stream.changing { $0.time = .seconds(1) }, "a")
        note(stream, "b")
        let found = sink.take()
        #expect(found.map(\.streamIndex) == [3, 3])
        #expect(found.map(\.time) == [.seconds(1), nil])
    }

    @Test func forwardsWhatItCollected() {
        let (early, late) = (DiagnosticSink(), DiagnosticSink())
        note(early, "a")
        early.forward(to: late)
        note(early, "b")
        #expect(codes(late) == ["a", "b"])
        #expect(codes(early).isEmpty)
    }
}
