internal import UndertextCore

/// The style sheet of a SAMI file: a subset of CSS, with languages.
///
/// Microsoft, "Understanding SAMI 1.0": classes are languages, identifiers are styles.
package struct SAMIStyleSheet: Sendable {
    /// The declarations of a rule.
    package struct Rule: Sendable {
        /// Properties by name in lower case; of two the later one counts.
        package fileprivate(set) var properties: [String: ArraySlice<UInt8>] = [:]

        /// `true` if it names a language, which makes its class one.
        package var isLanguage: Bool {
            properties["lang"] != nil || properties["name"] != nil
                || properties["samitype"] != nil || properties["sami_type"] != nil
        }
    }

    /// A selector in lower case, such as `p`, `.encc` or `#source`, and its rule, by first occurrence.
    package private(set) var rules: [(selector: String, rule: Rule)] = []
    /// The indices of the rules by their selectors.
    private var places: [String: Int] = [:]

    /// Bytes of a value.
    private static let longestValue = 256
    /// Rules that are kept, selectors of a rule and declarations of one that are read.
    private static let rulesAtMost = 1000
    private static let selectorsAtMost = 64
    private static let declarationsAtMost = 64

    /// Reads the content of `STYLE`.
    package init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rules.count < Self.rulesAtMost, let open = rest.firstIndex(of: 0x7B) {
            let close = rest[open...].firstIndex(of: 0x7D) ?? rest.endIndex
            let properties = Self.properties(rest[(open + 1)..<close])
            let selectors = Self.withoutComments(rest[..<open])
                .split(separator: 0x2C, maxSplits: Self.selectorsAtMost)
            for selector in selectors.prefix(Self.selectorsAtMost) {
                // `P.ENCC` is a class, too.
                let word = selector.trimmed
                let mark = word.lastIndex { $0 == 0x2E || $0 == 0x23 } ?? word.startIndex
                guard mark < word.endIndex, word.endIndex - mark <= 64 else { continue }
                let name = String(decoding: word[mark...].map(\.lowercased), as: UTF8.self)
                add(properties, to: name)
            }
            rest = rest[min(close + 1, rest.endIndex)...]
        }
    }

    /// The rule of a selector in lower case.
    package func rule(_ selector: String) -> Rule? {
        places[selector].map { rules[$0].rule }
    }

    private mutating func add(_ properties: [String: ArraySlice<UInt8>], to selector: String) {
        if let index = places[selector] {
            rules[index].rule.properties.merge(properties) { $1 }
        } else {
            places[selector] = rules.count
            rules.append((selector, Rule(properties: properties)))
        }
    }

    /// Reads `name: value; …`.
    package static func properties(_ bytes: ArraySlice<UInt8>) -> [String: ArraySlice<UInt8>] {
        var properties: [String: ArraySlice<UInt8>] = [:]
        let declarations = withoutComments(bytes)
            .split(separator: 0x3B, maxSplits: declarationsAtMost)
        for declaration in declarations.prefix(declarationsAtMost) {
            guard let colon = declaration.firstIndex(of: 0x3A) else { continue }
            let name = declaration[..<colon].trimmed
            guard name.count <= 32 else { continue }
            let value = declaration[(colon + 1)...].trimmed
            // Each paragraph reads what its class says.
            guard value.count <= longestValue else { continue }
            properties[String(decoding: name.map(\.lowercased), as: UTF8.self)] = unquoted(value)
        }
        return properties
    }

    /// The text in quotes, or all of it.
    package static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.count >= 2, let first = value.first, first == 0x22 || first == 0x27,
            value.last == first
        else { return value }
        return value.dropFirst().dropLast()
    }

    /// Without `/* … */`, and without the `<!--` and `-->` that hide a sheet from old browsers.
    package static func withoutComments(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(0x2F) || bytes.contains(0x2D) else { return bytes }
        var result: [UInt8] = []
        var index = bytes.startIndex
        var isComment = false
        while index < bytes.endIndex {
            let rest = bytes[index...]
            if isComment {
                isComment = !rest.starts(with: [0x2A, 0x2F])
                index += isComment ? 1 : 2
            } else if rest.starts(with: [0x2F, 0x2A]) {
                isComment = true
                index += 2
            } else if rest.starts(with: [0x3C, 0x21, 0x2D, 0x2D]) {
                index += 4
            } else if rest.starts(with: [0x2D, 0x2D, 0x3E]) {
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result[...]
    }
}
