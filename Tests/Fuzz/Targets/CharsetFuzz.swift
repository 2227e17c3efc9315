import UndertextCharsets

/// The first byte chooses the charset, the rest is the text.
func charsetFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let charsets: [String?] = [
        nil, nil, "utf-8", "utf-16le", "utf-16", "utf-32", "shift_jis", "gb18030", "iso-2022-jp",
        "windows-1252", "utf-7",
    ]
    let data = Array(bytes.dropFirst())
    _ = DecodedText.looksLikeText(data)
    guard let text = DecodedText(data, charset: charsets[Int(choice) % charsets.count]) else {
        return 0
    }
    precondition(!text.bytes.contains(0))
    precondition(String(validating: text.bytes, as: UTF8.self) != nil)
    precondition(text.replacedAt.count <= DecodedText.placesAtMost)
    precondition(text.replacedAt.allSatisfy { $0 >= 0 && $0 < text.bytes.count })
    precondition((0...1).contains(text.charset.confidence))
    return 0
}
