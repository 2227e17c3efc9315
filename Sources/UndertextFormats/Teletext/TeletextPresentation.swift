internal import UndertextCore

/// The presentation of pages beyond their rows: character sets, colors and their use.
///
/// EN 300 706, sections 9.4.2 and 9.5.1: packets X/28/0 format 1, X/28/4, M/29/0 and M/29/4.
struct TeletextPresentation: Hashable {
    /// The designation code of the first G0 set and of G2; `nil` without one.
    private(set) var designation: UInt8?
    /// The designation code of the second G0 set; `nil` without one.
    private(set) var secondDesignation: UInt8?
    /// The four color tables of eight entries.
    private(set) var colors = Self.defaultColors
    /// The color entry of rows outside their text.
    private(set) var rowColor = 0
    /// `true` if black backgrounds have the color of the row.
    private(set) var replacesBlack = false
    /// The tables of the colors that spacing attributes name.
    private var remapping = 0

    /// The first entry of the table of foreground colors.
    var foregroundBase: Int { Self.remappings[remapping].foreground * 8 }
    /// The first entry of the table of background colors.
    var backgroundBase: Int { Self.remappings[remapping].background * 8 }

    /// Presentations by the packets that set them.
    struct Packets: Hashable {
        /// The triplets of the packets with designation codes 0 and 4.
        private var triplets: [UInt8: [UInt32?]] = [:]

        /// Keeps a packet X/28 or M/29.
        mutating func take(_ line: TeletextLine) {
            guard let code = line.nibble(0), code == 0 || code == 4 else { return }
            triplets[code] = line.triplets
        }

        /// Changes a presentation; code 4 is for decoders of level 3.5 and gives way to code 0.
        func apply(to presentation: inout TeletextPresentation) {
            for code: UInt8 in [4, 0] {
                guard let triplets = triplets[code] else { continue }
                presentation.apply(Bits(triplets: triplets), firstColor: code == 4 ? 0 : 16)
            }
        }
    }

    /// The presentation of a page by packets of its magazine and its own.
    init(magazine: Packets = Packets(), page: Packets = Packets()) {
        magazine.apply(to: &self)
        page.apply(to: &self)
    }

    private mutating func apply(_ bits: Bits, firstColor: Int) {
        // Page function 0: a page of rows; coding 0: characters with parity.
        guard bits.value(at: 0, count: 7) == 0 else { return }
        if let code = bits.value(at: 7, count: 7) { designation = UInt8(code) }
        if let code = bits.value(at: 14, count: 7) {
            secondDesignation = code == 0x7F ? nil : UInt8(code)
        }
        for index in 0..<16 {
            guard let color = bits.value(at: 28 + 12 * index, count: 12) else { continue }
            // Entry 8 stays transparent.
            if firstColor + index != 8 { colors[firstColor + index] = Self.color(color) }
        }
        if let color = bits.value(at: 225, count: 5) { rowColor = Int(color) }
        if let bit = bits.value(at: 230, count: 1) { replacesBlack = bit == 1 }
        if let code = bits.value(at: 231, count: 3) { remapping = Int(code) }
    }

    /// The bits of 13 triplets.
    private struct Bits {
        var triplets: [UInt32?]

        /// The bits from one on, the first one least significant; `nil` if a triplet of them is damaged.
        func value(at start: Int, count: Int) -> UInt32? {
            var result: UInt32 = 0
            for index in 0..<count {
                let (place, bit) = (start + index).quotientAndRemainder(dividingBy: 18)
                guard place < triplets.count, let triplet = triplets[place] else { return nil }
                result |= (triplet >> UInt32(bit) & 1) << UInt32(index)
            }
            return result
        }
    }

    // MARK: Colors

    /// The tables of foreground and background colors by the color table remapping, table 4.
    private static let remappings: [(foreground: Int, background: Int)] = [
        (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3),
    ]

    /// The colors of table 30, four bits of red, green and blue; entry 8 is transparent.
    private static let defaultColors: [RGBA] =
        ([
            0x000, 0x00F, 0x0F0, 0x0FF, 0xF00, 0xF0F, 0xFF0, 0xFFF,
            0x000, 0x007, 0x070, 0x077, 0x700, 0x707, 0x770, 0x777,
            0x50F, 0x07F, 0x7F0, 0xBFF, 0xAC0, 0x005, 0x256, 0x77C,
            0x333, 0x77F, 0x7F7, 0x7FF, 0xF77, 0xF7F, 0xFF7, 0xDDD,
        ] as [UInt32]).enumerated().map { $0.offset == 8 ? .clear : color($0.element) }

    /// The color of twelve bits, red least significant.
    private static func color(_ bits: UInt32) -> RGBA {
        func component(_ shift: UInt32) -> UInt8 { UInt8(bits >> shift & 0x0F) * 17 }
        return RGBA(red: component(0), green: component(4), blue: component(8))
    }
}
