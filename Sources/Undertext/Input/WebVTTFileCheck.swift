/// Notices WebVTT files of which libavformat 5 and 6 leave out cues without a word.
///
/// Their reader takes a STYLE or REGION block for the end of the file.
enum WebVTTFileCheck {
    private static let readAtMost = 4 << 20

    static func diagnostic(_ source: (any ByteSource)?) -> Diagnostic? {
        guard let source, let bytes = try? source.read(at: 0, count: readAtMost) else { return nil }
        var offset = 0
        for line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
            let word = line.prefix { $0 > 0x20 }
            let isAlone = line.dropFirst(word.count).allSatisfy { $0 <= 0x20 }
            if isAlone, word.elementsEqual("STYLE".utf8) || word.elementsEqual("REGION".utf8) {
                return Diagnostic(
                    .error, "webvtt-block",
                    "cues behind a STYLE or REGION block are lost: reading such a file by itself "
                        + "is not possible in this version", byteOffset: UInt64(offset))
            }
            offset += line.count + 1
        }
        return nil
    }
}
