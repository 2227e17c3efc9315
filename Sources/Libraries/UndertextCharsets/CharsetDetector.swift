internal import CUndertextUchardet

/// Guesses the charset of bytes.
///
/// uchardet, looked up at the first use. Immutable once made; the library is never unloaded.
@safe
final class CharsetDetector: @unchecked Sendable {
    private let functions: UnsafePointer<CUchardetFunctions>

    /// The bytes that are looked at, from the first one that is not ASCII.
    private static let lookedAt = 1 << 20

    private init(adopting functions: UnsafePointer<CUchardetFunctions>) {
        unsafe self.functions = unsafe functions
    }

    /// The detector; `nil` where uchardet is not installed.
    static let shared: CharsetDetector? = {
        let table = UnsafeMutablePointer<CUchardetFunctions>.allocate(capacity: 1)
        if unsafe cuchardet_load(table) == nil { return unsafe CharsetDetector(adopting: table) }
        unsafe table.deallocate()
        return nil
    }()

    /// The detected charset of `bytes`; `nil` if uchardet cannot detect one.
    func charset(of bytes: ArraySlice<UInt8>) -> String? {
        guard let first = bytes.firstIndex(where: { $0 >= 0x80 || $0 == 0x1B }) else { return nil }
        // The surrounding word is more informative than the following bytes alone.
        let start = max(bytes.startIndex, first - 64)
        let sample = bytes[start...].prefix(Self.lookedAt)
        let table = unsafe functions.pointee
        guard let detector = unsafe table.uchardet_new() else { return nil }
        defer { unsafe table.uchardet_delete(detector) }
        let result = unsafe sample.withUnsafeBytes { raw in
            unsafe table.uchardet_handle_data(
                detector, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard result == 0 else { return nil }
        unsafe table.uchardet_data_end(detector)
        guard let name = unsafe table.uchardet_get_charset(detector) else { return nil }
        let text = unsafe String(cString: name)
        return text.isEmpty ? nil : text
    }
}
