internal import UndertextCore

/// The regions of a document that is written, and which of them are on screen.
struct TTMLRegionTable {
    /// The maximum number of regions on screen at one time: IMSC 1.1, section 6.10.
    private static let presentedAtMost = 4

    private(set) var boxes: [TTMLRegionBox] = []
    private var numbers: [TTMLRegionBox.Place: Int] = [:]
    /// The alignment of the lines for which each region was made.
    private var sides: [CueBox.Side] = []
    /// Until when each region is on screen, in milliseconds.
    private var presented: [(number: Int, end: Int64)] = []

    /// The number of the region for a cue, and the alignment of its lines if it is a different region than
    /// requested.
    ///
    /// Regions that are on screen at the same time must not overlap (IMSC 1.1, section 6.10): they are
    /// shortened, or if that is not enough, the text moves into the overlapping region. Cues must be ordered by
    /// start.
    mutating func number(
        of box: TTMLRegionBox, side: CueBox.Side, span: MillisecondSpan
    ) -> (Int, otherSide: CueBox.Side?) {
        presented.removeAll { $0.end <= span.start }
        let wanted = numbers[box.place]
        if let wanted, let place = presented.firstIndex(where: { $0.number == wanted }) {
            presented[place].end = max(presented[place].end, span.end)
            return (wanted, nil)
        }
        var mine = wanted.map { boxes[$0] } ?? box
        var others = presented.map { boxes[$0.number] }
        var obstacle = others.indices.first { index in
            mine.overlaps(others[index]) && !mine.separate(from: &others[index])
        }
        if presented.count >= Self.presentedAtMost, obstacle == nil {
            obstacle =
                others.firstIndex { $0.edge == box.edge && $0.vertical == box.vertical } ?? 0
        }
        if let place = obstacle {
            presented[place].end = max(presented[place].end, span.end)
            let number = presented[place].number
            return (number, sides[number])
        }
        for (entry, other) in zip(presented, others) { boxes[entry.number] = other }
        let number = wanted ?? boxes.count
        if wanted == nil {
            boxes.append(mine)
            sides.append(side)
            numbers[box.place] = number
        } else {
            boxes[number] = mine
        }
        presented.append((number, span.end))
        return (number, nil)
    }

    /// The name of a region.
    static func name(_ number: Int) -> String { "region\(number + 1)" }

    /// Appends the elements.
    func append(to output: inout [UInt8]) {
        for (number, box) in boxes.enumerated() {
            output += "      <region xml:id=\"\(Self.name(number))\"\(box.attributes)/>\n".utf8
        }
    }
}
