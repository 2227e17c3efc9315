package import UndertextCore

/// A shared credentials or configuration file of the AWS tools: sections with settings.
///
/// The format is that of the AWS SDKs and Tools Reference Guide, "Shared config and credentials files". Settings
/// that are indented below a setting without a value belong to it: `s3.addressing_style`.
package struct AWSProfileFile: Sendable {
    /// A setting with its line, for messages.
    package struct Setting: Hashable, Sendable, CustomReflectable {
        /// The value, which may be a secret.
        package let value: String
        /// The line, from 1.
        package let line: Int

        /// A mirror without the value, so that `dump` shows no secrets.
        package var customMirror: Mirror { Mirror(self, children: ["line": line]) }
    }

    private var sections: [String: [String: Setting]] = [:]

    /// Parses the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - path: The path, for messages.
    /// - Throws: ``UndertextError`` with code `malformed`, which names the line.
    package init(_ bytes: [UInt8], path: String) throws(UndertextError) {
        var parser = Parser(path: path)
        var rest = bytes[...]
        // A byte order mark that editors of Windows write.
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        for line in rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            try parser.take(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        sections = parser.sections
    }

    /// The settings of a section by their names in lower case; `nil` if there is no such section.
    package func section(_ name: String) -> [String: Setting]? { sections[name] }

    private struct Parser {
        let path: String
        var sections: [String: [String: Setting]] = [:]
        private var number = 0
        private var section: String?
        /// The setting that an indented line belongs to.
        private var parent: String?
        private var parentIsEmpty = false

        init(path: String) { self.path = path }

        mutating func take(_ bytes: ArraySlice<UInt8>) throws(UndertextError) {
            number += 1
            guard let line = String(validating: bytes, as: UTF8.self),
                bytes.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 })
            else { throw error("has bytes that are not text") }
            let text = line.trimmed
            guard let first = text.utf8.first, first != UInt8(ascii: "#"),
                first != UInt8(ascii: ";")
            else { return }
            if first == UInt8(ascii: "["), bytes.first == first {
                try begin(text)
            } else {
                try set(text, isIndented: bytes.first.map { $0 <= 0x20 } ?? false)
            }
        }

        private mutating func begin(_ text: String) throws(UndertextError) {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                throw error("lacks the ] of a section")
            }
            let name = String(text[..<end].dropFirst()).trimmed
            let words = name.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard !words.isEmpty else { throw error("has a section without a name") }
            let full = words.joined(separator: " ")
            section = full
            parent = nil
            if sections[full] == nil { sections[full] = [:] }
        }

        private mutating func set(_ text: String, isIndented: Bool) throws(UndertextError) {
            guard let section else { throw error("precedes the first section") }
            if isIndented, parent != nil, !parentIsEmpty { return }
            guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw error("is neither a section nor NAME = VALUE")
            }
            let name = text[..<sign].trimmed.lowercased()
            let value = text[text.utf8.index(after: sign)...].trimmed
            guard !name.isEmpty else { throw error("has a value without a name") }
            if isIndented, let parent {
                sections[section]?["\(parent).\(name)"] = Setting(value: value, line: number)
            } else {
                sections[section]?[name] = Setting(value: value, line: number)
                parent = name
                parentIsEmpty = value.isEmpty
            }
        }

        /// The line itself is not part of the message: it may contain a secret.
        private func error(_ reason: String) -> UndertextError {
            UndertextError(.malformed, "line \(number) \(reason)", path: path)
        }
    }
}
