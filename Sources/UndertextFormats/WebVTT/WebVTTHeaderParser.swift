package import UndertextCore

/// The part of a WebVTT file that precedes its cues: style sheets and regions.
///
/// Matroska: `CodecPrivate` of `S_TEXT/WEBVTT`.
package struct WebVTTFileHeader: Hashable, Sendable {
    /// The style sheets, one a STYLE block.
    package var styleSheets: [String] = []
    /// `true` if style sheets were left out because all of them together are longer than a line may be.
    package private(set) var leavesOutStyles = false
    /// The regions; of several with one id the last counts.
    package var regions: [Region] = []

    /// Parses the start of a file, up to its first cue.
    ///
    /// A file without the signature has no header. W3C WebVTT, section 6.1.
    package init(_ bytes: [UInt8]) {
        let text = PacketText(bytes).bytes
        guard Self.hasSignature(text) else { return }
        var lines = WebVTTLines(text[...])
        var found: [Region?] = []
        // Every run of every cue is held against the rules, and writers copy them.
        var room = Limits().lineLength
        var places: [String: Int] = [:]
        defer { regions = found.compactMap(\.self) }
        // The rest of the first block is the file's title and settings such as time maps.
        _ = lines.next()
        while let line = lines.peek(), !line.isEmpty, !isTiming(line) { _ = lines.next() }
        while let first = lines.next() {
            if first.isEmpty { continue }
            // A line with an arrow begins a cue, and after a cue there is no header. If it is no
            // timing line its block means nothing.
            if isTiming(first) {
                if isCue(first) { return }
                _ = lines.block()
                continue
            }
            if Self.isKeyword(first, "STYLE") {
                let block = lines.block()
                room -= block.count + 1
                if room >= 0 {
                    styleSheets.append(block.text)
                } else {
                    leavesOutStyles = true
                }
            } else if Self.isKeyword(first, "REGION") {
                if let region = Region(webVTTSettings: lines.block()) {
                    // The last region of a name is used, at its own position in the list.
                    if let known = places[region.id] { found[known] = nil }
                    if found.count < 10_000 {
                        places[region.id] = found.count
                        found.append(region)
                    }
                }
            } else {
                if let second = lines.peek(), isTiming(second), isCue(second) { return }
                _ = lines.block()
            }
        }
    }

    /// Returns `true` if `bytes` begin with `WEBVTT` and an end of line, a space or a tab.
    package static func hasSignature(_ bytes: [UInt8]) -> Bool {
        let text = bytes[...].withoutByteOrderMark
        guard text.hasPrefix("WEBVTT") else { return false }
        guard let next = text.dropFirst(6).first else { return true }
        return next == 0x0A || next == 0x0D || next == 0x20 || next == 0x09
    }

    private static func isKeyword(_ line: ArraySlice<UInt8>, _ keyword: String) -> Bool {
        line.hasPrefix(keyword) && line.dropFirst(keyword.utf8.count).allSatisfy(\.isSpace)
    }
}

/// `true` if a line contains an arrow.
private func isTiming(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count >= 3 else { return false }
    for index in line.startIndex...(line.endIndex - 3)
    where line[index] == 0x2D && line[index + 1] == 0x2D && line[index + 2] == 0x3E {
        return true
    }
    return false
}

/// `true` if a line with an arrow has times around it.
private func isCue(_ line: ArraySlice<UInt8>) -> Bool {
    WebVTTTimingLine(line) != nil
}

/// The lines of a text with line feeds.
private struct WebVTTLines {
    private var rest: ArraySlice<UInt8>
    private var isDone = false

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    /// The next line, without moving on.
    func peek() -> ArraySlice<UInt8>? {
        isDone ? nil : rest[..<(rest.firstIndex(of: 0x0A) ?? rest.endIndex)]
    }

    /// The next line.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let line = peek() else { return nil }
        if line.endIndex < rest.endIndex {
            rest = rest[(line.endIndex + 1)...]
        } else {
            isDone = true
        }
        return line
    }

    /// The lines up to an empty one or one with an arrow.
    mutating func block() -> ArraySlice<UInt8> {
        let all = rest
        var end = all.startIndex
        while let line = peek(), !line.isEmpty, !isTiming(line) {
            end = line.endIndex
            _ = next()
        }
        return all[..<end]
    }
}
