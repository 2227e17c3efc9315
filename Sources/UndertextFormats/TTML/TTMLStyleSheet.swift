internal import UndertextCore

/// The `style` elements of a document, with what they refer to: TTML2, section 10.4.1.
struct TTMLStyleSheet {
    private struct Entry {
        var style: TTMLStyle
        var references: [String]
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    private var resolved: [String: TTMLStyle] = [:]

    /// Adds a `style` element; of two with one name, the first is used.
    mutating func add(_ element: TTMLElement) {
        guard !element.id.isEmpty, entries[element.id] == nil else { return }
        entries[element.id] = Entry(
            style: element.style, references: Self.names(element.references))
        order.append(element.id)
    }

    /// Resolves the chains of references after all styles are known.
    ///
    /// A reference to a style that is being resolved is ignored. A chain may be as long as the number of
    /// styles, so it is followed without recursion.
    mutating func resolve(notes: inout TTMLNotes) {
        for first in order where resolved[first] == nil {
            var path: [(id: String, next: Int)] = [(first, 0)]
            var onPath: Set<String> = [first]
            while let (id, next) = path.last {
                guard let entry = entries[id] else {
                    path.removeLast()
                    continue
                }
                if next < entry.references.count {
                    path[path.count - 1].next += 1
                    let reference = entry.references[next]
                    if onPath.contains(reference) {
                        notes.add(
                            .warning, "style-loop",
                            "the style '\(reference.prefix(60))' refers to itself")
                    } else if resolved[reference] == nil, entries[reference] != nil {
                        path.append((reference, 0))
                        onPath.insert(reference)
                    }
                    continue
                }
                var style = TTMLStyle()
                for reference in entry.references where !onPath.contains(reference) {
                    if let known = resolved[reference] { style.merge(known) }
                }
                style.merge(entry.style)
                resolved[id] = style
                onPath.remove(id)
                path.removeLast()
            }
        }
    }

    /// The combined properties of the styles of a `style` attribute; later ones win.
    func style(of references: String, notes: inout TTMLNotes) -> TTMLStyle {
        guard !references.isEmpty else { return TTMLStyle() }
        if let only = resolved[references] { return only }
        var style = TTMLStyle()
        for name in Self.names(references) {
            if let known = resolved[name] {
                style.merge(known)
            } else {
                notes.add(.warning, "unknown-style", "there is no style '\(name.prefix(60))'")
            }
        }
        return style
    }

    private static func names(_ references: String) -> [String] {
        references.utf8.split(whereSeparator: \.isSpace).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
