internal import UndertextCore

/// The variables of a playlist, `EXT-X-DEFINE`.
///
/// draft-pantos-hls-rfc8216bis, sections 4.3 and 4.4.2.3: an error in one of them makes the entire playlist
/// unreadable, because addresses contain them.
struct PlaylistVariables {
    /// The reason why a variable could not be defined or replaced.
    struct Failure: Error {
        var code: UndertextError.Code
        var message: String

        /// The error for the playlist as a whole.
        func error(line: Int) -> UndertextError {
            UndertextError(code, "line \(line): \(message)")
        }
    }

    /// The values by name.
    private(set) var values: [String: String] = [:]
    /// Bytes of all values that were replaced so far: many short lines may each name a long one.
    private var replacedSize = 0
    private let imports: [String: String]?
    private let query: String?
    private let limits: StreamingLimits

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - url: the address of the playlist after redirects.
    ///   - imports: the variables of the master playlist; `nil` in a master playlist.
    ///   - limits: the limits for their number and length.
    init(url: String, imports: [String: String]?, limits: StreamingLimits) {
        self.imports = imports
        self.limits = limits
        query = URI(url).query
    }

    /// Parses an `EXT-X-DEFINE`.
    mutating func define(_ attributes: PlaylistAttributes) throws(Failure) {
        var attributes = attributes
        try replace(in: &attributes)
        let ways = ["NAME", "IMPORT", "QUERYPARAM"].filter { attributes[$0] != nil }
        guard ways.count == 1, let way = ways.first, let name = attributes[way] else {
            throw Failure(
                code: .malformed, message: "EXT-X-DEFINE needs one of NAME, IMPORT, QUERYPARAM")
        }
        guard Self.isName(name.utf8) else {
            throw Failure(code: .malformed, message: "'\(name)' is not a variable name")
        }
        guard values[name] == nil else {
            throw Failure(code: .malformed, message: "the variable '\(name)' is defined twice")
        }
        guard values.count < limits.variables else {
            throw Failure(code: .limit, message: "there are more variables than allowed")
        }
        self.values[name] = try value(way, name, attributes)
    }

    private func value(
        _ way: String, _ name: String, _ attributes: PlaylistAttributes
    ) throws(Failure) -> String {
        switch way {
        case "NAME":
            guard let value = attributes["VALUE"] else {
                throw Failure(code: .malformed, message: "the variable '\(name)' has no VALUE")
            }
            return value
        case "IMPORT":
            guard let imports else {
                throw Failure(
                    code: .malformed, message: "a master playlist cannot import '\(name)'")
            }
            guard let value = imports[name] else {
                throw Failure(
                    code: .malformed, message: "the master playlist has no variable '\(name)'")
            }
            return value
        default:
            guard let value = query.flatMap({ Self.parameter(name, of: $0) }), !value.isEmpty else {
                throw Failure(
                    code: .malformed, message: "the URL has no value for '\(name)'")
            }
            return value
        }
    }

    /// Replaces the variables in the values of a tag.
    mutating func replace(in attributes: inout PlaylistAttributes) throws(Failure) {
        try attributes.replaceVariables { (text) throws(Failure) in try replaced(text) }
    }

    /// The text with its variables replaced.
    mutating func replaced(_ text: String) throws(Failure) -> String {
        guard text.utf8.contains(0x24) else { return text }
        let result = try Self.replace(text, values, limits)
        replacedSize += result.utf8.count
        guard replacedSize <= limits.playlistSize else {
            throw Failure(
                code: .limit,
                message:
                    "the values with variables are longer than \(limits.playlistSize) bytes together"
            )
        }
        return result
    }

    private static func replace(
        _ text: String, _ values: [String: String], _ limits: StreamingLimits
    ) throws(Failure) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard let end = reference(in: bytes, at: position) else {
                result.append(bytes[position])
                position += 1
                continue
            }
            let name = String(decoding: bytes[(position + 2)..<end], as: UTF8.self)
            guard let value = values[name] else {
                throw Failure(
                    code: .malformed, message: "the variable '\(name)' is used but not defined")
            }
            result += value.utf8
            guard result.count <= limits.valueLength else {
                throw Failure(
                    code: .limit, message: "a value with variables is longer than allowed")
            }
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The place of the closing bracket of `{$name}` at `position`; `nil` if none begins there.
    private static func reference(in bytes: [UInt8], at position: Int) -> Int? {
        guard bytes[position] == 0x7B, position + 2 < bytes.count, bytes[position + 1] == 0x24
        else { return nil }
        var end = position + 2
        while end < bytes.count, isNameByte(bytes[end]) { end += 1 }
        return end < bytes.count && end > position + 2 && bytes[end] == 0x7D ? end : nil
    }

    private static func isName(_ name: String.UTF8View) -> Bool {
        !name.isEmpty && name.count <= 1000 && name.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == 0x2D
            || byte == 0x5F
    }

    /// The value of a parameter of a query, escapes undone as a form's are.
    static func parameter(_ name: String, of query: String) -> String? {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard decoded(halves[0]) == name else { continue }
            return halves.count == 2 ? decoded(halves[1]) : ""
        }
        return nil
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        URI.unescaped(Substring(text).replacing("+", with: " "))
    }
}
