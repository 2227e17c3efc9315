internal import UndertextCore

/// Zero-terminated strings for C, which live as long as this object.
///
/// They never change after their creation, so any thread may read them.
@safe final class CTexts: @unchecked Sendable {
    private var blocks: [UnsafeMutablePointer<CChar>] = unsafe []

    /// Stores a string and returns its pointer, NULL for `nil`.
    ///
    /// Not thread-safe: all strings are stored before another thread gets this object.
    func keep(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        let utf8 = text.utf8
        // A zero byte would end the string: the three bytes of U+FFFD replace it.
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

/// Returns a copy of a C string, or `nil` for NULL; U+FFFD replaces invalid UTF-8.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
}
