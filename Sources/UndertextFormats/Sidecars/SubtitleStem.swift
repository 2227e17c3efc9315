public import UndertextCore

/// The properties in the name of a subtitle file without a video to compare it with: `Movie.pt-BR.forced.srt`.
///
/// Only the words at the end are used, and only if one of them is a language, by the tables of ``SidecarName``;
/// `default` among them has no effect on the text. A code that is written like a word of a title
/// (`The.Cat.srt`) is not a language.
public struct SubtitleStem: Hashable, Sendable {
    /// The name without extension, language and flags.
    public let title: String
    /// The language; `nil` if the name says `und`.
    public let language: LanguageTag?
    /// `true` if the name says `forced` or `foreign`.
    public let isForced: Bool
    /// `true` if the name says `sdh`, `cc`, or `hi` beside another language.
    public let isHearingImpaired: Bool

    /// A language and its flags: more parts are never looked at.
    private static let partsAtMost = 4

    /// Parses a file's base name without its extension; `nil` if it states no language.
    public init?(_ stem: String) {
        guard stem.utf8.count <= SidecarName.lengthLimit else { return nil }
        let bytes = Array(stem.utf8)
        var found: (start: Int, tail: SidecarTail)?
        var start = bytes.endIndex
        for _ in 0..<Self.partsAtMost {
            guard let dot = bytes[..<start].lastIndex(of: UInt8(ascii: ".")), dot > 0,
                !Self.isWordOfTitle(bytes[(dot + 1)..<start])
            else { break }
            let tail = SidecarTail(bytes[(dot + 1)...], .atEnd)
            guard tail.leftovers.isEmpty, tail.number == nil, !tail.isCommentary
            else { break }
            if tail.statesLanguage { found = (dot, tail) }
            start = dot
        }
        guard let (end, tail) = found else { return nil }
        title = String(decoding: bytes[..<end], as: UTF8.self)
        language = tail.language
        isForced = tail.isForced
        isHearingImpaired = tail.isHearingImpaired
    }

    /// Returns `true` if a part is empty, or is short and has a capital letter followed by small ones.
    private static func isWordOfTitle(_ part: ArraySlice<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        return part.count <= 3 && (0x41...0x5A).contains(first)
            && part.dropFirst().allSatisfy { (0x61...0x7A).contains($0) }
    }
}
