import UndertextCore
import UndertextFormats

/// Reads the input as a document, writes its cues and reads that: writing it again gives the same bytes.
func ttmlFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = Limits()
    limits.cues = 500
    _ = TTMLFileReader.refusal(of: bytes[...])
    _ = IntermediateSynchronicDocument.all(of: bytes, limits: limits)
    let reader = TTMLFileReader(bytes, limits: limits)
    precondition(reader.linkedFiles.allSatisfy { !$0.contains("/") && $0 != ".." })
    var stream = reader.stream
    let cues = decoded(bytes, stream, duration: nil, limits)
    _ = decoded(bytes, stream, duration: 2000, limits)
    stream.kind = .text
    let first = written(cues, stream)
    let second = TTMLFileReader(first, limits: Limits())
    let again = written(decoded(first, second.stream, duration: nil, Limits()), second.stream)
    precondition(first == again)
    return 0
}

private func decoded(
    _ bytes: [UInt8], _ stream: StreamDescription, duration: Int64?, _ limits: Limits
) -> [Cue] {
    var decoder = TTMLDecoder(stream: stream, options: DecodingOptions(limits: limits))
    let packet = Packet(
        streamIndex: 0, pts: 0, duration: duration, timeBase: .milliseconds, data: bytes)
    var cues: [Cue] = []
    for case .cue(let draft) in decoder.decode(packet) + decoder.finish() {
        cues.append(draft.cue(order: cues.count))
    }
    for (one, next) in zip(cues, cues.dropFirst()) { precondition(one.start <= next.start) }
    precondition(cues.allSatisfy { $0.end > $0.start })
    return cues
}

private func written(_ cues: [Cue], _ stream: StreamDescription) -> [UInt8] {
    var writer = TTMLWriter(header: TTMLDecoder(stream: stream).header)
    var output: [UInt8] = []
    writer.begin(into: &output)
    for cue in cues { writer.write(cue, into: &output) }
    writer.finish(into: &output)
    return output
}
