public import UndertextCore

extension Packet {
    /// The packet of a script's event with the times within its text stretched.
    ///
    /// The line of a file, which may come along, is changed in the same way.
    public func stretchingScriptTimes(by speed: TimeBase) -> Packet {
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

/// What the packets of a script file carry beside the chunk form, so that the script can be
/// written again byte for byte.
///
/// Matroska's form of an event has no place for what stands between events (`Comment:` lines, empty
/// lines, further sections) nor for how the line was spelled.
extension SideData.Kind {
    /// What stands in the file between the event before and this one; for the first event,
    /// everything from the beginning of the file.
    static let scriptBefore = SideData.Kind(rawValue: "ass-before")
    /// The event's line as an ``ASSStoredLine``, where the fields alone would not give it back.
    static let scriptLine = SideData.Kind(rawValue: "ass-line")
    /// What follows the last event of the file.
    static let scriptAfter = SideData.Kind(rawValue: "ass-after")
}

/// The line of an event as it stands in a script file, its end included.
struct ASSStoredLine: Hashable {
    /// The line.
    var bytes: [UInt8]
    /// Where its start time stands.
    var start: Range<Int>
    /// Where its end time stands.
    var end: Range<Int>

    /// A line of its own bytes.
    init(_ bytes: [UInt8], start: Range<Int>, end: Range<Int>) {
        self.bytes = bytes
        self.start = start
        self.end = end
    }

    /// As side data: the bounds as 32 bit little-endian, then the line.
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

    /// Reads ``encoded``; `nil` if the bounds do not lie within the line.
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
