internal import UndertextCore

/// Finds the tags of SubRip text that open or close nothing; overlapping tags are balanced.
enum SubRipTagBalance {
    static func unbalanced(in bytes: [UInt8]) -> [UnbalancedTag] {
        var balance = TagBalance()
        var braces: [UnbalancedTag] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x3C, let tag = SubRipTag(bytes, at: index) {
                if let name = name(of: tag.name) {
                    if tag.isClosing { balance.close(name) } else { balance.open(name) }
                }
                index = tag.end
                continue
            }
            if braces.isEmpty, bytes[index] == 0x7B, index + 1 < bytes.count,
                bytes[index + 1] == 0x5C
            {
                if let end = bytes[index...].firstIndex(of: 0x7D) {
                    index = end + 1
                    continue
                }
                braces = [UnbalancedTag("{")]
            }
            index += 1
        }
        return balance.unbalanced() + braces
    }

    private static func name(of tag: SubRipTag.Name) -> String? {
        switch tag {
        case .bold: "b"
        case .italic: "i"
        case .underline: "u"
        case .strike: "s"
        case .font: "font"
        case .lineBreak: nil
        }
    }
}
