internal import UndertextCore

/// Parses a WebVTT file into blocks, in file order.
///
/// W3C WebVTT, section 6.1: returns every block that the specification's parser recognizes, including cues that
/// are never shown and blocks without meaning. `WebVTTSettings` and `WebVTTCueText` parse settings and cue
/// text.
package struct WebVTTFileParser: Sendable {
    private var cursor: LineCursor
    private let longest: Int
    private let hasSignature: Bool
    private var hasReadHeader = false
    private var hasSeenCue = false
    /// `true` if text has to be looked at byte by byte when it is copied.
    private var needsRepair = false

    /// Starts at the beginning of `text`: valid UTF-8 without a byte order mark.
    ///
    /// - Parameters:
    ///   - text: the file. Without the signature there are no blocks.
    ///   - longestLine: bytes of a line that are kept.
    package init(_ text: [UInt8], longestLine: Int = .max) {
        cursor = LineCursor(text)
        longest = longestLine
        hasSignature = Self.hasSignature(text[...])
    }

    /// Returns `true` if `text` begins with `WEBVTT` and the end of a line, a space or a tab.
    package static func hasSignature(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: "WEBVTT".utf8) else { return false }
        guard let next = text.dropFirst(6).first else { return true }
        return next == Byte.lineFeed || next == Byte.carriageReturn || next == Byte.space
            || next == Byte.tab
    }

    /// The offset in the file of what was not yet looked at.
    package var position: Int { cursor.position }

    /// The next block; `nil` at the end of the file.
    package mutating func next() -> WebVTTFileBlock? {
        guard hasSignature else { return nil }
        if !hasReadHeader {
            hasReadHeader = true
            guard let line = take() else { return nil }
            var block = start(.header, line)
            collect(into: &block)
            return block
        }
        while let line = take() {
            if line.isEmpty { continue }
            return block(line)
        }
        return nil
    }

    /// The bytes of a part of a block: UTF-8 with line feeds, without NUL.
    package func content(_ range: Range<Int>) -> [UInt8] {
        guard needsRepair else { return Array(cursor.bytes[range]) }
        return TextLines.repaired(range, of: cursor.bytes, longest: longest)
    }

    // MARK: Blocks

    private mutating func block(_ first: Range<Int>) -> WebVTTFileBlock {
        var block = start(.stray, first)
        if cursor.traits.contains(.arrow) {
            readCue(identifier: first.lowerBound..<first.lowerBound, timing: first, &block)
            return block
        }
        guard let second = take(), !second.isEmpty else {
            block.kind = kind(first)
            return block
        }
        note(second, in: &block)
        if cursor.traits.contains(.arrow) {
            readCue(identifier: first, timing: second, &block)
            return block
        }
        collect(into: &block)
        block.kind = kind(first)
        return block
    }

    private mutating func readCue(
        identifier: Range<Int>, timing: Range<Int>, _ block: inout WebVTTFileBlock
    ) {
        let line = cursor.number
        guard let times = WebVTTTimingLine(cursor.bytes[timing]) else {
            let offset = WebVTTTimingLine.fault(in: cursor.bytes[timing])
            block.kind = .badTiming(
                WebVTTFileTimingFault(
                    line: line,
                    column: TextLines.column(
                        of: offset, from: timing.lowerBound, in: cursor.bytes)))
            collect(into: &block)
            return
        }
        hasSeenCue = true
        var cue = WebVTTFileCue(
            identifier: identifier, start: times.start, end: times.end,
            settings: cursor.bytes.trimmed(times.settings.startIndex..<times.settings.endIndex),
            text: timing.upperBound..<timing.upperBound, timingLine: line,
            timingOffset: timing.lowerBound)
        let textStart = cursor.position
        collect(into: &block)
        if block.lines.upperBound > timing.upperBound {
            cue.text = textStart..<block.lines.upperBound
        }
        block.kind = .cue(cue)
    }

    /// Returns the kind of a block without an arrow, by its first line.
    private func kind(_ line: Range<Int>) -> WebVTTFileBlock.Kind {
        let bytes = cursor.bytes[line]
        if bytes.starts(with: "NOTE".utf8) {
            let next = bytes.dropFirst(4).first
            return next == nil || next == Byte.space || next == Byte.tab ? .comment : .stray
        }
        let word = bytes[cursor.bytes.trimmed(line)]
        guard word.startIndex == line.lowerBound else { return .stray }
        if word.elementsEqual("STYLE".utf8) { return hasSeenCue ? .misplaced : .style }
        if word.elementsEqual("REGION".utf8) { return hasSeenCue ? .misplaced : .region }
        return .stray
    }

    // MARK: Lines

    private mutating func take() -> Range<Int>? {
        guard let line = cursor.next() else { return nil }
        if line.count > longest || !cursor.traits.isDisjoint(with: [.carriageReturn, .null]) {
            needsRepair = true
        }
        return line
    }

    private func start(_ kind: WebVTTFileBlock.Kind, _ line: Range<Int>) -> WebVTTFileBlock {
        var block = WebVTTFileBlock(kind: kind, lines: line, firstLine: cursor.number)
        note(line, in: &block)
        return block
    }

    /// Adds the lines up to an empty one, or up to one with an arrow, which begins the next block.
    private mutating func collect(into block: inout WebVTTFileBlock) {
        while let line = take(), !line.isEmpty {
            if cursor.traits.contains(.arrow) {
                block.endingArrow = cursor.number
                cursor.go(to: line.lowerBound, line: cursor.number)
                return
            }
            note(line, in: &block)
        }
    }

    /// Makes a line the block's last one.
    private func note(_ line: Range<Int>, in block: inout WebVTTFileBlock) {
        block.lines = block.lines.lowerBound..<line.upperBound
        if line.count > longest, block.longLine == nil { block.longLine = cursor.number }
        if cursor.traits.contains(.null), block.nullLine == nil { block.nullLine = cursor.number }
    }
}
