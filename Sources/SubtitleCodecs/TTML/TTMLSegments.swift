internal import CueModel

/// A part of the time in which an item looks the same.
struct TTMLSegment {
    var start: TTMLTime
    /// ``TTMLTime/indefinite`` where nothing ends it.
    var end: TTMLTime
    var composition: TTMLComposition
}

/// Cuts items where their appearance changes, and only there.
struct TTMLSegmenter {
    private var composer: TTMLComposer
    /// How much may be looked at: hostile documents animate everything at all times.
    private var room: Int
    /// Whether there was not room enough: some items were not cut.
    private(set) var isExhausted = false

    init(_ tree: TTMLTree, room: Int = 50_000_000) {
        composer = TTMLComposer(tree)
        self.room = room
    }

    /// The parts of an item, neighbours that look the same joined.
    mutating func segments(of item: TTMLItem) -> [TTMLSegment] {
        let active = item.active
        guard !active.isEmpty else { return [] }
        var cuts = cuts(of: item, in: active)
        if composer.work > room, !cuts.isEmpty {
            isExhausted = true
            cuts = []
        }
        var segments: [TTMLSegment] = []
        var start = active.lowerBound
        for index in 0...cuts.count {
            let end = index < cuts.count ? cuts[index] : active.upperBound
            if composer.work > room, index > 0 {
                isExhausted = true
                segments[segments.count - 1].end = active.upperBound
                break
            }
            let composition = composer.compose(
                item.path, in: item.region, onlyRegion: item.onlyRegion, at: start)
            if let last = segments.last, last.composition == composition {
                segments[segments.count - 1].end = end
            } else {
                segments.append(TTMLSegment(start: start, end: end, composition: composition))
            }
            start = end
        }
        return segments
    }

    /// The times within `active` at which something of an item may change.
    private mutating func cuts(of item: TTMLItem, in active: Range<TTMLTime>) -> [TTMLTime] {
        var times: [TTMLTime] = []
        for element in item.path { Self.add(element.setTimes, in: active, to: &times) }
        if let region = item.region { Self.add(region.setTimes, in: active, to: &times) }
        if item.element.kind == .paragraph { collect(item.element, in: active, &times) }
        guard times.count > 1 else { return times }
        times.sort()
        var unique: [TTMLTime] = []
        for time in times where time != unique.last { unique.append(time) }
        return unique
    }

    private static func add(
        _ sorted: [TTMLTime], in active: Range<TTMLTime>, to times: inout [TTMLTime]
    ) {
        guard !sorted.isEmpty else { return }
        // The first one behind the start.
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= active.lowerBound { low = middle + 1 } else { high = middle }
        }
        while low < sorted.count, sorted[low] < active.upperBound {
            times.append(sorted[low])
            low += 1
        }
    }

    private mutating func collect(
        _ element: TTMLElement, in active: Range<TTMLTime>, _ times: inout [TTMLTime]
    ) {
        for child in element.children where child.kind == .span || child.kind == .lineBreak {
            if !child.active.isEmpty {
                for time in [child.active.lowerBound, child.active.upperBound]
                where time > active.lowerBound && time < active.upperBound {
                    times.append(time)
                }
            }
            Self.add(child.setTimes, in: active, to: &times)
            if child.kind == .span { collect(child, in: active, &times) }
        }
    }
}
