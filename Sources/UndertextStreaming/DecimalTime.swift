internal import UndertextCore

/// Decimal seconds, such as `9.009`; `nil` for anything else or what does not fit.
func decimalTime(_ text: Substring) -> Timestamp? {
    var text = text
    while text.first == " " { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" || last == "." { text.removeLast() }
    guard !text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    return Timestamp(clock: String(text))
}
