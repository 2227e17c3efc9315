internal import UndertextFormats
internal import UndertextIO

/// The times of an `index.json` beside an `index.xml`: BDN XML counts frames, JSON tells nanoseconds.
struct ImageTimes {
    private struct Span: Hashable {
        var start: Timestamp
        var end: Timestamp
    }

    /// The times of each image's cue, by the name of its file.
    private let spans: [String: Span]
    /// A Boolean value that indicates whether an image is listed that the XML does not name.
    private let hasForeignImage: Bool

    /// Reads an index of ours; what is none says nothing.
    ///
    /// Only images of `document` are remembered, whatever the index lists.
    init(_ index: [UInt8], of document: BDNDocument) {
        let named = Set(document.events.lazy.flatMap { $0.graphics.lazy.map(\.file) })
        var found: [String: Span] = [:]
        var isForeign = false
        ImageIndexScanner.scan(index) { entry in
            guard let start = entry.start, let end = entry.end else { return }
            for name in entry.files {
                if named.contains(name) {
                    found[name] = Span(start: start, end: end)
                } else {
                    isForeign = true
                }
            }
        }
        spans = found
        hasForeignImage = isForeign
    }

    /// The events of a BDN XML with these times.
    ///
    /// - Returns: `nil` where the two do not list the same images, or where a time is another one
    ///   than frames could make of it: then somebody has changed the XML, and it counts.
    func applied(to document: BDNDocument) -> [BDNDocument.Event]? {
        guard !hasForeignImage else { return nil }
        var seen: Set<String> = []
        seen.reserveCapacity(spans.count)
        var events = document.events
        // A start is rounded to a frame; an end lies a frame behind it at least.
        let frame = Timestamp.zero.duration(to: document.frameRate.time(ofFrame: 1))
        for (index, event) in document.events.enumerated() {
            guard let first = event.graphics.first, let span = spans[first.file],
                event.graphics.dropFirst().allSatisfy({ spans[$0.file] == span }),
                span.end > span.start,
                Self.areNear(span.start, event.start, frame),
                Self.areNear(span.end, event.end, frame + frame)
            else { return nil }
            for graphic in event.graphics { seen.insert(graphic.file) }
            (events[index].start, events[index].end) = (span.start, span.end)
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
