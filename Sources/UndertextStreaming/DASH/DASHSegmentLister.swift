internal import UndertextCore

/// Lists the segments of one representation.
struct DASHSegmentLister {
    private(set) var list: DASHSegmentList
    private let representation: DASHManifest.Representation
    private let addressing: DASHAddressing
    private let period: DASHManifest.Period
    private let bounds: DASHListBounds
    private let limits: StreamingLimits
    private let bases: [URI]
    private static let tooMany = "too-many-segments"
    /// Bytes of the addresses of the segments.
    private var addressSize = 0

    init(
        _ representation: DASHManifest.Representation, _ period: DASHManifest.Period,
        from first: Timestamp?, until recorded: Timestamp?, limits: StreamingLimits
    ) {
        self.representation = representation
        addressing = representation.addressing
        self.period = period
        self.limits = limits
        bases = representation.baseURLs.map { URI($0) }
        bounds = DASHListBounds(addressing, period, from: first, until: recorded)
        let zero = Timestamp(ticks: addressing.offset, timeBase: addressing.timeBase) ?? .zero
        list = DASHSegmentList(
            initialization: nil, segments: [], mediaOffset: zero.duration(to: period.start),
            diagnostics: [])
    }

    mutating func run() {
        list.initialization = initialization
        switch addressing.kind {
        case .single:
            guard hasRoomForOne(limits.segments) else { return }
            list.segments = [segment("", start: period.start, duration: period.duration)]
        case .list(let places): listed(places)
        case .template(let template): templated(template)
        }
    }

    private var initialization: DASHSegment? {
        if let place = addressing.initialization {
            // A part of the single resource, unless another address is stated.
            let found = segment(place.uri ?? "", place.range, start: period.start)
            let isPart = addressing.isSingle && found.uri == bases.first?.description
            return isPart ? nil : found
        }
        guard !addressing.isSingle, let template = addressing.initializationTemplate else {
            return nil
        }
        let text = DASHTemplate.address(
            template, id: representation.id, bandwidth: representation.bandwidth)
        return segment(text, start: period.start)
    }

    /// A segment whose address is relative to the base URLs.
    private func segment(
        _ text: String, _ range: ByteRange? = nil, start: Timestamp, duration: Duration? = nil,
        number: Int64? = nil
    ) -> DASHSegment {
        let reference = URI(URI.repaired(text))
        var addresses = bases.map { reference.resolved(against: $0).description }
        let first = addresses.removeFirst()
        return DASHSegment(
            uri: first, alternatives: addresses.filter { $0 != first }, range: range, start: start,
            duration: duration, number: number)
    }

    /// The presentation time of media time `ticks`.
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
        var next = 0
        let most = max(0, min(places.count, limits.segments))
        for span in spans(atMost: most) where span.index < places.count {
            guard let start = time(span.time) else { return reportTimes() }
            let place = places[span.index]
            guard
                append(
                    segment(
                        place.uri ?? "", place.range, start: start,
                        duration: Duration(ticks: span.duration, timeBase: addressing.timeBase),
                        number: span.number))
            else { return }
            next = span.index + 1
        }
        // If the start is unknown, it is also unknown whether segments without a time are in the window.
        let hasTimes = addressing.duration != nil || !addressing.timeline.isEmpty
        guard !hasTimes || bounds.first == nil, next < places.count else { return }
        var room = most - list.segments.count
        if !list.diagnostics.contains(where: { $0.code == Self.tooMany }) {
            room = limited(Int64(places.count - next), room)
        }
        for (index, place) in places.enumerated().dropFirst(next).prefix(room) {
            guard
                append(
                    segment(
                        place.uri ?? "", place.range, start: period.start,
                        number: addressing.startNumber &+ Int64(index)))
            else { return }
        }
    }

    private mutating func templated(_ template: String) {
        for span in spans(atMost: limits.segments) {
            guard let start = time(span.time) else { return reportTimes() }
            let text = DASHTemplate.address(
                template, id: representation.id, bandwidth: representation.bandwidth,
                number: span.number, time: span.time)
            guard
                append(
                    segment(
                        text, start: start,
                        duration: Duration(ticks: span.duration, timeBase: addressing.timeBase),
                        number: span.number))
            else { return }
        }
    }

    /// Adds a segment; `false` if the addresses are longer than allowed.
    private mutating func append(_ segment: DASHSegment) -> Bool {
        addressSize += segment.addressSize
        guard addressSize <= limits.addressSize else {
            note(
                .error, Self.tooMany,
                "the addresses of segments are longer than allowed: after \(list.segments.count) segments "
                    + "the rest is left out")
            return false
        }
        list.segments.append(segment)
        return true
    }

    private mutating func reportTimes() {
        note(.error, "bad-timeline", "the times of a timeline do not fit: the rest is left out")
    }

    // MARK: Times

    /// The start of a segment in the media, its duration and its number.
    private struct Span {
        var index: Int
        var time: Int64
        var duration: Int64
        var number: Int64
    }

    private mutating func spans(atMost count: Int) -> [Span] {
        addressing.timeline.isEmpty ? regular(count) : timeline(count)
    }

    /// Segments of one length, as many as the period has room for.
    private mutating func regular(_ count: Int) -> [Span] {
        let offset = addressing.offset
        guard let duration = addressing.duration else {
            // A template without times names one segment.
            guard case .template = addressing.kind, hasRoomForOne(count) else { return [] }
            let length = bounds.end.map { max(0, $0 - offset) } ?? 0
            return [
                Span(index: 0, time: offset, duration: length, number: addressing.startNumber)
            ]
        }
        var last = Int64(count)
        if case .list(let places) = addressing.kind {
            last = Int64(places.count)
        } else if case .template = addressing.kind {
            guard let total = numberOfSegments(duration) else {
                note(
                    .error, "no-length",
                    "the duration of a period is unknown, so its segments cannot be listed")
                return []
            }
            last = total
        }
        let first = min(bounds.passed(duration, from: offset), last)
        var spans: [Span] = []
        for index in first..<first + Int64(limited(last - first, count)) {
            let (span, isTooLong) = index.multipliedReportingOverflow(by: duration)
            let (time, isTooLate) = offset.addingReportingOverflow(span)
            guard !isTooLong, !isTooLate else { break }
            spans.append(
                Span(
                    index: Int(clamping: index), time: time, duration: duration,
                    number: addressing.startNumber &+ index))
        }
        return spans
    }

    private func numberOfSegments(_ duration: Int64) -> Int64? {
        var stated: Int64?
        if let last = addressing.endNumber {
            let (count, overflow) = last.subtractingReportingOverflow(addressing.startNumber)
            guard !overflow else { return nil }
            stated = max(0, count == .max ? count : count + 1)
        }
        return bounds.complete(duration, from: addressing.offset, stated: stated)
    }

    /// `true` if what is one segment may be listed: others may have used up what all may have together.
    private mutating func hasRoomForOne(_ count: Int) -> Bool {
        guard count <= 0 else { return true }
        note(
            .error, Self.tooMany,
            "there are more segments than a presentation may have: this one is left out")
        return false
    }

    private mutating func limited(_ total: Int64, _ count: Int) -> Int {
        let count = max(0, count)
        guard total > Int64(count) else { return Int(total) }
        note(
            .error, Self.tooMany,
            "only the first \(count) of \(total) segments are used")
        return count
    }

    private mutating func timeline(_ count: Int) -> [Span] {
        var spans: [Span] = []
        var time: Int64 = 0
        var number = addressing.startNumber
        var index = 0
        for (place, entry) in addressing.timeline.enumerated() {
            time = entry.time ?? time
            number = entry.number ?? number
            let all = repetitions(of: place, at: time)
            let times = bounds.begun(all, entry.duration, from: time)
            guard times > 0 else { continue }
            // Skipped segments end before the window, so this does not overflow.
            let passed = min(bounds.passed(entry.duration, from: time), times)
            time += passed * entry.duration
            number &+= passed
            index += Int(clamping: passed)
            let wanted = limited(times - passed, count - spans.count)
            for _ in 0..<wanted {
                spans.append(
                    Span(index: index, time: time, duration: entry.duration, number: number))
                let (next, overflow) = time.addingReportingOverflow(entry.duration)
                guard !overflow else {
                    note(.error, "bad-timeline", "the times of a timeline do not fit")
                    return spans
                }
                time = next
                number &+= 1
                index += 1
            }
            if passed + Int64(wanted) < all { return spans }
        }
        return spans
    }

    /// The number of segments of a timeline entry, including the first one.
    private mutating func repetitions(of index: Int, at time: Int64) -> Int64 {
        let entry = addressing.timeline[index]
        guard entry.repeats < 0 else { return entry.repeats == .max ? .max : entry.repeats + 1 }
        if index + 1 < addressing.timeline.count, let next = addressing.timeline[index + 1].time {
            let (length, overflow) = next.subtractingReportingOverflow(time)
            guard !overflow, length > 0 else { return 0 }
            return length / entry.duration + (length % entry.duration > 0 ? 1 : 0)
        }
        if let count = bounds.complete(entry.duration, from: time) { return count }
        note(
            .warning, "open-timeline",
            "the repeat count of the last segment is unknown; it is used once")
        return 1
    }
}
