/// A line of text within an ink plane, or lines that touch.
struct TextLine: Hashable {
    /// The rows of the text.
    var rows: Range<Int>
    /// The columns of the text.
    var columns: Range<Int>
    /// The typical height of its lowercase letters in pixels; at least 1.
    var letterHeight: Int

    /// `true` if it contains several lines without an empty row between them.
    ///
    /// A single line, with accents and descenders, is little more than twice as high as its lowercase letters.
    var isBlock: Bool { rows.count * 10 > letterHeight * 28 }
}

extension ForegroundMask {
    /// The lines, from top to bottom, split where rows are empty.
    func lines() -> [TextLine] {
        let runs = merged(runs())
        return runs.compactMap { rows in
            guard rows.count >= 3, let columns = columns(in: rows) else { return nil }
            let heights = letterHeights(rows: rows, columns: columns)
                .filter { $0 * 4 >= rows.count || $0 >= 8 }.sorted()
            let usual = heights.isEmpty ? rows.count : heights[heights.count / 2]
            return TextLine(rows: rows, columns: columns, letterHeight: max(1, usual))
        }
    }

    /// The ranges of rows with text, in order.
    private func runs() -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for row in 0...height {
            let isFull = row < height && hasLetters(row: row)
            if isFull, start == nil { start = row }
            if !isFull, let first = start {
                runs.append(first..<row)
                start = nil
            }
        }
        return runs
    }

    /// Dots and accents are merged with the nearest text: they are lower than 18 % of a line's height.
    private func merged(_ runs: [Range<Int>]) -> [Range<Int>] {
        let full = runs.map(\.count).max() ?? 0
        let isSmall = { (run: Range<Int>) in run.count * 100 < full * 45 }
        var merged: [Range<Int>] = []
        for run in runs {
            if let last = merged.last, (run.lowerBound - last.upperBound) * 100 < full * 18,
                isSmall(last) || isSmall(run)
            {
                merged[merged.count - 1] = last.lowerBound..<run.upperBound
            } else {
                merged.append(run)
            }
        }
        return merged
    }

    private func columns(in rows: Range<Int>) -> Range<Int>? {
        var (first, last) = (width, -1)
        for row in rows {
            let line = ink[(row * width)..<((row + 1) * width)]
            guard let left = line.firstIndex(where: { $0 >= Self.letter }),
                let right = line.lastIndex(where: { $0 >= Self.letter })
            else { continue }
            first = min(first, left - line.startIndex)
            last = max(last, right - line.startIndex)
        }
        return last >= first ? first..<(last + 1) : nil
    }

    /// The heights of connected components: letters, dots and strokes.
    private func letterHeights(rows: Range<Int>, columns: Range<Int>) -> [Int] {
        let (wide, high) = (columns.count, rows.count)
        var isOpen = [Bool](repeating: false, count: wide * high)
        for row in 0..<high {
            let start = (rows.lowerBound + row) * width + columns.lowerBound
            for column in 0..<wide where ink[start + column] >= Self.letter {
                isOpen[row * wide + column] = true
            }
        }
        var heights: [Int] = []
        var stack: [Int] = []
        for seed in isOpen.indices where isOpen[seed] {
            isOpen[seed] = false
            stack.append(seed)
            var (top, bottom) = (high, 0)
            while let place = stack.popLast() {
                let (row, column) = (place / wide, place % wide)
                top = min(top, row)
                bottom = max(bottom, row)
                for nearRow in max(0, row - 1)...min(high - 1, row + 1) {
                    for nearColumn in max(0, column - 1)...min(wide - 1, column + 1)
                    where isOpen[nearRow * wide + nearColumn] {
                        isOpen[nearRow * wide + nearColumn] = false
                        stack.append(nearRow * wide + nearColumn)
                    }
                }
            }
            heights.append(bottom - top + 1)
        }
        return heights
    }
}
