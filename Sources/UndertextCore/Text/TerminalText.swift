/// The text with everything escaped that could steer a terminal or reorder what is read.
///
/// Titles, languages and names come from files. Escaped as `\u{1B}` are: controls (C0, DEL, C1),
/// line and paragraph separators, bidirectional marks, embeddings, overrides and isolates (Unicode
/// Standard Annex 9), invisible formatting and tag characters. A byte of a path that is not UTF-8 (``PathText``) becomes
/// `\xE9`.
package func escapedForTerminal(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: steersTerminal) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if let byte = PathText.byte(of: scalar) {
            result += "\\x" + String(byte, radix: 16, uppercase: true)
        } else if steersTerminal(scalar) {
            result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Returns `true` if the character controls a terminal or the direction of text.
///
/// The joiners U+200C and U+200D are part of the spelling in Persian, Indic scripts and emoji, so they stay.
private func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F: true
    case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F: true
    case 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB: true
    case 0xEF80...0xEFFF: true
    case 0x1D173...0x1D17A, 0xE0000...0xE007F: true
    default: false
    }
}
