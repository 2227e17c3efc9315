import UndertextCore

@testable import UndertextFormats

/// The code that defines a window.
func define(
    _ number: UInt8, rows: UInt8 = 2, columns: UInt8 = 32, row: UInt8 = 60, column: UInt8 = 25,
    anchor: UInt8 = 0, isVisible: Bool = false, priority: UInt8 = 0, style: UInt8 = 1,
    pen: UInt8 = 1
) -> [UInt8] {
    let flags: UInt8 = (isVisible ? 0x20 : 0) | priority
    let size: UInt8 = anchor << 4 | (rows - 1)
    let styles: UInt8 = style << 3 | pen
    return [0x98 + number, flags, row, column, size, columns - 1, styles]
}

/// Codes one after another.
func codes(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

/// Codes of characters.
func letters(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A caption channel packet with a service block for each piece of data, as triplets of `cc_data`.
func channelPacket(_ number: UInt8, _ blocks: (service: UInt8, data: [UInt8])...) -> [UInt8] {
    var bytes: [UInt8] = [0]
    for block in blocks {
        let size = UInt8(block.data.count)
        bytes.append(min(block.service, 7) << 5 | size)
        if block.service > 6 { bytes.append(block.service) }
        bytes += block.data
    }
    if bytes.count % 2 != 0 { bytes.append(0) }
    bytes[0] = number << 6 | UInt8(bytes.count / 2)
    return triplets(bytes)
}

/// The bytes of a caption channel packet as triplets of `cc_data`.
func triplets(_ bytes: [UInt8]) -> [UInt8] {
    var triplets: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 2) {
        triplets.append(index == 0 ? 0xFF : 0xFE)
        triplets.append(bytes[index])
        triplets.append(index + 1 < bytes.count ? bytes[index + 1] : 0)
    }
    return triplets
}

/// The windows that a viewer sees as text: for each one its place, its look, and its lines with the runs of equal
/// looks.
func dump(_ windows: [CEA708Window?]) -> String {
    windows.enumerated().compactMap { index, window in
        window.flatMap { dump($0, index) }
    }.joined(separator: "\n")
}

private func dump(_ window: CEA708Window, _ index: Int) -> String? {
    typealias Cell = CEA708Window.Cell
    let lines = window.lines.map { line in
        line.map { $0.pen.isHidden || $0.character == nil ? nil : $0 }
    }
    let hasInk = lines.joined().contains { cell in
        cell.map { $0.character != " " && $0.character != "\u{A0}" } ?? false
    }
    guard window.isVisible, hasInk else { return nil }
    let box = window.box(isWide: true)
    let place = [box.left, box.top, box.width, box.height].map(hundredths).joined(separator: " ")
    var words = ["window \(index)", place]
    if window.priority > 0 { words.append("priority \(window.priority)") }
    words.append("fill " + dump(window.attributes.fill))
    if window.attributes.justification != .left {
        words.append("\(window.attributes.justification)")
    }
    let directions = ["lr", "rl", "tb", "bt"]
    if window.attributes.printDirection != .leftToRight {
        words.append("print " + directions[Int(window.attributes.printDirection.rawValue)])
    }
    var result = [words.joined(separator: ", ")]
    for (number, line) in lines.enumerated() {
        guard let last = line.lastIndex(where: { $0 != nil }) else { continue }
        let cells = line[...last]
        let text = cells.map { $0?.character.map { String($0) } ?? "·" }.joined()
        var runs: [(count: Int, look: String)] = []
        for cell in cells {
            let look = cell.map { dump($0.pen) } ?? "-"
            if runs.last?.look == look {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((1, look))
            }
        }
        result.append(
            "\(number) |\(text)|"
                + runs.map { "\($0.count):\($0.look)" }.joined(separator: ","))
    }
    return result.joined(separator: "\n")
}

private func hundredths(_ value: Double) -> String {
    let number = Int((value * 100).rounded())
    return "\(number / 100)." + (number % 100 < 10 ? "0" : "") + "\(number % 100)"
}

private func dump(_ color: CEA708Color) -> String {
    let shifts: [UInt8] = [4, 2, 0]
    let parts = shifts.map { shift -> String in
        let part = (color.rgb >> shift & 3) * 85
        return part == 0 ? "00" : String(part, radix: 16)
    }
    return parts.joined() + ["", "!", "~", "-"][Int(color.opacity.rawValue)]
}

private func dump(_ pen: CEA708Pen) -> String {
    var words = [dump(pen.foreground) + "/" + dump(pen.background)]
    if pen.size != .standard { words.append("\(pen.size)") }
    let fonts = [
        "", "mono-serif", "serif", "mono-sans", "sans", "casual", "cursive", "small-caps",
    ]
    if pen.font != .standard { words.append(fonts[Int(pen.font.rawValue)]) }
    let edges = ["", "raised", "depressed", "uniform", "left-shadow", "right-shadow"]
    if pen.edge != .none {
        words.append(
            edges[Int(pen.edge.rawValue)] + ":"
                + dump(CEA708Color(rgb: pen.edgeColor, opacity: .solid)))
    }
    let flags = (pen.isItalic ? "i" : "") + (pen.isUnderlined ? "u" : "")
    if !flags.isEmpty { words.append(flags) }
    return words.joined(separator: " ")
}
