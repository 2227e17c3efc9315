/// Percent-encoding (RFC 3986, section 2.1).
extension URI {
    /// A Boolean value that indicates whether a byte needs no escape anywhere (section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    }

    /// A text with an escape for each byte that is not plain.
    package static func escaped(
        _ text: some StringProtocol, plain isPlain: (UInt8) -> Bool = isUnreserved
    ) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A reference as playlists and manifests have it, made valid: without white space around it, and with escapes
    /// for spaces, control characters and characters beyond ASCII.
    package static func repaired(_ reference: String) -> String {
        var bytes = reference.utf8[...]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return escaped(Substring(bytes)) { $0 > 0x20 && $0 < 0x7F }
    }

    /// Returns a text with its escapes resolved; everything else stays.
    package static func unescaped(_ text: some StringProtocol) -> String {
        var isValid = true
        return String(decoding: bytes(text, &isValid), as: UTF8.self)
    }

    /// Returns a text with its escapes resolved, or `nil` for incomplete escapes and invalid UTF-8.
    package static func strictlyUnescaped(_ text: some StringProtocol) -> String? {
        var isValid = true
        let bytes = bytes(text, &isValid)
        return isValid ? String(validating: bytes, as: UTF8.self) : nil
    }

    private static func bytes(_ text: some StringProtocol, _ isValid: inout Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                if rest.count >= 2, let high = rest[rest.startIndex].hexValue,
                    let low = rest[rest.startIndex + 1].hexValue
                {
                    result.append(high << 4 | low)
                    rest = rest.dropFirst(2)
                    continue
                }
                isValid = false
            }
            result.append(byte)
        }
        return result
    }
}

/// Files (RFC 8089).
extension URI {
    /// The `file:` URL of a path.
    ///
    /// - Parameter path: absolute, without `.` and `..`.
    package init(filePath path: String) {
        self.init("file://")
        self.path = Self.escaped(path) {
            $0 > 0x20 && $0 < 0x7F && !"%?#\\^`{|}\"<>".utf8.contains($0)
        }
    }

    /// The path of a `file:` URL; `nil` for other URLs, for one with a host, and for escapes that hide a slash, a
    /// dot segment or a NUL.
    package var filePath: String? {
        guard scheme?.lowercased() == "file", (authority ?? "").isEmpty, path.hasPrefix("/") else {
            return nil
        }
        var parts: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = Self.strictlyUnescaped(part), name != ".", name != "..",
                !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
            else { return nil }
            parts.append(name)
        }
        return parts.joined(separator: "/")
    }

    /// Returns the literal path of `file://PATH`, as libavformat does, or `nil` for other texts.
    package static func literalPath(ofFileURL text: String) -> String? {
        URI(text).urlScheme == "file" ? String(text.dropFirst("file://".utf8.count)) : nil
    }

    /// The reference to a file from a folder, such as `../video/a.m3u8`; other URLs stay.
    ///
    /// - Parameter folder: an absolute path.
    /// - Returns: the reference.
    package func relative(toFolder folder: String) -> URI {
        guard urlScheme == "file", authority == "", path.hasPrefix("/") else { return self }
        let target = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let base = URI(filePath: folder).path.split(separator: "/")
        var common = 0
        while common < min(base.count, target.count - 1), base[common] == target[common] {
            common += 1
        }
        let up = [Substring](repeating: "..", count: base.count - common)
        var result = self
        result.scheme = nil
        result.authority = nil
        result.path = (up + target[common...]).joined(separator: "/")
        return result
    }
}
