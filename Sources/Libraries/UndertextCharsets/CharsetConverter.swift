internal import CUndertextUchardet
internal import UndertextCore

/// A conversion to UTF-8.
///
/// glibc: `iconv_t`.
@safe
struct CharsetConverter: ~Copyable {
    private let handle: UnsafeMutableRawPointer
    /// Bytes to go over where they are no character.
    private let unit: Int

    /// `bytes` without the zero characters at their end, and without what of one is cut off there.
    func withoutTrailingZeros(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var count = bytes.count
        while count > 0, bytes[bytes.startIndex + count - 1] == 0 { count -= 1 }
        // The last character may end with zero bytes of its own.
        let whole = (count + unit - 1) / unit * unit
        return bytes.prefix(whole)
    }

    /// A conversion from `name`; `nil` if iconv does not know it.
    init?(from name: String) {
        // A suffix such as //TRANSLIT is an order, not a name.
        guard !name.isEmpty, name.utf8.allSatisfy(Self.mayStandInName),
            let opened = unsafe name.withCString({ unsafe ciconv_open($0) })
        else { return nil }
        unsafe handle = unsafe opened
        unit = Int(unsafe name.withCString { unsafe ciconv_unit($0) })
    }

    deinit { unsafe ciconv_close(handle) }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_.:()+".utf8.contains(byte)
        }
    }

    /// The text of `bytes` in UTF-8; what is no character becomes U+FFFD.
    ///
    /// `found` receives the offset in the result of each replaced character.
    func converted(_ bytes: ArraySlice<UInt8>, replaced found: (Int) -> Void) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var (read, written) = (0, 0)
        _ = unsafe ciconv_convert(handle, nil, 0, nil, 0, &read, &written)
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return }
            var place = 0
            while place < input.count {
                let outcome = unsafe buffer.withUnsafeMutableBufferPointer { output in
                    unsafe ciconv_convert(
                        handle, base + place, input.count - place, output.baseAddress,
                        output.count, &read, &written)
                }
                place += read
                result += buffer[..<written]
                guard outcome != ciconv_done, outcome != ciconv_full else {
                    continue
                }
                found(result.count)
                result += utf8Replacement
                // A truncated sequence at the end is one character.
                place = outcome == ciconv_invalid ? place + unit : input.count
            }
        }
        // Some charsets wait for what might follow the last letter.
        written = unsafe buffer.withUnsafeMutableBufferPointer { output in
            unsafe output.baseAddress.map { unsafe ciconv_flush(handle, $0, output.count) } ?? 0
        }
        result += buffer[..<written]
        return result
    }
}
