/// An element of a document, as far as it matters for what is shown.
final class TTMLElement {
    /// What an element is.
    enum Kind: UInt8 {
        case document
        case head
        case styling
        case layout
        case style
        case initial
        case region
        case body
        case division
        case paragraph
        case span
        case lineBreak
        case set
        case metadata
        case title
        case agent
        case agentName
        case image
        /// Bytes in base64: `data`, `chunk`, `smpte:image`.
        case data
        /// `source`, `resources`: they hold others.
        case holder
    }

    /// What stands between the tags.
    enum Content {
        case element(TTMLElement)
        case text(String)
    }

    let kind: Kind
    var content: [Content] = []
    /// `xml:id`.
    var id = ""
    /// As stated: from the reference point of its container.
    var begin: TTMLTime?
    var end: TTMLTime?
    var duration: TTMLTime?
    var isSequence = false
    /// `region`.
    var regionID = ""
    /// The styles that are referred to, then the attributes of the element itself.
    var style = TTMLStyle()
    /// `style`.
    var references = ""
    /// `xml:lang`; `nil` = as around it.
    var language: String?
    /// `xml:space`; `nil` = as around it.
    var keepsSpace: Bool?
    /// `ttm:agent`, and what else an element of its kind has one of: an address, an encoding.
    var notes = ""
    /// What the agents of a paragraph or a span are called; empty for none.
    var voice = ""

    /// When it is active; what timing makes of the attributes.
    var active: Range<TTMLTime> = 0..<0
    /// Its animations.
    var sets: [TTMLElement] = []
    /// When they begin or end, sorted.
    var setTimes: [TTMLTime] = []

    init(_ kind: Kind) { self.kind = kind }

    /// The elements within it.
    var children: some Sequence<TTMLElement> {
        content.lazy.compactMap { part in
            if case .element(let element) = part { element } else { nil }
        }
    }

    /// The text within it, without that of its elements.
    var text: String {
        var result = ""
        for case .text(let part) in content { result += part }
        return result
    }

    /// The settings that hold at a time: its own, then those of its animations.
    func settings(at time: TTMLTime) -> TTMLStyle {
        guard !sets.isEmpty else { return style }
        var result = style
        for set in sets where set.active.contains(time) { result.merge(set.style) }
        return result
    }
}
