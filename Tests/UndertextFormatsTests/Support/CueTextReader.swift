/// Reads cue text back: each character with the tags around it.
///
/// W3C WebVTT, section 6.4, without named character references beyond those that are written.
struct CueTextReader {
    struct Letter: Equatable {
        var character: Character
        var tags: Set<String>
        var shownAt: String?
    }

    var letters: [Letter] = []
    var isBalanced = true

    init(_ text: String) {
        var open: [String] = []
        var shownAt: String?
        var rest = Substring(text)
        while let next = rest.first {
            if next == "<" {
                guard let close = rest.firstIndex(of: ">") else {
                    isBalanced = false
                    return
                }
                let tag = rest[rest.index(after: rest.startIndex)..<close]
                rest = rest[rest.index(after: close)...]
                if tag.first?.isNumber == true {
                    shownAt = String(tag)
                } else if tag.hasPrefix("/") {
                    let name = tag.dropFirst()
                    if name == "ruby", open.last == "rt" { open.removeLast() }
                    let isInnermost = open.last?.prefix { $0 != "." && $0 != " " } == name
                    if isInnermost { open.removeLast() } else { isBalanced = false }
                } else {
                    var name = String(tag)
                    while name.last == " " { name.removeLast() }
                    open.append(Self.decoded(name))
                }
            } else if next == "&" {
                let known = ["&amp;": "&", "&lt;": "<", "&gt;": ">"]
                guard let (name, value) = known.first(where: { rest.hasPrefix($0.key) }) else {
                    isBalanced = false
                    return
                }
                append(Character(value), open, shownAt)
                rest = rest.dropFirst(name.count)
            } else {
                append(next, open, shownAt)
                rest = rest.dropFirst()
            }
        }
        isBalanced = isBalanced && open.isEmpty
    }

    var plain: String { String(letters.map(\.character)) }

    private mutating func append(_ character: Character, _ open: [String], _ time: String?) {
        letters.append(Letter(character: character, tags: Set(open), shownAt: time))
    }

    private static func decoded(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).enumerated().map {
            guard $0.offset > 0 else { return String($0.element) }
            for (name, value) in [("amp;", "&"), ("lt;", "<"), ("gt;", ">")]
            where $0.element.hasPrefix(name) {
                return value + $0.element.dropFirst(name.count)
            }
            return "&" + $0.element
        }.joined()
    }
}
