internal import UndertextCore

/// A time range in which an item looks the same.
struct TTMLSegment {
    var start: TTMLTime
    /// ``TTMLTime/indefinite`` where nothing ends it.
    var end: TTMLTime
    var composition: TTMLComposition
}

/// Cuts items where their appearance changes, and only there.
struct TTMLSegmenter {
    private var composer: TTMLComposer
    /// The maximum number of items to examine: hostile documents animate everything at all times.
    private static let workAtMost = 50_000_000
    /// The maximum number of bytes in which animated text may be repeated.
    private let repeatedAtMost: Int
    /// Times of changes that were gone through.
    private var work = 0
    private var repeated = 0
    /// `true` if there was not room enough: some items were not cut.
    private(set) var isExhausted = false
    /// The number of items that were left out because of the limit.
    private(set) var omitted = 0

    init(_ tree: TTMLTree, limits: Limits) {
        composer = TTMLComposer(tree)
        repeatedAtMost = limits.packetSize
    }

    private var isFull: Bool {
        composer.work + work > Self.workAtMost || repeated > repeatedAtMost
    }

    /// The segments of an item, equal neighbors joined; forced text and other text are separate.
    mutating func partedSegments(of item: TTMLContentElement) -> [TTMLSegment] {
        let whole = segments(of: item)
        guard whole.contains(where: \.composition.isMixed) else { return whole }
        let parts = segments(of: item, forced: false) + segments(of: item, forced: true)
        let order = parts.indices.sorted { (parts[$0].start, $0) < (parts[$1].start, $1) }
        return order.map { parts[$0] }
    }

    /// The segments of an item, equal neighbors joined.
    mutating func segments(of item: TTMLContentElement, forced: Bool? = nil) -> [TTMLSegment] {
        let active = item.active
        guard !active.isEmpty else { return [] }
        guard composer.work < 4 * Self.workAtMost else {
            omitted += 1
            return []
        }
        let cuts = isFull ? [] : cuts(of: item, in: active)
        work += cuts.count
        if isFull { isExhausted = true }
        var segments: [TTMLSegment] = []
        var start = active.lowerBound
        for index in 0...cuts.count {
            let end = index < cuts.count ? cuts[index] : active.upperBound
            if index > 0, isFull {
                isExhausted = true
                segments[segments.count - 1].end = active.upperBound
                break
            }
            let composition = composer.compose(item, at: start, forced: forced)
            if let last = segments.last, last.composition == composition {
                segments[segments.count - 1].end = end
            } else {
                if index > 0 { repeated += Self.size(of: composition) }
                segments.append(TTMLSegment(start: start, end: end, composition: composition))
            }
            start = end
        }
        return segments
    }

    /// About the bytes that a composition takes.
    private static func size(of composition: TTMLComposition) -> Int {
        composition.text.runs.reduce(256) { $0 + 128 + $1.text.utf8.count }
    }

    /// The times within `active` at which something of an item may change.
    private mutating func cuts(of item: TTMLContentElement, in active: Range<TTMLTime>)
        -> [TTMLTime]
    {
        var times: [TTMLTime] = []
        Self.add(item.element.setTimes, in: active, to: &times)
        var container = item.container
        while let current = container, current.isAnimated {
            Self.add(current.element.setTimes, in: active, to: &times)
            container = current.outer
        }
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
        let first = sorted.partitioningIndex { $0 > active.lowerBound }
        times += sorted[first...].prefix { $0 < active.upperBound }
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
