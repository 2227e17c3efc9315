internal import UndertextCore

/// The EBML header at the start of a file (RFC 8794, section 11.2).
enum EBMLHeader {
    private static let maximumSize: UInt64 = 4096

    /// Checks the header and returns the segment after it.
    ///
    /// - Throws: ``UndertextError`` with code `empty`, `notMedia`, `malformed` or `unsupported`.
    static func findSegment(_ window: SourceWindow) throws(UndertextError) -> ElementHeader {
        let path = window.source.name
        let first = try window.bytes(at: 0, count: 4, ahead: 64)
        guard !first.isEmpty else { throw UndertextError(.empty, "the file is empty", path: path) }
        guard Array(first) == [0x1A, 0x45, 0xDF, 0xA3] else {
            throw UndertextError(.notMedia, "this is not a Matroska file", path: path)
        }
        let end = window.remaining(at: 0)
        guard let header = try window.element(at: 0, before: end), let size = header.size,
            size <= maximumSize, let headerEnd = header.end, headerEnd <= end
        else { throw UndertextError(.malformed, "the EBML header is damaged", path: path) }
        try check(window.bytes(at: header.dataStart, count: Int(size)), path: path)

        var position = headerEnd
        for _ in 0..<16 {
            guard let element = try window.element(at: position, before: end) else { break }
            if element.id == .segment { return element }
            guard element.id == .void || element.id == .crc32, let next = element.end else { break }
            position = next
        }
        throw UndertextError(
            .malformed, "there is no segment after the EBML header", path: path,
            byteOffset: position)
    }

    private static func check(_ data: ArraySlice<UInt8>, path: String) throws(UndertextError) {
        var docType = "matroska"
        for element in ElementCursor(data) {
            let value = element.unsigned ?? 0
            switch element.id {
            case .ebmlReadVersion where value > 1:
                throw UndertextError(
                    .unsupported, "EBML version \(value) is not known", path: path)
            case .ebmlMaxIDLength where value > 4:
                throw UndertextError(
                    .unsupported, "element identifiers of \(value) bytes are not known",
                    path: path)
            case .ebmlMaxSizeLength where value > 8:
                throw UndertextError(
                    .unsupported, "element sizes of \(value) bytes are not known", path: path)
            case .docType: docType = element.string
            default: break
            }
        }
        guard docType == "matroska" || docType == "webm" else {
            throw UndertextError(
                .notMedia, "the EBML document type is not Matroska", path: path)
        }
    }
}
