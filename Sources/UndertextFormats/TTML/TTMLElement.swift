internal import UndertextCore

/// An element of a document, reduced to its presentation.
final class TTMLElement {
    /// The kind of an element.
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

    /// The content between the tags.
    enum Content {
        case element(TTMLElement)
        case text(String)
    }

    let kind: Kind
    var isSequence = false
    /// `true` if its `begin` is not a time of the document's clock, so the start is not known.
    var neverBegins = false
    /// `xml:space`; `nil` = as around it.
    var keepsSpace: Bool?
    var content: [Content] = []
    /// `xml:id`.
    var id = ""
    /// `region`.
    var regionID = ""
    /// The styles that are referred to, then the attributes of the element itself.
    var style = TTMLStyle()
    /// `style`.
    var references = ""
    /// The active interval, computed by timing from the attributes.
    var active: Range<TTMLTime> = 0..<0

    // Documents have elements by the million: rarely stated properties share one word, and unstated times need
    // no flag.
    private var statedBegin = TTMLTime.unstated
    private var statedEnd = TTMLTime.unstated
    private var statedDuration = TTMLTime.unstated
    private var extras: Extras?

    /// The properties that most elements lack.
    private final class Extras {
        var language: String?
        var notes = ""
        var voice = ""
        var sets: [TTMLElement] = []
        var setTimes: [TTMLTime] = []
    }

    init(_ kind: Kind) { self.kind = kind }

    private func madeExtras() -> Extras {
        let made = extras ?? Extras()
        extras = made
        return made
    }

    /// The stated begin, relative to the reference point of its container.
    var begin: TTMLTime? {
        get { statedBegin.stated }
        set { statedBegin = newValue ?? .unstated }
    }
    /// The stated end, relative to the reference point of its container.
    var end: TTMLTime? {
        get { statedEnd.stated }
        set { statedEnd = newValue ?? .unstated }
    }
    /// The stated duration.
    var duration: TTMLTime? {
        get { statedDuration.stated }
        set { statedDuration = newValue ?? .unstated }
    }
    /// `xml:lang`; `nil` = as around it.
    var language: String? {
        get { extras?.language }
        set { madeExtras().language = newValue }
    }
    /// `ttm:agent`, and what else an element of its kind has one of: an address, an encoding.
    var notes: String {
        get { extras?.notes ?? "" }
        set { madeExtras().notes = newValue }
    }
    /// The names of the agents of a paragraph or a span; empty for none.
    var voice: String {
        get { extras?.voice ?? "" }
        set { madeExtras().voice = newValue }
    }
    /// Its animations.
    var sets: [TTMLElement] { extras?.sets ?? [] }

    /// Adds an animation.
    func add(set element: TTMLElement) { madeExtras().sets.append(element) }

    /// The times at which its animations begin or end, sorted.
    var setTimes: [TTMLTime] {
        get { extras?.setTimes ?? [] }
        set { madeExtras().setTimes = newValue }
    }

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

    /// `true` if it is an image or has a background image.
    var hasImage: Bool {
        style.settings.contains { if case .image = $0 { true } else { false } }
    }

    /// `true` if there is a letter within it.
    var hasWords: Bool {
        content.contains { part in
            switch part {
            case .text(let text): text.utf8.contains { !$0.isSpace }
            case .element(let element): element.hasWords
            }
        }
    }

    /// The settings that hold at a time: its own, then those of its animations.
    func settings(at time: TTMLTime) -> TTMLStyle {
        guard !sets.isEmpty else { return style }
        var result = style
        for set in sets where set.active.contains(time) { result.merge(set.style) }
        return result
    }
}

extension TTMLTime {
    /// No time: stated ones are never negative.
    fileprivate static let unstated: TTMLTime = -1

    fileprivate var stated: TTMLTime? { self < 0 ? nil : self }
}
