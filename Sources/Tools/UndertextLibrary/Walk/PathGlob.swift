/// A pattern of paths: `*` and `?` stay within a name, `**` matches any number of folders, `[a-z]` is a set.
///
/// A pattern without a slash is compared with the last name of a path, others with the whole path below the root.
package struct PathGlob: Hashable, Sendable {
    private let components: [[Unicode.Scalar]]
    private let isName: Bool

    /// Creates a pattern.
    package init(_ pattern: String) {
        isName = !pattern.utf8.contains(UInt8(ascii: "/"))
        components = pattern.split(separator: "/").map { Array($0.unicodeScalars) }
    }

    /// `true` if a path below the root, without a slash at its beginning, matches.
    package func matches(_ path: String) -> Bool {
        let names = path.split(separator: "/").map { Array($0.unicodeScalars) }
        guard isName else { return Self.matches(components, names) }
        guard let name = names.last, let pattern = components.first else { return false }
        return Self.matches(pattern, name)
    }

    /// Only the last `**` is ever reconsidered: what an earlier one takes, it could take as well.
    private static func matches(
        _ pattern: [[Unicode.Scalar]], _ names: [[Unicode.Scalar]]
    ) -> Bool {
        var (position, index) = (0, 0)
        var retry: (position: Int, index: Int)?
        while index < names.count {
            if position < pattern.count, pattern[position] == ["*", "*"] {
                retry = (position + 1, index)
                position += 1
            } else if position < pattern.count, matches(pattern[position], names[index]) {
                position += 1
                index += 1
            } else if let last = retry {
                retry = (last.position, last.index + 1)
                (position, index) = (last.position, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == ["*", "*"] }
    }

    private static func matches(_ pattern: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Bool {
        var (position, index) = (0, 0)
        var retry: (position: Int, index: Int)?
        while index < name.count {
            if position < pattern.count, pattern[position] == "*" {
                retry = (position + 1, index)
                position += 1
            } else if let end = matchEnd(pattern, position, name[index]) {
                position = end
                index += 1
            } else if let last = retry {
                retry = (last.position, last.index + 1)
                (position, index) = (last.position, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == "*" }
    }

    /// The position after the element that matches one character; `nil` if it does not match.
    private static func matchEnd(
        _ pattern: [Unicode.Scalar], _ position: Int, _ scalar: Unicode.Scalar
    ) -> Int? {
        guard position < pattern.count else { return nil }
        switch pattern[position] {
        case "?": return position + 1
        case "\\" where position + 1 < pattern.count:
            return pattern[position + 1] == scalar ? position + 2 : nil
        case "[":
            // Without its end, a bracket matches itself.
            guard let end = setEnd(pattern, position) else {
                return scalar == "[" ? position + 1 : nil
            }
            return set(pattern[(position + 1)..<end], contains: scalar) ? end + 1 : nil
        case let other: return other == scalar ? position + 1 : nil
        }
    }

    private static func setEnd(_ pattern: [Unicode.Scalar], _ start: Int) -> Int? {
        var end = start + 1
        if end < pattern.count, pattern[end] == "!" || pattern[end] == "^" { end += 1 }
        // A bracket that comes first is a member.
        if end < pattern.count, pattern[end] == "]" { end += 1 }
        return pattern[min(end, pattern.count)...].firstIndex(of: "]")
    }

    private static func set(
        _ members: ArraySlice<Unicode.Scalar>, contains scalar: Unicode.Scalar
    ) -> Bool {
        var rest = members
        let isInverted = rest.first == "!" || rest.first == "^"
        if isInverted { rest = rest.dropFirst() }
        var isFound = false
        while let first = rest.popFirst() {
            if rest.count >= 2, rest.first == "-", let last = rest.dropFirst().first {
                rest = rest.dropFirst(2)
                isFound = isFound || (first.value <= scalar.value && scalar.value <= last.value)
            } else {
                isFound = isFound || first == scalar
            }
        }
        return isFound != isInverted
    }
}
