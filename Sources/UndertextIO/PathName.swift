internal import UndertextCore

/// Textual operations on paths, without access to the file system.
package enum PathName {
    /// The last component: `c.tar.gz` of `/a/b/c.tar.gz`, empty for a path that ends in `/`.
    package static func baseName(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The path without its last component: `/a/b`, `/`, or `.` if there is no slash.
    package static func directoryName(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        var folder = path[..<slash]
        while folder.utf8.last == UInt8(ascii: "/") { folder = folder.dropLast() }
        return folder.isEmpty ? "/" : String(folder)
    }

    /// The extension of the last component without its dot, in its original case: `gz`; empty if there is none.
    ///
    /// A leading dot does not start an extension.
    package static func fileExtension(_ path: String) -> String {
        let name = baseName(path)
        guard let dot = extensionDot(name) else { return "" }
        return String(name[name.utf8.index(after: dot)...])
    }

    /// The last component without its last extension: `c.tar`.
    package static func stem(_ path: String) -> String {
        let name = baseName(path)
        guard let dot = extensionDot(name) else { return name }
        return String(name[..<dot])
    }

    /// Joins a folder and a name; returns the name alone if the folder is empty or `.`.
    package static func joining(_ folder: String, _ name: String) -> String {
        if folder.isEmpty || folder == "." || name.utf8.first == UInt8(ascii: "/") { return name }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
    }

    /// Converts untrusted text to a single safe path component.
    ///
    /// Slashes, control characters, bidirectional marks and characters that other systems forbid become `_`.
    /// Leading and trailing dots and spaces are removed, so that the result is never `..` or a hidden name.
    ///
    /// - Parameters:
    ///   - text: The text, such as the name of an attachment.
    ///   - limit: The maximum length in bytes; the extension is preserved if possible.
    /// - Returns: The name, or `nil` if nothing remains.
    package static func sanitised(_ text: String, limit: Int = 200) -> String? {
        // Work on scalars, not characters: a dot with a combining mark still hides a file.
        let scalars = text.unicodeScalars.map { isFit($0) ? $0 : "_" }
        guard let start = scalars.firstIndex(where: { !isEdge($0) }),
            scalars.contains(where: { $0 != "_" && !isEdge($0) })
        else { return nil }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: scalars[start...])
        var result = shortened(String(name), to: limit)
        while let last = result.unicodeScalars.last, isEdge(last) {
            result.unicodeScalars.removeLast()
        }
        return result.isEmpty ? nil : result
    }

    private static func isEdge(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == " " }

    /// Truncates a name to `limit` bytes at a character boundary, and preserves a short extension.
    static func shortened(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        let ending = fileExtension(name)
        let suffix = ending.isEmpty || ending.utf8.count >= min(16, limit) ? "" : ".\(ending)"
        return String(prefix(of: name, bytes: max(0, limit - suffix.utf8.count))) + suffix
    }

    /// The longest prefix of whole scalars that fits into `bytes` bytes.
    static func prefix(of text: String, bytes: Int) -> Substring {
        guard text.utf8.count > bytes else { return text[...] }
        var end = text.utf8.index(text.startIndex, offsetBy: max(0, bytes))
        // Bytes 10xxxxxx continue a scalar.
        while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 {
            end = text.utf8.index(before: end)
        }
        return text[..<end]
    }

    private static func extensionDot(_ name: String) -> String.Index? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex
        else { return nil }
        return name.utf8[..<dot].allSatisfy { $0 == UInt8(ascii: ".") } ? nil : dot
    }

    private static func isFit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": false
        // These scalars represent bytes of names that are not UTF-8.
        case _ where PathText.byte(of: scalar) != nil: false
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
    }
}
