internal import UndertextCore

/// The units of a stream: when they are shown, and where they lie.
struct VobSubTrack {
    /// The stream's index.
    let index: Int
    /// The number of its packets' substream, 0 to 31.
    let number: Int
    /// `true` if packets of another number are reported.
    let hasUsualNumber: Bool
    /// The unit of the times.
    let timeBase: TimeBase
    /// Times in ticks, and places.
    private let entries: [VobSubIndexText.Entry]

    init(index: Int, _ stream: VobSubIndexText.Stream, timeBase: TimeBase) {
        self.index = index
        // Packets have no number above 31; the positions of such a stream identify its packets.
        number = stream.number & 31
        hasUsualNumber = stream.number == number
        self.timeBase = timeBase
        entries = stream.entries
    }

    /// No unit is shown longer than its last command can say: 65535 × 1024 / 90000 s.
    private static let longestUnit = Duration.seconds(746)

    /// The entries that `window` needs: what may be on screen in it, and the first one after it.
    func entries(in window: TimeWindow) -> [VobSubIndexText.Entry] {
        func ticks(_ time: Timestamp?) -> Int64? { time?.ticks(in: timeBase) }
        guard !window.isAll, zip(entries, entries.dropFirst()).allSatisfy({ $0.ticks <= $1.ticks })
        else { return entries }
        var first = 0
        if let start = window.start, let time = ticks(start) {
            let reach = ticks(start.advanced(by: .zero - Self.longestUnit)) ?? .min
            // A unit without an end lasts until the next one, so the preceding one is needed.
            let before = entries.lastIndex { $0.ticks <= time } ?? 0
            first = min(before, entries.firstIndex { $0.ticks >= reach } ?? before)
        }
        var end = entries.count
        if let time = ticks(window.end) {
            end = entries.firstIndex { $0.ticks > time }.map { $0 + 1 } ?? end
        }
        return first < end ? Array(entries[first..<end]) : []
    }
}

extension VobSubIndexText.Stream {
    /// The same with times on the 90 kHz clock.
    var inClockTicks: Self {
        var stream = self
        for index in entries.indices {
            let ticks = entries[index].ticks.multipliedReportingOverflow(by: 90)
            stream.entries[index].ticks = ticks.partialValue
        }
        return stream
    }
}
