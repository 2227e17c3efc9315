internal import UndertextCore

/// The cues of one document, times on the document's clock.
struct TTMLCues {
    /// A cue, and the part of it that the decoder decides on.
    struct Entry {
        var cue: Cue
        /// `nil` where nothing ends it.
        var end: Timestamp?
    }

    /// By start; those of one start in the order of the document.
    private(set) var entries: [Entry] = []
    /// The last time at which something begins or ends.
    private(set) var documentEnd = Timestamp.zero
    private(set) var notes: TTMLNotes
    private let tree: TTMLTree
    private var painter: TTMLPainter

    /// Creates the cues of a document.
    ///
    /// - Parameters:
    ///   - tree: the document.
    ///   - part: the range of document time to convert; `nil` for all.
    ///   - images: decodes and places images.
    ///   - limits: the limit for the number of cues.
    ///   - notes: the notes about the document so far.
    init(
        _ tree: TTMLTree, part: Range<TTMLTime>?, images: TTMLPainter, limits: Limits,
        notes: TTMLNotes
    ) {
        self.tree = tree
        painter = images
        TTMLTiming.resolve(tree)
        let found = TTMLContent(tree, notes: notes)
        self.notes = found.notes
        var segmenter = TTMLSegmenter(tree, limits: limits)
        entries.reserveCapacity(min(found.items.count, limits.cues))
        var made = 0
        var latest: TTMLTime = 0
        for item in found.items {
            guard made < limits.cues else {
                self.notes.add(
                    .error, "too-many-cues", "more than \(limits.cues) cues; the rest is left out")
                break
            }
            if let part, !item.active.overlaps(part) { continue }
            var isFirst = true
            for segment in segmenter.partedSegments(of: item) {
                latest = max(latest, segment.start)
                if segment.end != .indefinite { latest = max(latest, segment.end) }
                // At the end of all times nothing can have a length.
                guard segment.composition.isVisible else { continue }
                guard segment.start < .latest - 1_000_000_000 else {
                    self.notes.add(
                        .warning, "time-too-large",
                        "elements that begin after more than 73 years are left out")
                    continue
                }
                add(segment, of: item.element, isFirst: isFirst)
                made += 1
                isFirst = false
            }
        }
        documentEnd = Timestamp(nanoseconds: latest)
        if segmenter.isExhausted {
            self.notes.add(
                .error, "too-complex",
                "the document changes too often; some texts keep their first appearance")
        }
        if segmenter.omitted > 0 {
            self.notes.add(
                .error, "too-complex",
                "the document changes too often; \(segmenter.omitted) texts are left out")
        }
        sortEntries()
    }

    /// Sorts by start; those of one start stay in the order of the document.
    private mutating func sortEntries() {
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy {
            $0.cue.start <= $1.cue.start
        }
        if isSorted { return }
        let order = entries.indices.sorted {
            (entries[$0].cue.start, $0) < (entries[$1].cue.start, $1)
        }
        entries = order.map { entries[$0] }
    }

    private mutating func add(_ segment: TTMLSegment, of element: TTMLElement, isFirst: Bool) {
        let composition = segment.composition
        let start = Timestamp(nanoseconds: segment.start)
        let content: CueContent
        if let address = composition.image {
            guard let images = painter.images(address, composition, at: start, notes: &notes)
            else { return }
            content = .images(images)
        } else {
            content = .text(composition.text)
            if composition.losesRuby {
                notes.add(
                    .warning, "style-left-out", "the second line of ruby text is left out",
                    time: start)
            }
        }
        var cue = Cue(
            // Parts of one paragraph must not have one name.
            identifier: isFirst && element.id.utf8.first != 1 ? element.id : "",
            start: start, end: start, isForced: composition.isForced,
            layout: composition.layout, content: content)
        if let last = entries.last { cue.shareExtras(with: last.cue) }
        let end = segment.end == .indefinite ? nil : Timestamp(nanoseconds: segment.end)
        entries.append(Entry(cue: cue, end: end))
    }
}
