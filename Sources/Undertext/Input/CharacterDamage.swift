internal import Charsets

/// Tells where characters of a text file could not be read.
enum CharacterDamage {
    static func diagnostics(of text: DecodedText) -> [Diagnostic] {
        guard text.replacedCount > 0 else { return [] }
        let code = text.charset.name == "utf-8" ? "invalid-utf8" : "invalid-character"
        var line = 1
        var lineStart = 0
        var place = 0
        var result: [Diagnostic] = []
        for offset in text.replacedAt {
            while place < offset, place < text.bytes.count {
                let byte = text.bytes[place]
                place += 1
                let endsLine =
                    byte == 0x0A
                    || byte == 0x0D && !(place < text.bytes.count && text.bytes[place] == 0x0A)
                guard endsLine else { continue }
                line += 1
                lineStart = place
            }
            // Columns count characters: bytes that continue one do not.
            let column = text.bytes[lineStart..<min(offset, text.bytes.count)].count {
                $0 & 0xC0 != 0x80
            }
            result.append(
                Diagnostic(
                    .error, code,
                    "line \(line), column \(column + 1): what is no character in "
                        + "\(text.charset.name) became U+FFFD", streamIndex: 0))
        }
        let more = text.replacedCount - text.replacedAt.count
        if more > 0 {
            result.append(
                Diagnostic(
                    .error, code, "\(more) further characters became U+FFFD", streamIndex: 0))
        }
        return result
    }
}
