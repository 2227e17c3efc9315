/// Strings that C reads, which live as long as this.
///
/// Nothing changes them once they are made, so any thread may read them.
@safe final class CTexts: @unchecked Sendable {
    private var blocks: [UnsafeMutablePointer<CChar>] = unsafe []

    /// Keeps a string; `nil` stays NULL.
    ///
    /// To be called before anybody else has this object.
    func keep(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        let utf8 = text.utf8
        // A zero byte would cut the string off: three bytes of U+FFFD take its place.
        let zeros = utf8.count { $0 == 0 }
        let block = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count + 2 * zeros + 1)
        var end = 0
        for byte in utf8 {
            for out in byte == 0 ? Self.replacement : [byte] {
                unsafe block[end] = CChar(bitPattern: out)
                end += 1
            }
        }
        unsafe block[end] = 0
        unsafe blocks.append(block)
        return unsafe UnsafePointer(block)
    }

    /// U+FFFD.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    deinit {
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }
}

/// A string of C's; invalid UTF-8 becomes U+FFFD.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
}
