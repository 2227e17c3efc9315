internal import UndertextCore

/// A sub-picture unit of a DVD: pixel data, and commands for the times and form of its display.
///
/// A unit consists of its size, the offset of the first control sequence, pixel data, and the control sequences
/// (DVD-Video, part 3, section 5.4.3). If the size is 0, both follow in 32 bits (HD DVD).
package struct SubPictureUnit: Hashable, Sendable {
    /// The stated length in bytes.
    package let size: Int
    /// The bytes of the unit; fewer than ``size`` if it is truncated.
    package let bytes: ArraySlice<UInt8>
    /// `true` if offsets have 32 bits.
    package let isLarge: Bool
    /// The control sequences in their order.
    package let sequences: [Sequence]
    /// `true` if a part of the control sequences could not be read.
    package let isDamaged: Bool

    /// Commands and when they are carried out (SP_DCSQ).
    package struct Sequence: Hashable, Sendable {
        /// The offset in the unit.
        package let offset: Int
        /// Time since the unit's own time, in 1024/90000 s.
        package let delay: UInt16
        /// The commands in their order.
        package let commands: [SubPictureCommand]
    }

    /// Parses the control sequences of a unit; `nil` if its header is incomplete.
    package init?(_ data: [UInt8]) {
        guard let header = Header(data[...]) else { return nil }
        size = header.size
        isLarge = header.isLarge
        bytes = data.prefix(header.size)
        (sequences, isDamaged) = Self.sequences(bytes, header)
    }

    /// `true` if a command ends the display.
    package var hasStop: Bool {
        sequences.contains { $0.commands.contains(.stop) }
    }

    /// The time of a delay since the unit's own, on the 90 kHz clock.
    package static func ticks(ofDelay delay: UInt16) -> Int64 { Int64(delay) * 1024 }

    /// The largest delay, which means that the program that wrote the unit did not know the end:
    /// libavcodec's encoder writes it where the end is open.
    static let unknownDelay = UInt16.max

    /// No unit is shown longer than this on its own account, 745.7 s.
    package static let longestDelay = Duration.seconds(746)

    /// The time of the first change on the screen, in ticks of 90 kHz from the unit's start; `nil` if there is
    /// none.
    package var firstChange: Int64? {
        SubPictureMoment.moments(of: self).moments.first {
            $0.state.isShown || $0.state.wasStopped
        }?.ticks
    }

    /// The time at which the unit itself clears the screen, in ticks of 90 kHz from its start; `nil` if it does
    /// not.
    package var ownEnd: Int64? {
        var end: Int64?
        var wasShown = false
        for moment in SubPictureMoment.moments(of: self).moments {
            if moment.state.isShown { end = nil } else if wasShown { end = moment.ticks }
            wasShown = moment.state.isShown
        }
        return end
    }

    /// Far more than any image needs: there are eight commands, and a long fade has some dozens of
    /// sequences.
    private static let commandsAtMost = 64
    private static let sequencesAtMost = 4096

    private static func sequences(
        _ bytes: ArraySlice<UInt8>, _ header: Header
    ) -> (sequences: [Sequence], isDamaged: Bool) {
        var reader = ByteReader(bytes)
        var sequences: [Sequence] = []
        var isDamaged = false
        var offset = header.control
        while true {
            guard offset >= header.length, reader.seek(to: offset), let delay = reader.uint16(),
                let next = reader.unsigned(header.isLarge ? 4 : 2)
            else { return (sequences, true) }
            // The last one leads to itself. Others end where the next one begins, so that a unit is
            // read only once.
            let following = Int(exactly: next).flatMap { $0 > offset ? $0 : nil }
            var commands: [SubPictureCommand] = []
            reading: while following.map({ reader.offset < $0 }) ?? true {
                guard commands.count < commandsAtMost else {
                    isDamaged = true
                    break reading
                }
                switch SubPictureCommand.read(&reader) {
                case .command(let command): commands.append(command)
                case .end: break reading
                case .damaged:
                    isDamaged = true
                    break reading
                }
            }
            sequences.append(Sequence(offset: offset, delay: delay, commands: commands))
            guard let following else {
                return (sequences, isDamaged || next < UInt64(offset))
            }
            guard sequences.count < sequencesAtMost else { return (sequences, true) }
            offset = following
        }
    }
}

extension SubPictureUnit {
    /// The first bytes of a unit.
    struct Header {
        /// The stated length of the unit.
        var size: Int
        /// The offset of the control sequences.
        var control: Int
        var isLarge: Bool
        /// The length of the header itself.
        var length: Int { isLarge ? 10 : 4 }

        /// Reads a header; `nil` where its bytes or its values cannot be one.
        init?(_ data: ArraySlice<UInt8>) {
            var reader = ByteReader(data)
            guard let size = reader.uint16() else { return nil }
            isLarge = size == 0
            if isLarge {
                guard let size = reader.uint32(), let control = reader.uint32() else { return nil }
                (self.size, self.control) = (Int(size), Int(control))
            } else {
                guard let control = reader.uint16() else { return nil }
                (self.size, self.control) = (Int(size), Int(control))
            }
            // The smallest sequence: delay, offset, one command.
            guard control >= length, size == 0 || control + 5 <= self.size,
                control <= self.size
            else { return nil }
        }
    }
}
