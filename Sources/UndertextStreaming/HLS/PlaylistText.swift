public import UndertextCore

/// A line of a playlist as it is stored.
public struct PlaylistLine: Hashable, Sendable {
    /// A line ending.
    public enum Ending: String, Hashable, Sendable {
        /// Nothing: the last line of a file may have no end.
        case none = ""
        /// A line feed.
        case lineFeed = "\n"
        /// Carriage return and line feed.
        case carriageReturnLineFeed = "\r\n"
    }

    /// The bytes without the end.
    public var content: [UInt8]
    /// The line ending.
    public var ending: Ending

    /// Creates a line.
    public init(_ content: [UInt8], ending: Ending = .lineFeed) {
        self.content = content
        self.ending = ending
    }

    /// Creates a line of `text`.
    public init(_ text: String, ending: Ending = .lineFeed) {
        self.init(Array(text.utf8), ending: ending)
    }

    /// The kind of a line (RFC 8216, section 4.1).
    public enum Kind: Hashable, Sendable {
        /// White space.
        case blank
        /// Begins with `#`, but is no tag.
        case comment
        /// `#EXT…`: the name without the number sign, and what follows its colon.
        case tag(name: String, value: [UInt8])
        /// The address of a playlist or segment, white space around it left out.
        case uri(String)
    }

    /// The kind of the line.
    public var kind: Kind {
        var text = content[...]
        while let first = text.first, Self.isBlank(first) { text.removeFirst() }
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        guard let first = text.first else { return .blank }
        guard first == UInt8(ascii: "#") else { return .uri(String(decoding: text, as: UTF8.self)) }
        guard text.starts(with: "#EXT".utf8) else { return .comment }
        let body = text.dropFirst()
        let colon = body.firstIndex(of: UInt8(ascii: ":")) ?? body.endIndex
        return .tag(
            name: String(decoding: body[..<colon], as: UTF8.self),
            value: Array(body[colon...].dropFirst()))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}

/// A playlist as its lines, which written again are the same bytes.
///
/// RFC 8216, section 4.1. A byte order mark, which the standard forbids, is kept and ignored.
public struct PlaylistText: Hashable, Sendable {
    /// The lines in order.
    public var lines: [PlaylistLine]
    /// `true` if the bytes begin with a byte order mark.
    public var hasByteOrderMark: Bool

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Creates a playlist of lines.
    public init(lines: [PlaylistLine]) {
        self.lines = lines
        hasByteOrderMark = false
    }

    /// Parses a playlist.
    ///
    /// - Throws: `UndertextError`: `notMedia` if the first line is not `#EXTM3U`, `limit` if the file, a line
    ///   or the number of lines is larger than allowed.
    public init(
        _ bytes: [UInt8], limits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        guard bytes.count <= limits.playlistSize else {
            throw UndertextError(.limit, "the playlist is longer than \(limits.playlistSize) bytes")
        }
        hasByteOrderMark = bytes.starts(with: Self.mark)
        let start = hasByteOrderMark ? 3 : 0
        guard Self.hasSignature(bytes[start...]) else {
            throw UndertextError(
                .notMedia, "it is not an HLS playlist: the first line is not #EXTM3U",
                underlying: Self.beginning(of: bytes[start...]))
        }
        lines = []
        var position = start
        while position < bytes.count {
            let feed = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            guard feed - position <= limits.lineLength else {
                throw UndertextError(
                    .limit, "a line of the playlist is longer than \(limits.lineLength) bytes",
                    byteOffset: UInt64(position))
            }
            guard lines.count < limits.lines else {
                throw UndertextError(.limit, "the playlist has more than \(limits.lines) lines")
            }
            let hasReturn = feed < bytes.count && feed > position && bytes[feed - 1] == 0x0D
            let ending: PlaylistLine.Ending =
                feed == bytes.count ? .none : hasReturn ? .carriageReturnLineFeed : .lineFeed
            lines.append(
                PlaylistLine(Array(bytes[position..<feed - (hasReturn ? 1 : 0)]), ending: ending))
            position = feed + 1
        }
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        var result = hasByteOrderMark ? Self.mark : []
        result.reserveCapacity(lines.reduce(3) { $0 + $1.content.count + 2 })
        for line in lines {
            result += line.content
            result += line.ending.rawValue.utf8
        }
        return result
    }

    /// The playlist's line ending, used for added lines.
    public var usualEnding: PlaylistLine.Ending {
        let first = lines.first?.ending ?? .lineFeed
        return first == .none ? .lineFeed : first
    }

    /// `true` if `bytes` begin as a playlist does.
    public static func hasSignature(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
        guard text.starts(with: "#EXTM3U".utf8) else { return false }
        return text.dropFirst(7).first.map { $0 <= 0x20 } ?? true
    }

    /// A description of unexpected content, for a message.
    private static func beginning(of bytes: ArraySlice<UInt8>) -> String {
        let line = bytes.prefix(60).prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty ? "" : escapedForTerminal(String(decoding: line, as: UTF8.self))
    }
}
