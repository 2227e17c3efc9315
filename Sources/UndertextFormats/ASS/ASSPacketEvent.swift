internal import UndertextCore

/// An event as a packet holds it.
struct ASSPacketEvent {
    /// The position among the events of the script.
    let readOrder: Int64
    /// `Layer`, or what stands in its place.
    var layer: ArraySlice<UInt8>
    /// Style, Name, MarginL, MarginR, MarginV, Effect, Text: always seven.
    let fields: [[UInt8]]
    /// The line of the file it came from, where that is spelled in another way.
    let stored: ASSStoredLine?
    /// What stands before it in that file.
    let before: [UInt8]?
    /// What follows the last event of that file.
    let after: [UInt8]?

    /// SSA's first column.
    var marked: [UInt8] {
        if layer.starts(with: "Marked".utf8) { return Array(layer) }
        return Array("Marked=".utf8) + (layer.isEmpty ? [0x30] : Array(layer))
    }

    /// Takes a packet apart; `nil` if it does not begin with a number and a comma.
    init?(_ data: ArraySlice<UInt8>, packet: Packet? = nil) {
        let parts = data.split(
            separator: Byte.comma, maxSplits: 8, omittingEmptySubsequences: false)
        guard parts.count > 1, let number = Int64(String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        readOrder = number
        layer = parts[1]
        stored = packet?.sideData(.scriptLine).flatMap(ASSStoredLine.init(encoded:))
        before = packet?.sideData(.scriptBefore)
        after = packet?.sideData(.scriptAfter)
        var fields = parts.dropFirst(2).dropLast().map(Self.joinedLines)
        let text = parts.count > 2 ? Self.joinedLines(parts[parts.count - 1]) : []
        while fields.count < 6 { fields.append([]) }
        self.fields = fields + [text]
    }

    /// An event of those fields: Style, Name, MarginL, MarginR, MarginV, Effect, Text.
    init(layer: String, fields: [[UInt8]]) {
        readOrder = 0
        self.layer = Array(layer.utf8)[...]
        self.fields = fields
        stored = nil
        before = nil
        after = nil
    }

    /// The event as a line of a script; times in centiseconds.
    func line(
        start: Int64, end: Int64, columns: ASSEventColumns, lineEnd: [UInt8]
    ) -> [UInt8] {
        var line = Array("Dialogue: ".utf8)
        line.reserveCapacity(80 + fields[6].count)
        for (column, field) in columns.fields.enumerated() {
            if column > 0 { line.append(Byte.comma) }
            switch field {
            case .start: ASSClock.append(centiseconds: start, to: &line)
            case .end: ASSClock.append(centiseconds: end, to: &line)
            case .layer: line += layer
            case .marked: line += marked
            case .style: line += fields[0]
            case .name: line += fields[1]
            case .marginL: line += fields[2]
            case .marginR: line += fields[3]
            case .marginV: line += fields[4]
            case .effect: line += fields[5]
            case .text: line += fields[6]
            case .marginT, .marginB, nil: break
            }
        }
        return line + lineEnd
    }

    /// One line: breaks at the end go, others become `\N`.
    private static func joinedLines(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(where: { $0 == Byte.lineFeed || $0 == Byte.carriageReturn }) else {
            return Array(text)
        }
        var lines = unifiedLineEnds(text)
        while let last = lines.last, last == Byte.lineFeed { lines.removeLast() }
        return Array(lines.map { $0 == Byte.lineFeed ? [0x5C, 0x4E] : [$0] }.joined())
    }
}
