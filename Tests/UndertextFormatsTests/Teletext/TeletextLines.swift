import TestSupport
import UndertextCore

@testable import UndertextFormats

/// Lines of 42 bytes as they are sent, and as EN 300 472 stores them.
enum TeletextLines {
    /// The lines of a file of them.
    static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count - 41, by: 42).map { bytes[$0..<$0 + 42] }
    }

    /// The payload of a PES packet with lines.
    static func payload(_ lines: some Sequence<ArraySlice<UInt8>>) -> [UInt8] {
        lines.reduce(into: [0x10]) { payload, line in
            payload += [0x03, 0x2C, 0xE7, 0xE4] + line.map(TeletextCoding.reversed)
        }
    }

    /// The lines in the payload of a PES packet, without those that are cut off.
    static func lines(inPayload payload: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 1, to: payload.count - 45, by: 46).compactMap { unit in
            guard [0x02, 0x03].contains(payload[unit]) else { return nil }
            return payload[unit + 4..<unit + 46].map(TeletextCoding.reversed)[...]
        }
    }

    /// The payloads of the PES packets of a PID in a transport stream, and their times.
    static func packets(in bytes: [UInt8], pid: Int) -> [Packet] {
        var units: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count - 187, by: 188) {
            let block = bytes[start..<start + 188]
            func byte(_ index: Int) -> Int { Int(block[start + index]) }
            guard (byte(1) & 0x1F) << 8 | byte(2) == pid, byte(3) & 0x10 != 0 else { continue }
            let payload = block.dropFirst(byte(3) & 0x20 == 0 ? 4 : min(188, 5 + byte(4)))
            if byte(1) & 0x40 != 0 { units.append([]) }
            if !units.isEmpty { units[units.count - 1] += payload }
        }
        return units.compactMap { unit in
            guard unit.count > 14, unit[7] & 0x80 != 0 else { return nil }
            let high = (Int64(unit[9]) & 0x0E) << 29
            let pts =
                high | Int64(unit[10]) << 22 | (Int64(unit[11]) & 0xFE) << 14
                | Int64(unit[12]) << 7 | Int64(unit[13]) >> 1
            return Packet(
                streamIndex: 0, pts: pts, timeBase: .mpeg,
                data: Array(unit.dropFirst(9 + Int(unit[8]))))
        }
    }

    /// A header of a page with subtitles.
    static func header(
        _ service: String, erases: Bool = true, isSubtitle: Bool = true
    ) -> ArraySlice<UInt8> {
        let page = TeletextPageAddress(service: service) ?? .init(magazine: 8, number: 0)
        let nibbles: [UInt8] = [
            page.number & 0x0F, page.number >> 4, 0, erases ? 8 : 0, 0, isSubtitle ? 8 : 0, 1, 0,
        ]
        return line(page.magazine, 0, nibbles.map(TeletextCoding.hamming8Code) + text("", 32))
    }

    /// A row with a box.
    static func row(_ number: Int, _ words: String, magazine: Int = 8) -> ArraySlice<UInt8> {
        line(magazine, number, text("\u{0B}\u{0B}" + words + "\u{0A}\u{0A}", 40))
    }

    /// A line of 40 bytes.
    static func line(_ magazine: Int, _ row: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let address = UInt8(magazine & 7) | UInt8(row) << 3
        return
            ([
                TeletextCoding.hamming8Code(address & 0x0F),
                TeletextCoding.hamming8Code(address >> 4),
            ]
            + bytes)[...]
    }

    /// Characters of ASCII with parity, filled with spaces.
    static func text(_ words: String, _ count: Int) -> [UInt8] {
        (Array(words.utf8) + [UInt8](repeating: 0x20, count: count)).prefix(count).map {
            $0.nonzeroBitCount % 2 == 1 ? $0 : $0 | 0x80
        }
    }

    /// A packet with lines at a time in milliseconds.
    static func packet(_ time: Int64, _ lines: ArraySlice<UInt8>...) -> Packet {
        Packet(streamIndex: 0, pts: time, timeBase: .milliseconds, data: payload(lines))
    }
}

/// A stream of teletext whose service is a page.
func teletextStream(_ service: String?, codecPrivate: [UInt8] = []) -> StreamDescription {
    var stream = StreamDescription(
        index: 0, kind: .text, codec: .teletext, codecPrivate: codecPrivate)
    stream.service = service
    return stream
}

/// A screen as text: for each row with characters its number, its first column, the characters with `·` where the video
/// is seen, and the runs of equal looks.
func dump(_ screen: TeletextScreen) -> String {
    screen.rows.enumerated().compactMap { index, row -> String? in
        guard let first = row.firstIndex(where: \.hasInk), let last = row.lastIndex(where: \.hasInk)
        else { return nil }
        let cells = row[first...last].filter { !$0.isCovered }
        var runs: [(count: Int, look: String)] = []
        for look in cells.map(dump) {
            if runs.last?.look == look {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((1, look))
            }
        }
        return
            "\(index) \(first) |\(cells.map { $0.isShown ? String($0.character) : "·" }.joined())|"
            + runs.map { "\($0.count):\($0.look)" }.joined(separator: ",")
    }.joined(separator: "\n")
}

/// The look of a cell as text: `ffffff/000000 fh`.
private func dump(_ cell: TeletextScreen.Cell) -> String {
    guard cell.isShown else { return "-" }
    let flags =
        (cell.isFlashing ? "f" : "") + (cell.isUnderlined ? "u" : "")
        + (cell.isDoubleHeight ? "h" : "") + (cell.isDoubleWidth ? "w" : "")
    return dump(cell.foreground) + "/" + dump(cell.background) + (flags.isEmpty ? "" : " " + flags)
}

/// A color as six hexadecimal digits; `------` if it is transparent.
func dump(_ color: RGBA) -> String {
    guard color != .clear else { return "------" }
    let digits = String(color.rawValue >> 8, radix: 16)
    return String(repeating: "0", count: 6 - digits.count) + digits
}
