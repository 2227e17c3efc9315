@testable import UndertextFormats

/// Pairs as files of SCC spell them.
func pairs(_ hex: String) -> [(UInt8, UInt8)] {
    hex.split(whereSeparator: \.isWhitespace).compactMap { word in
        UInt16(word, radix: 16).map { (UInt8($0 >> 8), UInt8($0 & 0xFF)) }
    }
}

/// A pair with parity bits.
func pair(_ first: UInt8, _ second: UInt8) -> (UInt8, UInt8) {
    (SCCParser.withParity(first), SCCParser.withParity(second))
}

/// Pairs of characters with parity bits.
func characters(_ text: String) -> [(UInt8, UInt8)] {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: 2).map {
        pair(bytes[$0], $0 + 1 < bytes.count ? bytes[$0 + 1] : 0)
    }
}

/// A code that is sent once.
func code(_ first: UInt8, _ second: UInt8) -> [(UInt8, UInt8)] { [pair(first, second)] }

extension CEA608Receiver {
    /// Returns the receiver after processing the pairs.
    func receiving(_ pairs: [(UInt8, UInt8)]...) -> CEA608Receiver {
        var receiver = self
        for pair in pairs.joined() { _ = receiver.receive(pair.0, pair.1) }
        return receiver
    }

    init() { self.init(service: .cc1) }
}

/// A screen as text: for each row with characters its number, its first column, the characters with `·` for positions
/// without one, and the runs of equal looks.
func dump(_ screen: CEA608Screen) -> String {
    screen.rows.enumerated().compactMap { index, row -> String? in
        guard let first = row.firstIndex(where: { $0.character != nil }),
            let last = row.lastIndex(where: { $0.character != nil })
        else { return nil }
        let cells = row[first...last]
        let text = cells.map { $0.character.map { String($0) } ?? "·" }.joined()
        var runs: [(count: Int, pen: String)] = []
        for cell in cells {
            let pen = cell.character == nil ? "-" : dump(cell.pen)
            if runs.last?.pen == pen {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((1, pen))
            }
        }
        return "\(index + 1) \(first) |\(text)|"
            + runs.map { "\($0.count):\($0.pen)" }.joined(separator: ",")
    }.joined(separator: "\n")
}

/// A pen as text: `yellow iu/blue`.
func dump(_ pen: CEA608Pen) -> String {
    var text = "\(pen.color)"
    let flags = [(pen.isItalic, "i"), (pen.isUnderlined, "u"), (pen.isFlashing, "f")]
        .filter(\.0).map(\.1).joined()
    if !flags.isEmpty { text += " " + flags }
    switch pen.opacity {
    case .opaque: if pen.background != .black { text += "/\(pen.background)" }
    case .semiTransparent: text += "/\(pen.background)~"
    case .transparent: text += "/-"
    }
    return text
}
