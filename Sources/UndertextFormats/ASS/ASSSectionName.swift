internal import UndertextCore

/// The sections of a script that mean something to us.
enum ASSSectionName: Hashable {
    case info
    case styles(isLegacy: Bool)
    case events
    case fonts
    case graphics

    /// The section of a heading such as `[Script Info]`, compared without case; `nil` for others.
    init?(_ heading: ArraySlice<UInt8>) {
        guard heading.first == 0x5B, let end = heading.firstIndex(of: 0x5D) else { return nil }
        let name = heading[(heading.startIndex + 1)..<end].trimmed
        guard name.count <= 16 else { return nil }
        switch String(decoding: name.map(\.lowercased), as: UTF8.self) {
        case "script info": self = .info
        case "v4+ styles", "v4++ styles": self = .styles(isLegacy: false)
        case "v4 styles": self = .styles(isLegacy: true)
        case "events": self = .events
        case "fonts": self = .fonts
        case "graphics": self = .graphics
        default: return nil
        }
    }

    /// Whether a line begins a section.
    ///
    /// Encoded data may begin with `[`, too, but never holds spaces or small letters.
    static func isHeading(_ line: ArraySlice<UInt8>, withinData: Bool) -> Bool {
        guard let first = line.first(where: { !$0.isSpace }), first == 0x5B else { return false }
        guard withinData else { return true }
        let word = line.trimmed
        if ASSSectionName(word) != nil { return true }
        return word.last == 0x5D && word.contains { $0 == Byte.space || $0 > 0x60 }
    }
}
