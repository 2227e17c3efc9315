package import UndertextCore

/// The content of a document from one time on, until the next intermediate synchronic document.
///
/// TTML2, section 11.3.1: an intermediate synchronic document.
package struct IntermediateSynchronicDocument: Hashable, Sendable {
    /// The time at which it begins.
    package var time: Timestamp
    /// `true` if it has neither text nor line breaks nor images.
    ///
    /// Text that is hidden and the backgrounds of regions do not count.
    package var isEmpty: Bool
    /// The texts of the paragraphs that can be seen, in the order of the document.
    package var texts: [String]

    /// The snapshots of a document, one for each time at which an element begins or ends.
    ///
    /// - Parameters:
    ///   - document: a complete XML document.
    ///   - limits: limits for memory and work.
    /// - Returns: the snapshots by time, the first at zero; none if the document is not TTML.
    package static func all(of document: [UInt8], limits: Limits = Limits())
        -> [IntermediateSynchronicDocument]
    {
        var notes = TTMLNotes()
        guard let tree = TTMLTree.reading(document, limits: limits, notes: &notes) else {
            return []
        }
        TTMLTiming.resolve(tree)
        var segmenter = TTMLSegmenter(tree, limits: limits)
        var sweep = TTMLSweep(times: TTMLSignificantTimes.all(of: tree))
        for item in TTMLContent(tree, notes: notes).items {
            for segment in segmenter.segments(of: item) where segment.composition.hasContent {
                sweep.add(segment)
            }
        }
        return sweep.snapshots()
    }
}

/// The times at which something begins or ends.
enum TTMLSignificantTimes {
    static func all(of tree: TTMLTree) -> [TTMLTime] {
        var times: Set<TTMLTime> = [0]
        for region in tree.regions.values { add(region, to: &times) }
        if let body = tree.body { visit(body, &times) }
        times.remove(.indefinite)
        return times.sorted()
    }

    private static func visit(_ element: TTMLElement, _ times: inout Set<TTMLTime>) {
        guard !element.active.isEmpty else { return }
        add(element, to: &times)
        for child in element.children { visit(child, &times) }
    }

    private static func add(_ element: TTMLElement, to times: inout Set<TTMLTime>) {
        guard !element.active.isEmpty else { return }
        times.insert(element.active.lowerBound)
        times.insert(element.active.upperBound)
        for time in element.setTimes { times.insert(time) }
    }
}

/// Goes through time and knows what is on screen.
private struct TTMLSweep {
    private let times: [TTMLTime]
    private var segments: [TTMLSegment] = []

    init(times: [TTMLTime]) { self.times = times }

    mutating func add(_ segment: TTMLSegment) { segments.append(segment) }

    func snapshots() -> [IntermediateSynchronicDocument] {
        var starts: [TTMLTime: [Int]] = [:]
        var ends: [TTMLTime: [Int]] = [:]
        for (index, segment) in segments.enumerated() {
            starts[segment.start, default: []].append(index)
            ends[segment.end, default: []].append(index)
        }
        var shown: Set<Int> = []
        return times.map { time in
            for index in ends[time] ?? [] { shown.remove(index) }
            for index in starts[time] ?? [] { shown.insert(index) }
            let texts = shown.sorted().compactMap { index -> String? in
                let composition = segments[index].composition
                return composition.isVisible && !composition.text.isEmpty
                    ? composition.text.plainText : nil
            }
            return IntermediateSynchronicDocument(
                time: Timestamp(nanoseconds: time), isEmpty: shown.isEmpty, texts: texts)
        }
    }
}
