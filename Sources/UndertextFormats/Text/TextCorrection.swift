package import UndertextCore

/// The difference between a text and its correction, as replacements of as few words and letters as possible.
///
/// Styles and tags stay where they are; replaced letters take the style of those that they replace, and inserted
/// ones that of the letter before them.
package struct TextCorrection: Hashable, Sendable {
    /// Letters that replace others.
    package struct Replacement: Hashable, Sendable {
        /// The replaced bytes of the old text, in UTF-8; empty for an insertion.
        package var range: Range<Int>
        /// The letters that come in their place; empty for a removal.
        package var text: String
    }

    /// The text before the correction.
    package let old: String
    /// The corrected text.
    package let new: String
    /// The replacements by their position; they neither overlap nor touch.
    package private(set) var replacements: [Replacement] = []

    /// The number of words, spaces counted, that are compared one by one; longer changes are one replacement.
    ///
    /// The comparison takes up to the square of it in steps.
    private static let comparedWords = 500

    /// Compares two texts word by word, and changed words letter by letter.
    package init(from old: String, to new: String) {
        self.old = old
        self.new = new
        let (before, after) = (Self.words(of: old), Self.words(of: new))
        let shortest = min(before.count, after.count)
        var first = 0
        while first < shortest, before[first] == after[first] { first += 1 }
        var last = 0
        while last < shortest - first,
            before[before.count - 1 - last] == after[after.count - 1 - last]
        {
            last += 1
        }
        let changed = (
            before: first..<before.count - last, after: first..<after.count - last
        )
        let start = before[..<first].reduce(0) { $0 + $1.count }
        if max(changed.before.count, changed.after.count) > Self.comparedWords {
            add(before[changed.before].joined(), after[changed.after].joined(), at: start)
        } else {
            compare(Array(before[changed.before]), Array(after[changed.after]), from: start)
        }
    }

    /// The words of a text, and each white space by itself.
    private static func words(of text: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        var words: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte <= Byte.space {
            if start < index { words.append(bytes[start..<index]) }
            words.append(bytes[index...index])
            start = index + 1
        }
        if start < bytes.count { words.append(bytes[start...]) }
        return words
    }

    private mutating func compare(
        _ before: [ArraySlice<UInt8>], _ after: [ArraySlice<UInt8>], from start: Int
    ) {
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (index, other, position) = (0, 0, start)
        while index < before.count || other < after.count {
            var (gone, new): ([UInt8], [UInt8]) = ([], [])
            let from = position
            while true {
                if removed.contains(index) {
                    gone += before[index]
                    position += before[index].count
                    index += 1
                } else if inserted.contains(other) {
                    new += after[other]
                    other += 1
                } else {
                    break
                }
            }
            if gone.isEmpty, new.isEmpty {
                guard index < before.count else { break }
                position += before[index].count
                index += 1
                other += 1
            } else {
                add(gone, new, at: from)
            }
        }
    }

    /// Adds a replacement without the letters that both texts begin or end with.
    private mutating func add<Old: Collection, New: Collection>(
        _ gone: Old, _ new: New, at position: Int
    ) where Old.Element == UInt8, New.Element == UInt8 {
        let old = Array(String(decoding: gone, as: UTF8.self))
        let letters = Array(String(decoding: new, as: UTF8.self))
        let shortest = min(old.count, letters.count)
        var first = 0
        while first < shortest, Self.isSame(old[first], letters[first]) { first += 1 }
        var last = 0
        while last < shortest - first,
            Self.isSame(old[old.count - 1 - last], letters[letters.count - 1 - last])
        {
            last += 1
        }
        let start = position + old[..<first].reduce(0) { $0 + $1.utf8.count }
        let count = old[first..<old.count - last].reduce(0) { $0 + $1.utf8.count }
        let text = String(letters[first..<letters.count - last])
        guard count > 0 || !text.isEmpty else { return }
        replacements.append(Replacement(range: start..<start + count, text: text))
    }

    /// Compares code points: letters that only look alike differ.
    private static func isSame(_ left: Character, _ right: Character) -> Bool {
        left == right && left.unicodeScalars.elementsEqual(right.unicodeScalars)
    }

    // MARK: Styled text

    /// Returns a styled form of the old text with the replacements in its runs.
    ///
    /// Runs that lose all letters are removed.
    package func applied(to text: StyledText) -> StyledText {
        let runs = text.runs
        guard text.unstyled == nil, let last = runs.indices.last else { return StyledText(new) }
        var ends: [Int] = []
        for run in runs { ends.append((ends.last ?? 0) + run.text.utf8.count) }
        let bytes = runs.flatMap { Array($0.text.utf8) }
        var changed = [[UInt8]](repeating: [], count: runs.count)
        var current = 0
        // The run with a byte; bytes are asked for in their order.
        func run(at byte: Int) -> Int {
            while current < last, ends[current] <= byte { current += 1 }
            return current
        }
        var position = 0
        func copy(until end: Int) {
            while position < end {
                let index = run(at: position)
                let stop = min(end, max(ends[index], position + 1))
                changed[index] += bytes[position..<stop]
                position = stop
            }
        }
        for replacement in replacements {
            guard replacement.range.upperBound <= bytes.count else { break }
            copy(until: replacement.range.lowerBound)
            let start = replacement.range.lowerBound
            changed[run(at: replacement.range.isEmpty ? max(0, start - 1) : start)] +=
                replacement.text.utf8
            position = replacement.range.upperBound
        }
        copy(until: bytes.count)
        var result: [TextRun] = []
        for (index, run) in runs.enumerated() where !changed[index].isEmpty || run.text.isEmpty {
            var kept = run
            kept.text = String(decoding: changed[index], as: UTF8.self)
            result.append(kept)
        }
        return StyledText(runs: result)
    }
}
