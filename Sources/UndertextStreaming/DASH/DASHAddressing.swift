internal import UndertextCore

/// The segment addressing of a representation (ISO/IEC 23009-1, section 5.3.9).
public struct DASHAddressing: Hashable, Sendable {
    /// An address and the part of the resource that counts.
    struct Place: Hashable, Sendable {
        var uri: String?
        var range: ByteRange?
    }

    /// An entry of a timeline: a segment and how often it repeats.
    struct Entry: Hashable, Sendable {
        /// The start; `nil` for the end of the previous segment.
        var time: Int64?
        var duration: Int64
        /// The repeat count; negative to repeat up to the next entry or the end.
        var repeats: Int64
        /// Its number; `nil` for one more than the one before.
        var number: Int64?
    }

    /// The parsed children of an addressing element.
    struct Parts {
        var initialization: Place?
        /// `nil` for none; an inner one without entries takes the place of an outer one.
        var timeline: [Entry]?
        /// Segments that are listed one by one.
        var places: [Place] = []
    }

    /// The kind of addressing.
    enum Kind: Hashable, Sendable {
        /// One resource, all of it or what its index says.
        case single
        /// Listed one by one.
        case list([Place])
        /// By a template.
        case template(String)
    }

    var kind = Kind.single
    /// The initialization section.
    var initialization: Place?
    /// The template of that.
    var initializationTemplate: String?
    /// The unit of the times.
    var timeBase = TimeBase(1, 1)
    /// The duration of each segment; `nil` if there is a timeline or a single segment.
    var duration: Int64?
    /// The number of the first.
    var startNumber: Int64 = 1
    /// The number of the last segment; `nil` if the duration of the period determines it.
    var endNumber: Int64?
    /// The time that is the beginning of the period.
    var offset: Int64 = 0
    /// The time by which segments of a live stream are available before they are complete.
    var availabilityOffset = Duration.zero
    /// The byte range of the index of a single resource.
    var indexRange: ByteRange?
    /// The timeline; empty for none.
    var timeline: [Entry] = []

    /// `true` if the representation is one resource.
    public var isSingle: Bool { kind == .single }

    /// Combines elements of one kind, outermost first: inner ones override outer ones, but availability offsets
    /// add up.
    ///
    /// A template without a name for media leaves what is one resource.
    ///
    /// - Throws: `UndertextError`: `limit` where a template is longer than allowed.
    init(
        _ elements: [ManifestElement], limits: StreamingLimits, notes: inout StreamingNotes
    ) throws(UndertextError) {
        for template in elements.flatMap({ [$0["media"], $0["initialization"]] }) {
            guard template?.utf8.count ?? 0 <= limits.templateLength else {
                throw UndertextError(
                    .limit, "a template is longer than \(limits.templateLength) bytes")
            }
        }
        var places: [Place] = []
        for element in elements {
            let parts = Self.parts(of: element, limits, &notes)
            take(element, parts)
            if !parts.places.isEmpty { places = parts.places }
        }
        if let media = elements.last(where: { $0["media"] != nil })?["media"] {
            kind = .template(media)
        } else if !places.isEmpty {
            kind = .list(places)
        }
    }

    /// Parses the children of an element once, even if many representations inherit them.
    private static func parts(
        of element: ManifestElement, _ limits: StreamingLimits, _ notes: inout StreamingNotes
    ) -> Parts {
        if let parts = element.segmentParts { return parts }
        var parts = Parts()
        if let place = element.child("Initialization") {
            parts.initialization = Place(
                uri: place["sourceURL"], range: place["range"].flatMap(range))
        }
        parts.timeline = element.child("SegmentTimeline").map { entries(of: $0, &notes) }
        parts.places = element.all("SegmentURL").prefix(limits.segments).map {
            Place(uri: $0["media"], range: $0["mediaRange"].flatMap(range))
        }
        element.segmentParts = parts
        return parts
    }

    private mutating func take(_ element: ManifestElement, _ parts: Parts) {
        if let value = element.number("timescale"), let ticks = Int32(exactly: value), ticks > 0 {
            timeBase = TimeBase(1, ticks)
        }
        duration = element.number("duration").flatMap { $0 > 0 ? $0 : nil } ?? duration
        startNumber = element.number("startNumber") ?? startNumber
        endNumber = element.number("endNumber") ?? endNumber
        offset = element.number("presentationTimeOffset") ?? offset
        availabilityOffset += Self.availabilityOffset(of: element)
        indexRange = element["indexRange"].flatMap(Self.range) ?? indexRange
        initializationTemplate = element["initialization"] ?? initializationTemplate
        initialization = parts.initialization ?? initialization
        timeline = parts.timeline ?? timeline
    }

    private static func entries(
        of timeline: ManifestElement, _ notes: inout StreamingNotes
    ) -> [Entry] {
        timeline.all("S").compactMap { entry in
            guard let duration = entry.number("d"), duration > 0 else {
                notes.add(
                    .error, "bad-timeline", "an entry of a timeline without length is left out")
                return nil
            }
            return Entry(
                time: entry.number("t"), duration: duration,
                repeats: entry["r"].flatMap { Int64($0) } ?? 0, number: entry.number("n"))
        }
    }

    /// `@availabilityTimeOffset` of an element, in seconds; `INF` is longer than any presentation.
    static func availabilityOffset(of element: ManifestElement) -> Duration {
        let text = element["availabilityTimeOffset"] ?? ""
        return text == "INF" ? .seconds(1_000_000_000) : HTTPResponse.seconds(text) ?? .zero
    }

    /// `first-last` in bytes.
    private static func range(_ text: String) -> ByteRange? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = UInt64(parts[0]), let last = UInt64(parts[1]),
            last >= first, let count = Int(exactly: last - first), count < .max
        else { return nil }
        return ByteRange(offset: first, count: count + 1)
    }
}
