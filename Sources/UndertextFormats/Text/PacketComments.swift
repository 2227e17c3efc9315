package import UndertextCore

extension Packet {
    /// The number of comments in the packet that cues cannot contain: `NOTE` blocks of WebVTT and `Comment:`
    /// lines of scripts.
    package var commentCount: Int {
        sideData.reduce(0) { count, data in
            switch data.kind {
            case .webVTTComment, .webVTTTrailer: count + Self.blocks(in: data.bytes)
            case .scriptBefore, .scriptAfter: count + Self.commentLines(in: data.bytes)
            default: count
            }
        }
    }

    /// Blocks of lines with empty lines between them.
    private static func blocks(in bytes: [UInt8]) -> Int {
        var lines = LineCursor(bytes)
        var (count, isWithin) = (0, false)
        while let line = lines.next() {
            if !line.isEmpty, !isWithin { count += 1 }
            isWithin = !line.isEmpty
        }
        return count
    }

    private static func commentLines(in bytes: [UInt8]) -> Int {
        var lines = LineCursor(bytes)
        var count = 0
        while let line = lines.next() {
            if bytes[line].starts(with: comment) { count += 1 }
        }
        return count
    }

    private static let comment = Array("Comment:".utf8)
}
