internal import UndertextCore

/// The text of a packet as valid UTF-8 with line feeds only.
///
/// Bytes that are not UTF-8 cost the character they belong to, which becomes U+FFFD.
package struct PacketText: Hashable, Sendable {
    /// The text: valid UTF-8, lines separated by single line feeds, none at the end.
    package let bytes: [UInt8]
    /// The characters that were replaced; `nil` if there are none.
    package let damage: Damage?

    /// The characters that were replaced.
    package struct Damage: Hashable, Sendable {
        /// Number of characters that became U+FFFD.
        package var count: Int
        /// The offset of the first bad byte in the packet.
        package var offset: Int

        /// Creates a note of damage.
        package init(count: Int, offset: Int) {
            self.count = count
            self.offset = offset
        }
    }

    /// Decodes the text of a packet; a NUL ends it, as in Matroska's text blocks.
    package init(_ data: [UInt8]) {
        // Most packets need no change, and then no copy.
        if Self.isClean(data) {
            self.init(bytes: data, damage: nil)
        } else {
            self.init(data[...])
        }
    }

    private init(bytes: [UInt8], damage: Damage?) {
        self.bytes = bytes
        self.damage = damage
    }

    /// `true` if `data` is UTF-8 without NUL and carriage return, and does not end with a line feed.
    private static func isClean(_ data: [UInt8]) -> Bool {
        var index = 0
        while index < data.count {
            let byte = data[index]
            if byte < 0x80 {
                if byte == 0x0D || byte == 0 { return false }
                index += 1
            } else {
                let sequence = utf8Sequence(in: data[...], at: index)
                guard sequence.isValid else { return false }
                index += sequence.length
            }
        }
        return data.last != 0x0A
    }

    /// Decodes text that is a part of a packet; offsets count from the start of the part.
    package init(_ data: ArraySlice<UInt8>) {
        let end = data.firstIndex(of: 0) ?? data.endIndex
        let text = data[data.startIndex..<end]
        var (bytes, damage) = Self.repaired(text)
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        self.bytes = bytes
        self.damage = damage
    }

    /// Well-formed UTF-8 with line feeds, and what had to be replaced for it.
    private static func repaired(_ data: ArraySlice<UInt8>) -> ([UInt8], Damage?) {
        var position = data.startIndex
        while position < data.endIndex, data[position] != 0x0D {
            let sequence = utf8Sequence(in: data, at: position)
            guard sequence.isValid else { break }
            position += sequence.length
        }
        guard position < data.endIndex else { return (Array(data), nil) }
        var bytes = Array(data[data.startIndex..<position])
        bytes.reserveCapacity(data.count)
        var damage: Damage?
        while position < data.endIndex {
            let byte = data[position]
            if byte == 0x0D {
                bytes.append(0x0A)
                position += 1
                if position < data.endIndex, data[position] == 0x0A { position += 1 }
            } else if byte < 0x80 {
                bytes.append(byte)
                position += 1
            } else {
                let sequence = utf8Sequence(in: data, at: position)
                if sequence.isValid {
                    bytes += data[position..<position + sequence.length]
                } else {
                    bytes += utf8Replacement
                    let first = damage?.offset ?? position - data.startIndex
                    damage = Damage(count: (damage?.count ?? 0) + 1, offset: first)
                }
                position += sequence.length
            }
        }
        return (bytes, damage)
    }
}
