internal import UndertextCore

/// Transport streams that consist of tables only, with more programs than any broadcast has.
public enum ProgramTables {
    /// A stream whose association table names `count` programs, each with its own map.
    ///
    /// - Parameters:
    ///   - count: the number of programs, at most 8,000: each has a packet identifier.
    ///   - repetitions: the number of times that all tables are sent.
    /// - Returns: the bytes.
    public static func stream(programs count: Int, repetitions: Int = 1) -> [UInt8] {
        var counters: [Int: UInt8] = [:]
        var bytes: [UInt8] = []
        func add(_ pid: Int, _ section: [UInt8]) {
            var rest = ([0] + section)[...]
            var isFirst = true
            while !rest.isEmpty {
                let part = rest.prefix(184)
                rest = rest.dropFirst(part.count)
                let counter = counters[pid, default: 0]
                counters[pid] = (counter + 1) & 0x0F
                bytes += [0x47, (isFirst ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
                bytes.append(0x10 | counter)
                bytes += part + [UInt8](repeating: 0xFF, count: 184 - part.count)
                isFirst = false
            }
        }
        let groups = stride(from: 0, to: count, by: 250).map { $0..<min($0 + 250, count) }
        let associations = groups.enumerated().map { index, numbers in
            section(0, 1, index: index, last: groups.count - 1, numbers.flatMap { entry($0 + 1) })
        }
        let maps = (0..<count).map { section(2, $0 + 1, index: 0, last: 0, map(of: $0)) }
        for _ in 0..<repetitions {
            for section in associations { add(0, section) }
            for (number, section) in maps.enumerated() { add(32 + number, section) }
        }
        return bytes
    }

    /// A program of the association table.
    private static func entry(_ number: Int) -> [UInt8] {
        let pid = 31 + number
        return [
            UInt8(number >> 8), UInt8(number & 0xFF), 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF),
        ]
    }

    /// A map with one stream of DVB subtitles.
    private static func map(of number: Int) -> [UInt8] {
        let pid = 8100 + number % 80
        return [0xFF, 0xFF, 0xF0, 0, 0x06, 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0xF0, 10]
            + [0x59, 8] + Array("eng".utf8) + [0x10, 0, 1, 0, 1]
    }

    /// A section with its CRC-32 (ISO/IEC 13818-1, section 2.4.4).
    ///
    /// - Parameters:
    ///   - table: `table_id`.
    ///   - number: `table_id_extension`.
    ///   - version: `version_number`.
    ///   - index: `section_number`.
    ///   - last: `last_section_number`.
    ///   - body: What follows them.
    /// - Returns: The section.
    public static func section(
        _ table: UInt8, _ number: Int, version: UInt8 = 0, index: Int = 0, last: Int = 0,
        _ body: [UInt8]
    ) -> [UInt8] {
        let length = 5 + body.count + 4
        var section: [UInt8] = [table, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF)]
        section += [UInt8(number >> 8), UInt8(number & 0xFF), 0xC1 | version << 1]
        section += [UInt8(index), UInt8(last)]
        section += body
        var sum = UInt32.max
        for byte in section {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        section.appendBigEndian(sum)
        return section
    }
}
