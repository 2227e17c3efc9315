internal import UndertextCore

/// The text of a SubViewer cue: `[br]` breaks lines as the ends of lines do.
enum SubViewerText {
    static func parse(_ bytes: [UInt8]) -> PlainTextDecoder.Parsed {
        var text: [UInt8] = []
        var index = 0
        func endLine() {
            if let last = text.last, last != 0x0A { text.append(0x0A) }
        }
        while index < bytes.count {
            if bytes[index] == 0x0A {
                endLine()
                index += 1
            } else if bytes[index] == UInt8(ascii: "["),
                bytes[index...].prefix(4).equalsIgnoringCase("[br]")
            {
                endLine()
                index += 4
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        while text.last == 0x0A { text.removeLast() }
        return .init(text: StyledText(String(decoding: text, as: UTF8.self)))
    }
}
