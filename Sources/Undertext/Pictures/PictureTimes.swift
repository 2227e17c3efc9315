internal import SubtitleFormats
internal import SystemIO

/// The times of an `index.json` beside an `index.xml`: BDN XML counts frames, JSON tells nanoseconds.
struct PictureTimes {
    private struct Span: Hashable {
        var start: Timestamp
        var end: Timestamp
    }

    /// The times of each picture's cue, by the name of its file.
    private let spans: [String: Span]

    /// Reads an index of ours; what is none says nothing.
    init(_ index: [UInt8]) {
        var found: [String: Span] = [:]
        PictureIndexScanner.scan(index) { entry in
            guard let start = entry.start, let end = entry.end else { return }
            for name in entry.files { found[name] = Span(start: start, end: end) }
        }
        spans = found
    }

    /// The events of a BDN XML with these times.
    ///
    /// - Returns: `nil` where the two do not list the same pictures, or where a time is another one
    ///   than frames could make of it: then somebody has changed the XML, and it counts.
    func applied(to document: BDNDocument) -> [BDNDocument.Event]? {
        var seen: Set<String> = []
        var events: [BDNDocument.Event] = []
        // A start is rounded to a frame; an end lies a frame behind it at least.
        let frame = Timestamp.zero.duration(to: document.frameRate.time(ofFrame: 1))
        for event in document.events {
            let found = Set(event.graphics.map { spans[$0.file] })
            guard found.count == 1, let span = found.first ?? nil, span.end > span.start,
                Self.areNear(span.start, event.start, frame),
                Self.areNear(span.end, event.end, frame + frame)
            else { return nil }
            seen.formUnion(event.graphics.map(\.file))
            var exact = event
            (exact.start, exact.end) = (span.start, span.end)
            events.append(exact)
        }
        guard seen.count == spans.count else { return nil }
        return events
    }

    private static func areNear(
        _ one: Timestamp, _ other: Timestamp, _ limit: Duration
    ) -> Bool {
        one < other ? one.duration(to: other) <= limit : other.duration(to: one) <= limit
    }
}
