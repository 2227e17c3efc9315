internal import UndertextCore

/// Computes active intervals: TTML2, section 12.
///
/// An element without an end ends with its content; text has no end in a parallel container and no duration in
/// a sequential one.
enum TTMLTiming {
    /// Computes the active interval of every content element and region.
    static func resolve(_ tree: TTMLTree) {
        for region in tree.regions.values { resolve(region: region) }
        if let body = tree.body {
            _ = resolve(body, from: 0, limit: .indefinite)
        }
    }

    private static func resolve(region: TTMLElement) {
        if region.neverBegins { return }
        let begin = region.begin ?? 0
        region.active = begin..<max(begin, explicitEnd(of: region, from: 0) ?? .indefinite)
        resolve(sets: region)
    }

    /// The end that the attributes state, from the reference point of the container.
    private static func explicitEnd(of element: TTMLElement, from reference: TTMLTime) -> TTMLTime?
    {
        let begin = reference.later(by: element.begin ?? 0)
        let ends = [
            element.end.map { reference.later(by: $0) },
            element.duration.map { begin.later(by: $0) },
        ].compactMap { $0 }
        return ends.min()
    }

    /// Resolves an element and what it holds; returns its end before its container cuts it.
    private static func resolve(
        _ element: TTMLElement, from reference: TTMLTime, limit: TTMLTime
    ) -> TTMLTime {
        // An element that never begins has no duration, nor have its children.
        if element.neverBegins { return reference }
        let begin = reference.later(by: element.begin ?? 0)
        let explicit = explicitEnd(of: element, from: reference)
        let cut = min(explicit ?? .indefinite, limit)
        var next = begin
        var latest = begin
        for part in element.content {
            switch part {
            case .text(let text):
                // White space between the spans of a paragraph is none of its text.
                guard !element.isSequence,
                    element.kind == .span || text.utf8.contains(where: { !$0.isSpace })
                else { continue }
                latest = .indefinite
            case .element(let child):
                guard isTimed(child) else { continue }
                let end = resolve(child, from: element.isSequence ? next : begin, limit: cut)
                if element.isSequence { next = end }
                latest = element.isSequence ? end : max(latest, end)
            }
        }
        if element.kind == .lineBreak || element.kind == .image || element.hasImage {
            latest = .indefinite
        }
        let end = explicit ?? latest
        element.active = begin..<max(begin, min(end, limit))
        resolve(sets: element)
        return end
    }

    private static func isTimed(_ element: TTMLElement) -> Bool {
        switch element.kind {
        case .body, .division, .paragraph, .span, .lineBreak, .image: true
        default: false
        }
    }

    private static func resolve(sets element: TTMLElement) {
        guard !element.sets.isEmpty else { return }
        let (begin, end) = (element.active.lowerBound, element.active.upperBound)
        var times: Set<TTMLTime> = []
        for set in element.sets where !set.neverBegins {
            let start = begin.later(by: set.begin ?? 0)
            let stop = min(explicitEnd(of: set, from: begin) ?? .indefinite, end)
            set.active = start..<max(start, stop)
            guard start < stop else { continue }
            times.insert(start)
            times.insert(stop)
        }
        element.setTimes = times.sorted()
    }
}
