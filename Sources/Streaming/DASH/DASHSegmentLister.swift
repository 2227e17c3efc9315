internal import MediaCore

/// Lists the segments of one representation.
struct DASHSegmentLister {
    private(set) var list: DASHSegmentList
    private let representation: DASHManifest.Representation
    private let addressing: DASHAddressing
    private let period: DASHManifest.Period
    /// Where the list ends, in ticks of the media; `nil` if nobody says.
    private let end: Int64?
    private let limits: StreamingLimits
    private let base: URIReference

    init(
        _ representation: DASHManifest.Representation, _ period: DASHManifest.Period,
        until available: Timestamp?, limits: StreamingLimits
    ) {
        self.representation = representation
        addressing = representation.addressing
        self.period = period
        self.limits = limits
        base = URIReference(representation.baseURL)
        let last = [period.duration.map { period.start.advanced(by: $0) }, available]
            .compactMap { $0 }.min()
        let offset = addressing.offset
        end = last.map { last in
            let ticks = Timestamp.zero.advanced(by: period.start.duration(to: last))
                .ticks(in: representation.addressing.timeBase)
            // What does not fit is behind everything.
            let (sum, overflow) = (ticks ?? .max).addingReportingOverflow(offset)
            return overflow ? .max : sum
        }
        let zero = Timestamp(ticks: offset, timeBase: addressing.timeBase) ?? .zero
        list = DASHSegmentList(
            initialization: nil, segments: [], mediaOffset: zero.duration(to: period.start),
            diagnostics: [])
    }

    mutating func run() {
        list.initialization = initialization
        switch addressing.kind {
        case .single:
            list.segments = [
                DASHSegment(
                    uri: base.description, start: period.start, duration: period.duration)
            ]
        case .list(let places): listed(places)
        case .template(let template): templated(template)
        }
    }

    private var initialization: DASHSegment? {
        if let place = addressing.initialization {
            return DASHSegment(
                uri: address(place.uri ?? ""), range: place.range, start: period.start)
        }
        // Of a single resource it is part.
        guard !addressing.isSingle, let template = addressing.initializationTemplate else {
            return nil
        }
        let text = DASHTemplate.address(
            template, id: representation.id, bandwidth: representation.bandwidth)
        return DASHSegment(uri: address(text), start: period.start)
    }

    private func address(_ text: String) -> String {
        URIReference(AddressRule.escaped(text)).resolved(against: base).description
    }

    /// When media time `ticks` is shown.
    private func time(_ ticks: Int64) -> Timestamp? {
        let (difference, overflow) = ticks.subtractingReportingOverflow(addressing.offset)
        guard !overflow, let span = Timestamp(ticks: difference, timeBase: addressing.timeBase)
        else {
            return nil
        }
        return period.start.advanced(by: Timestamp.zero.duration(to: span))
    }

    private mutating func note(_ severity: Diagnostic.Severity, _ code: String, _ message: String) {
        list.diagnostics.append(Diagnostic(severity, code, message))
    }

    private mutating func listed(_ places: [DASHAddressing.Place]) {
        let times = spans(atMost: places.count)
        for (index, place) in places.enumerated() {
            let span = index < times.count ? times[index] : nil
            guard let start = span.map({ time($0.time) }) ?? period.start else { break }
            list.segments.append(
                DASHSegment(
                    uri: address(place.uri ?? ""), range: place.range, start: start,
                    duration: span.flatMap {
                        Duration(ticks: $0.duration, timeBase: addressing.timeBase)
                    }, number: addressing.startNumber &+ Int64(index)))
        }
    }

    private mutating func templated(_ template: String) {
        for span in spans(atMost: limits.segments) {
            guard let start = time(span.time) else {
                note(
                    .error, "bad-timeline",
                    "the times of a timeline do not fit: the rest is left out")
                return
            }
            let text = DASHTemplate.address(
                template, id: representation.id, bandwidth: representation.bandwidth,
                number: span.number, time: span.time)
            list.segments.append(
                DASHSegment(
                    uri: address(text), start: start,
                    duration: Duration(ticks: span.duration, timeBase: addressing.timeBase),
                    number: span.number))
        }
    }

    // MARK: Times

    private typealias Span = (time: Int64, duration: Int64, number: Int64)

    private mutating func spans(atMost count: Int) -> [Span] {
        addressing.timeline.isEmpty ? regular(count) : timeline(count)
    }

    /// Segments of one length, as many as the period has room for.
    private mutating func regular(_ count: Int) -> [Span] {
        guard let duration = addressing.duration else {
            // A template without times names one segment.
            guard case .template = addressing.kind else { return [] }
            let length = end.map { max(0, $0 - addressing.offset) } ?? 0
            return [(addressing.offset, length, addressing.startNumber)]
        }
        var wanted = count
        if case .template = addressing.kind {
            guard let total = numberOfSegments(duration) else {
                note(
                    .error, "no-length",
                    "the manifest does not say how long a period is: its segments are not known")
                return []
            }
            wanted = limited(total, count)
        }
        var spans: [Span] = []
        var time = addressing.offset
        for index in 0..<Int64(wanted) {
            spans.append((time, duration, addressing.startNumber &+ index))
            let (next, overflow) = time.addingReportingOverflow(duration)
            if overflow { break }
            time = next
        }
        return spans
    }

    private func numberOfSegments(_ duration: Int64) -> Int64? {
        if let last = addressing.endNumber {
            let (count, overflow) = last.subtractingReportingOverflow(addressing.startNumber)
            return overflow ? nil : max(0, count &+ 1)
        }
        return end.map { end in
            let length = max(0, end - addressing.offset)
            return length / duration + (length % duration > 0 ? 1 : 0)
        }
    }

    private mutating func limited(_ total: Int64, _ count: Int) -> Int {
        guard total > Int64(count) else { return Int(total) }
        note(
            .error, "too-many-segments",
            "of \(total) segments the first \(count) are taken into account")
        return count
    }

    private mutating func timeline(_ count: Int) -> [Span] {
        var spans: [Span] = []
        var time: Int64 = 0
        var number = addressing.startNumber
        for (index, entry) in addressing.timeline.enumerated() {
            time = entry.time ?? time
            number = entry.number ?? number
            let times = repetitions(of: index, at: time)
            guard times > 0 else { continue }
            let room = count - spans.count
            let wanted = limited(times, room)
            for _ in 0..<wanted {
                spans.append((time, entry.duration, number))
                let (next, overflow) = time.addingReportingOverflow(entry.duration)
                guard !overflow else {
                    note(.error, "bad-timeline", "the times of a timeline do not fit")
                    return spans
                }
                time = next
                number &+= 1
            }
            if wanted < Int(clamping: times) { return spans }
        }
        return spans
    }

    /// How often an entry of the timeline stands, the first time included.
    private mutating func repetitions(of index: Int, at time: Int64) -> Int64 {
        let entry = addressing.timeline[index]
        guard entry.repeats < 0 else { return entry.repeats == .max ? .max : entry.repeats + 1 }
        let next = index + 1 < addressing.timeline.count ? addressing.timeline[index + 1].time : nil
        guard let bound = next ?? end else {
            note(
                .warning, "open-timeline",
                "how often the last segment of a timeline repeats is not known: it is taken once")
            return 1
        }
        let (length, overflow) = bound.subtractingReportingOverflow(time)
        guard !overflow, length > 0 else { return 0 }
        return length / entry.duration + (length % entry.duration > 0 ? 1 : 0)
    }
}
