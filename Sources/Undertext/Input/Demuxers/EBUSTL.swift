/// EBU STL files (EBU Tech 3264-E), which libavformat takes for Spruce subtitle text of the same extension.
enum EBUSTL {
    /// Bytes of the General Subtitle Information block that ``refuse(_:)`` looks at.
    private static let headSize = 11

    /// Refuses a file that begins with a GSI block.
    ///
    /// - Parameter candidate: the file.
    /// - Throws: `UndertextError` with code `unsupported` if the Disk Format Code (bytes 3 to 10) is `STL` with a frame
    ///   rate, `STL25.01` or `STL30.01`.
    static func refuse(_ candidate: InputCandidate) throws(UndertextError) {
        let head = candidate.head
        guard head.count >= headSize else { return }
        let code = head[3..<headSize]
        guard code.prefix(3).elementsEqual("STL".utf8), code.suffix(3).elementsEqual(".01".utf8),
            code.dropFirst(3).prefix(2).allSatisfy({ (0x30...0x39).contains($0) })
        else { return }
        throw UndertextError(
            .unsupported,
            "it is an EBU STL file (\(String(decoding: code, as: UTF8.self))), which is not supported yet; "
                + "convert it to SubRip or TTML with another program first",
            path: candidate.access.input.argument)
    }
}
