import UndertextCore
import UndertextFormats

/// Uses the input as two packets of teletext, for pages by name, by the header and by their transmission, and
/// determines their role in a seek.
func teletextFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let packets = [Int64(1000), 2000].map {
        Packet(streamIndex: 0, pts: $0, timeBase: .milliseconds, data: bytes)
    }
    for service in [nil, "page888", "page100"] as [String?] {
        var stream = StreamDescription(index: 0, kind: .text, codec: .teletext)
        stream.service = service
        if service == nil { stream.codecPrivate = Array(bytes.prefix(2)) }
        guard
            var decoder = SubtitleFormat.decoder(of: stream, diagnostics: DiagnosticSink())
        else { preconditionFailure() }
        for case .cue(let draft) in packets.flatMap({ decoder.decode($0) }) + decoder.finish() {
            // A cell may have a letter with a mark; rows are indented.
            precondition((draft.cue().plainText?.utf8.count ?? 0) <= 25 * 81 * 8)
        }
        precondition(decoder.diagnostics.take().count <= 6 * packets.count + 3)
        _ = SubtitleFormat.randomAccess(of: stream).role(of: bytes)
    }
    var pages = TeletextSubtitlePages()
    pages.add(bytes)
    precondition(pages.pages.count <= 256 * 8)
    return 0
}
