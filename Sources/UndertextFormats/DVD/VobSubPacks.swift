internal import UndertextCore

/// Packs sub-picture units into an MPEG program stream, the format of .sub files.
///
/// ISO/IEC 13818-1, sections 2.5.3.3 (pack) and 2.4.3.6 (PES packet). Each pack has 2048 bytes:
/// pack header, one PES packet of private stream 1 with substream 0x20, and padding.
enum VobSubPacks {
    private static let packSize = 2048
    /// Pack header, PES header and substream number without time and stuffing.
    private static let packHeaderSize = 14
    private static let packetHeaderSize = 10
    /// The smallest padding stream packet: start code and length.
    private static let paddingHeaderSize = 6

    /// Appends the packs of a unit that is shown at `clock`, a time on the 90 kHz clock.
    static func append(_ unit: [UInt8], clock: UInt64, to output: inout [UInt8]) {
        var rest = unit[...]
        var isFirst = true
        while isFirst || !rest.isEmpty {
            let timeSize = isFirst ? 5 : 0
            let room = packSize - packHeaderSize - packetHeaderSize - timeSize
            let data = rest.prefix(room)
            rest = rest.dropFirst(data.count)
            // Less than a padding packet fits: stuff the PES header instead.
            let free = room - data.count
            let stuffing = free < paddingHeaderSize ? free : 0
            appendPackHeader(clock: clock, to: &output)
            output += [0, 0, 1, 0xBD]
            output.appendBigEndian(
                UInt16(truncatingIfNeeded: 4 + timeSize + stuffing + data.count))
            output += [0x81, isFirst ? 0x80 : 0x00, UInt8(timeSize + stuffing)]
            if isFirst { appendTime(clock, to: &output) }
            output += repeatElement(0xFF, count: stuffing)
            output.append(0x20)
            output += data
            if free >= paddingHeaderSize {
                let length = free - paddingHeaderSize
                output += [0, 0, 1, 0xBE]
                output.appendBigEndian(UInt16(truncatingIfNeeded: length))
                output += repeatElement(0xFF, count: length)
            }
            isFirst = false
        }
    }

    /// Start code, system clock, and DVD's multiplex rate of 10.08 Mbit/s.
    private static func appendPackHeader(clock: UInt64, to output: inout [UInt8]) {
        func bits(_ shift: UInt64, _ count: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: clock >> shift & ((1 << count) - 1))
        }
        output += [0, 0, 1, 0xBA]
        output.append(0x44 | bits(30, 3) << 3 | bits(28, 2))
        output.append(bits(20, 8))
        output.append(bits(15, 5) << 3 | 0x04 | bits(13, 2))
        output.append(bits(5, 8))
        output.append(bits(0, 5) << 3 | 0x04)
        output += [0x01, 0x01, 0x89, 0xC3, 0xF8]
    }

    /// A time of 33 bits with its markers.
    private static func appendTime(_ clock: UInt64, to output: inout [UInt8]) {
        func bits(_ shift: UInt64, _ count: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: clock >> shift & ((1 << count) - 1))
        }
        output.append(0x21 | bits(30, 3) << 1)
        output.append(bits(22, 8))
        output.append(bits(15, 7) << 1 | 1)
        output.append(bits(7, 8))
        output.append(bits(0, 7) << 1 | 1)
    }
}
