package import UndertextCore

/// A tag of stored text that opens or closes nothing.
package struct UnbalancedTag: Hashable, Sendable {
    /// The tag as authors write it, such as `<i>`, `</b>` or `{`.
    package let text: String
    /// `true` if it closes what no tag opens; `false` if nothing closes it.
    package let isClosing: Bool

    init(_ text: String, isClosing: Bool = false) {
        self.text = text
        self.isClosing = isClosing
    }
}

extension CueSource {
    /// The tags that nothing closes or opens, each spelling once; empty if all are balanced.
    package var unbalancedTags: [UnbalancedTag] {
        switch self {
        case .subRip(let text): SubRipTagBalance.unbalanced(in: Array(text.utf8))
        case .webVTT(let text): WebVTTTagBalance.unbalanced(in: Array(text.utf8))
        case .ass(let event): ASSTagBalance.unbalanced(in: event)
        }
    }
}

/// Counts the tags of a text by name.
struct TagBalance {
    private var open: [(name: String, count: Int)] = []
    private var stray: [String] = []

    /// Counts a tag that opens something.
    mutating func open(_ name: String) {
        if let place = open.firstIndex(where: { $0.name == name }) {
            open[place].count += 1
        } else {
            open.append((name, 1))
        }
    }

    /// Counts a tag that closes something.
    mutating func close(_ name: String) {
        if let place = open.firstIndex(where: { $0.name == name && $0.count > 0 }) {
            open[place].count -= 1
        } else if !stray.contains(name) {
            stray.append(name)
        }
    }

    /// The tags between angle brackets that are left over, except those whose end tag may be left out.
    func unbalanced(except optional: Set<String> = []) -> [UnbalancedTag] {
        open.filter { $0.count > 0 && !optional.contains($0.name) }
            .map { UnbalancedTag("<\($0.name)>") }
            + stray.map { UnbalancedTag("</\($0)>", isClosing: true) }
    }
}
