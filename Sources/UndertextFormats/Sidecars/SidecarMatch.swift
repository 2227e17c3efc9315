internal import UndertextCore

/// The quality of the match between the names of a subtitle file and its video, the best first.
///
/// As the loosest accepted match it corresponds to mpv's `sub-auto`.
public enum SidecarMatch: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The video's name with only language, flags and number: `Movie.en.forced.srt`.
    case exact
    /// The video's name, a dot and other words as a title: `Movie.Directors Cut.en.srt`.
    case titled
    /// The video's name anywhere in it: `[Group] Movie - 2.srt`.
    case fuzzy
    /// Any subtitle file.
    case any

    /// `true` if the first is the better match.
    public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

/// A video's name without its extension, for comparisons that ignore the case of ASCII letters.
struct VideoStem: Hashable, Sendable {
    /// The name in lower case.
    let folded: [UInt8]

    /// The stem of a file's name: less its last extension, unless only dots precede it.
    init(fileName: String) {
        let bytes = Array(fileName.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            !bytes[..<dot].allSatisfy({ $0 == UInt8(ascii: ".") })
        else {
            folded = bytes.map(\.lowercased)
            return
        }
        folded = bytes[..<dot].map(\.lowercased)
    }

    /// `true` if a whole name is the video's.
    func isEqual(to name: [UInt8]) -> Bool {
        folded.count == name.count && begins(name[...])
    }

    /// `true` if a name begins with the video's.
    func begins(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count >= folded.count else { return false }
        return zip(folded, name).allSatisfy { $0 == $1.lowercased }
    }

    /// The rest of a name that begins with the video's name, if it is empty or begins a new word.
    func rest(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !folded.isEmpty, begins(name) else { return nil }
        let rest = name.dropFirst(folded.count)
        guard let next = rest.first else { return rest }
        return next.isNameSeparator || next.opensBracket ? rest : nil
    }

    /// The first occurrence of the video's name in a name; `nil` if the video's name is empty.
    func range(in name: ArraySlice<UInt8>) -> Range<Int>? {
        guard !folded.isEmpty, name.count >= folded.count else { return nil }
        for start in name.startIndex...(name.endIndex - folded.count)
        where begins(name[start...]) {
            return start..<(start + folded.count)
        }
        return nil
    }
}

extension UInt8 {
    /// `true` if it separates words of a name: dot, space, hyphen, underscore.
    var isNameSeparator: Bool {
        self == 0x2E || self == 0x20 || self == 0x2D || self == 0x5F
    }

    /// `true` if it is `(` or `[`.
    var opensBracket: Bool { self == 0x28 || self == 0x5B }

    /// `true` if it is `)` or `]`.
    var closesBracket: Bool { self == 0x29 || self == 0x5D }
}
