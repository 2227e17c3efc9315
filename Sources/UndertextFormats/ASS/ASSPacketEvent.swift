package import UndertextCore

/// An event as a packet holds it.
struct ASSPacketEvent {
    /// The position among the events of the script.
    let readOrder: Int64
    /// `Layer`, or SSA's `Marked`.
    var layer: ArraySlice<UInt8>
    /// Style, Name, MarginL, MarginR, MarginV, Effect, Text: always seven.
    let fields: [[UInt8]]
    /// The line of the source file, if its spelling differs.
    let stored: ASSStoredLine?
    /// The bytes before it in that file.
    let before: [UInt8]?
    /// The bytes after the last event of that file.
    let after: [UInt8]?

    /// SSA's first column.
    var marked: [UInt8] {
        if layer.starts(with: "Marked".utf8) { return Array(layer) }
        return Array("Marked=".utf8) + (layer.isEmpty ? [0x30] : Array(layer))
    }

    /// Parses a packet; `nil` if it does not begin with a number and a comma.
    init?(_ data: ArraySlice<UInt8>, packet: Packet? = nil) {
        let parts = ASSEvent.fields(of: data)
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

extension Packet {
    /// The packet of a script's event with the times within its text stretched.
    ///
    /// The line of a file in the side data, if any, is changed in the same way.
    package func stretchingScriptTimes(by speed: TimeBase) -> Packet {
        var packet = self
        packet.data = ASSOverrideTimes.stretched(event: data, by: speed)
        for index in packet.sideData.indices where packet.sideData[index].kind == .scriptLine {
            guard var line = ASSStoredLine(encoded: packet.sideData[index].bytes) else { continue }
            // The text is the last column.
            let text = max(line.start.upperBound, line.end.upperBound)
            line.bytes =
                line.bytes[..<text] + ASSOverrideTimes.stretched(line.bytes[text...], by: speed)
            packet.sideData[index] = SideData(.scriptLine, line.encoded)
        }
        return packet
    }
}

/// Side data of the packets of a script file, from which the script can be written again byte for
/// byte.
///
/// Matroska's form of an event has no room for the lines between events (`Comment:` lines, empty
/// lines, further sections) nor for how the line was spelled.
extension SideData.Kind {
    /// The bytes of the file between the previous event and this one; for the first event,
    /// everything from the beginning of the file.
    static let scriptBefore = SideData.Kind(rawValue: "ass-before")
    /// The event's line as an ``ASSStoredLine``, where the fields alone would not give it back.
    static let scriptLine = SideData.Kind(rawValue: "ass-line")
    /// The bytes after the last event of the file.
    static let scriptAfter = SideData.Kind(rawValue: "ass-after")
}

/// The line of an event in a script file, its end included.
struct ASSStoredLine: Hashable {
    /// The line.
    var bytes: [UInt8]
    /// The range of the start time.
    var start: Range<Int>
    /// The range of the end time.
    var end: Range<Int>

    /// A line that owns its bytes.
    init(_ bytes: [UInt8], start: Range<Int>, end: Range<Int>) {
        self.bytes = bytes
        self.start = start
        self.end = end
    }

    /// The side data: the bounds as little-endian 32-bit numbers, then the line.
    var encoded: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for bound in [start.lowerBound, start.upperBound, end.lowerBound, end.upperBound] {
            let value = UInt32(clamping: bound)
            for shift in stride(from: 0, to: 32, by: 8) {
                result.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
            }
        }
        return result + bytes
    }

    /// Parses ``encoded``; `nil` if the bounds are outside the line.
    init?(encoded: [UInt8]) {
        guard encoded.count >= 16 else { return nil }
        let bounds = (0..<4).map { place in
            (0..<4).reversed().reduce(0) { $0 << 8 | Int(encoded[place * 4 + $1]) }
        }
        bytes = Array(encoded[16...])
        guard bounds[0] <= bounds[1], bounds[2] <= bounds[3],
            max(bounds[1], bounds[3]) <= bytes.count
        else { return nil }
        start = bounds[0]..<bounds[1]
        end = bounds[2]..<bounds[3]
        guard !start.overlaps(end) else { return nil }
    }

    /// The line with those times, in milliseconds: what is stored, where it says the same.
    ///
    /// Other times are cut to centiseconds, but no event becomes empty.
    func written(start newStart: Int64, end newEnd: Int64) -> [UInt8] {
        var changes: [(Range<Int>, Int64)] = []
        for (range, time) in [(start, newStart), (end, newEnd)] {
            if let stored = ASSClock.milliseconds(bytes[range]), max(0, stored) == time { continue }
            changes.append((range, time))
        }
        let last = max(newEnd / 10, newStart / 10 + 1)
        var result = bytes
        for (range, time) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            var text: [UInt8] = []
            ASSClock.append(centiseconds: range == end ? last : time / 10, to: &text)
            result.replaceSubrange(range, with: text)
        }
        return result
    }
}
