internal import CueModel

/// The regions of a document that is written, and which of them are on screen.
struct TTMLRegionTable {
    /// IMSC 1.1, section 6.10: so many regions may be presented at one time.
    private static let presentedAtMost = 4

    private(set) var boxes: [TTMLRegionBox] = []
    private var numbers: [TTMLRegionBox: Int] = [:]
    /// Where lines of the text are aligned for which each was made.
    private var sides: [CueLayout.TextAlignment] = []
    /// Until when each region is on screen, in milliseconds.
    private var presented: [(number: Int, end: Int64)] = []

    /// The number of the region for a cue; where it is another one than was asked for, where its lines
    /// are to be aligned.
    ///
    /// Cues come by start.
    mutating func number(
        of box: TTMLRegionBox, side: CueLayout.TextAlignment, span: MillisecondSpan
    ) -> (Int, otherSide: CueLayout.TextAlignment?) {
        presented.removeAll { $0.end <= span.start }
        let wanted = numbers[box]
        if let wanted, let place = presented.firstIndex(where: { $0.number == wanted }) {
            presented[place].end = max(presented[place].end, span.end)
            return (wanted, nil)
        }
        if presented.count >= Self.presentedAtMost {
            let place =
                presented.firstIndex { entry in
                    let other = boxes[entry.number]
                    return other.edge == box.edge && other.vertical == box.vertical
                } ?? 0
            presented[place].end = max(presented[place].end, span.end)
            let number = presented[place].number
            return (number, sides[number])
        }
        let number = wanted ?? boxes.count
        if wanted == nil {
            boxes.append(box)
            sides.append(side)
            numbers[box] = number
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
