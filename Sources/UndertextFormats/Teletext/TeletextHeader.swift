/// The address of a page: its magazine and two hexadecimal digits.
package struct TeletextPageAddress: Hashable, Sendable {
    /// The magazine, 1 to 8.
    package let magazine: Int
    /// The number within the magazine, 0x00 to 0xFF; viewers can enter those without letters.
    package let number: UInt8

    /// Creates an address; a magazine of 0 is the eighth.
    package init(magazine: Int, number: UInt8) {
        self.magazine = magazine & 7 == 0 ? 8 : magazine & 7
        self.number = number
    }

    /// The page of a service name, such as `page888`; `nil` for other names.
    package init?(service: String) {
        let digits = service.dropFirst(Self.prefix.count)
        guard service.hasPrefix(Self.prefix), digits.utf8.count == 3,
            let value = UInt16(digits, radix: 16), (1...8).contains(value >> 8)
        else { return nil }
        self.init(magazine: Int(value >> 8), number: UInt8(truncatingIfNeeded: value))
    }

    /// The name of the service, such as `page888`.
    package var service: String {
        let digits = String(number, radix: 16, uppercase: true)
        return Self.prefix + String(magazine) + (digits.utf8.count < 2 ? "0" : "") + digits
    }

    private static let prefix = "page"
    /// The number of headers that only end a page.
    ///
    /// EN 300 706, section 9.3.1.1: time-filling headers and terminators.
    static let fillingNumber: UInt8 = 0xFF
}

/// The page header: address, subcode and control bits.
///
/// EN 300 706, section 9.3.1.
struct TeletextHeader: Hashable {
    /// The page; `nil` if a digit is damaged.
    var page: TeletextPageAddress?
    /// The subcode, without the bits between its digits.
    var subcode: UInt16 = 0
    /// The control bits C4 to C14, C4 least significant.
    private var bits: UInt16 = 0
    /// `true` if the subcode or a control bit is damaged; those are zero.
    private(set) var isDamaged = false

    /// C4: nothing of earlier transmissions stays.
    var erasesPage: Bool { bit(4) }
    /// C5: only boxes are shown, as they come.
    var isNewsflash: Bool { bit(5) }
    /// C6: only boxes are shown.
    var isSubtitle: Bool { bit(6) }
    /// C7: row 0 is not shown.
    var suppressesHeader: Bool { bit(7) }
    /// C10: no row but the header is shown.
    var inhibitsDisplay: Bool { bit(10) }
    /// C11: a header ends the page that was sent before it, whatever its magazine.
    var isSerial: Bool { bit(11) }
    /// C12 to C14: the national option, C12 most significant.
    var nationalOption: UInt8 { (bit(12) ? 4 : 0) | (bit(13) ? 2 : 0) | (bit(14) ? 1 : 0) }
    /// `true` if only boxes are shown.
    var showsOnlyBoxes: Bool { isNewsflash || isSubtitle }

    init() {}

    /// Reads packet X/0.
    init(_ line: TeletextLine) {
        if let units = line.nibble(0), let tens = line.nibble(1) {
            page = TeletextPageAddress(magazine: line.magazine, number: tens << 4 | units)
        }
        var fields: [UInt16] = []
        for index in 2..<8 {
            let nibble = line.nibble(index)
            isDamaged = isDamaged || nibble == nil
            fields.append(UInt16(nibble ?? 0))
        }
        subcode = fields[0] | (fields[1] & 7) << 4 | fields[2] << 8 | (fields[3] & 3) << 12
        bits = fields[1] >> 3 | (fields[3] >> 2) << 1 | fields[4] << 3 | fields[5] << 7
    }

    private func bit(_ number: UInt16) -> Bool { bits >> (number - 4) & 1 == 1 }
}
