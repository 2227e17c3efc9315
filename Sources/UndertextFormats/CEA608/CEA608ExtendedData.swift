/// The description of the program by the extended data services of field 2.
///
/// CTA-608-E, section 9: packets of a class and a type, which captions and other packets may interrupt.
package struct CEA608ExtendedData: Hashable, Sendable {
    /// The name of the program.
    package private(set) var programName: String?
    /// The rating of the program, such as `PG-13` or `TV-14 (V)`.
    package private(set) var rating: String?
    /// The name of the network.
    package private(set) var networkName: String?
    /// The call letters of the station.
    package private(set) var callLetters: String?

    /// The class and the type of a packet.
    private struct Key: Hashable {
        var kind: UInt8
        var type: UInt8
    }

    /// The bytes of packets that are not complete.
    private var pending: [Key: [UInt8]] = [:]
    private var current: Key?

    /// Bytes that a packet may have (section 9.2).
    private static let longest = 32
    /// Packets that may be interrupted at a time.
    private static let pendingAtMost = 16
    private static let end: UInt8 = 0x0F

    /// Nothing is known.
    package init() {}

    /// Takes a pair whose first byte is 0x01 to 0x0F; `false` if no packet goes on after it.
    mutating func begin(_ first: UInt8, _ second: UInt8) -> Bool {
        guard first != Self.end else {
            finish(checksum: second)
            return false
        }
        // Classes are odd numbers, the next number continues a packet.
        let key = Key(kind: first | 1, type: second)
        let isContinued = first & 1 == 0
        let kind = isContinued ? Key(kind: first - 1, type: second) : key
        if isContinued {
            current = pending[kind] == nil ? nil : kind
        } else {
            if pending.count >= Self.pendingAtMost { pending.removeAll() }
            pending[kind] = []
            current = kind
        }
        return true
    }

    /// Takes a pair of characters of the current packet.
    mutating func append(_ first: UInt8, _ second: UInt8) {
        guard let current, var bytes = pending[current] else { return }
        bytes.append(first)
        if second != 0 { bytes.append(second) }
        guard bytes.count <= Self.longest else {
            drop()
            return
        }
        pending[current] = bytes
    }

    /// Forgets the current packet, which is damaged.
    mutating func drop() {
        if let current { pending[current] = nil }
        current = nil
    }

    private mutating func finish(checksum: UInt8) {
        guard let key = current, let bytes = pending[key] else { return }
        drop()
        // Section 9.5: all bytes of the packet together are zero in seven bits.
        let sum = ([key.kind, key.type] + bytes + [Self.end, checksum]).reduce(0) { $0 &+ $1 }
        guard sum & 0x7F == 0 else { return }
        let text = String(
            String.UnicodeScalarView(
                bytes.filter { $0 >= 0x20 }.map(CEA608Character.standard)))
        switch (key.kind, key.type) {
        case (0x01, 0x03): programName = text
        case (0x01, 0x05): rating = Self.rating(bytes)
        case (0x05, 0x01): networkName = text
        case (0x05, 0x02): callLetters = text
        default: break
        }
    }

    /// Reads a content advisory (section 9.5.1.5).
    private static func rating(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[0], bytes[1])
        let level = Int(second & 7)
        switch (first >> 3) & 7 {
        // The lower two bits name the system; the upper one belongs to the system.
        case 0b000, 0b100, 0b010, 0b110:
            return named(
                ["", "G", "PG", "PG-13", "R", "NC-17", "X", "Not rated"], Int(first & 7))
        case 0b001, 0b101:
            let name = named(
                ["", "TV-Y", "TV-Y7", "TV-G", "TV-PG", "TV-14", "TV-MA", ""], level)
            let flags = [
                (second & 0x20 != 0, level == 2 ? "FV" : "V"), (second & 0x10 != 0, "S"),
                (second & 0x08 != 0, "L"), (first & 0x20 != 0, "D"),
            ].filter(\.0).map(\.1)
            guard let name, !flags.isEmpty else { return name }
            return "\(name) (\(flags.joined(separator: ", ")))"
        case 0b011: return named(["E", "C", "C8+", "G", "PG", "14+", "18+", ""], level)
        case 0b111:
            return named(["E", "G", "8 ans +", "13 ans +", "16 ans +", "18 ans +", "", ""], level)
        default: return nil
        }
    }

    private static func named(_ names: [String], _ index: Int) -> String? {
        names[index].isEmpty ? nil : names[index]
    }
}
