import UndertextCore
import UndertextFormats

/// Reads a script file, writes it as it was, and encodes its cues.
func assFileFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Readers get text whose characters are right.
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
    _ = ASSFileReader.refusal(of: text[...])
    let reader = ASSFileReader(text, limits: Limits())
    var native = ASSPacketWriter(
        codecPrivate: reader.stream.codecPrivate, isSSA: reader.stream.codec == .ssa)
    var decoder = ASSDecoder(stream: reader.stream)
    var file: [[UInt8]] = [[]]
    var cues: [Cue] = []
    native.begin(into: &file)
    while let packet = try? reader.nextPacket() {
        native.write(packet, into: &file)
        for case .cue(let draft) in decoder.decode(packet) {
            cues.append(draft.cue(order: cues.count))
        }
    }
    native.finish(into: &file)
    precondition(native.cueCount == 0 || file[0] == text, "another script")
    for file in reader.embeddedFiles { precondition(file.bytes.count <= text.count) }
    for kind in [ASSWriter.Kind.ass, .ssa] {
        _ = written(cues, kind, decoder.header)
        // Of nowhere, so that everything is written from the neutral form.
        let neutral = cues.map { cue in
            var cue = cue
            cue.source = nil
            return cue
        }
        let script = written(neutral, kind, SubtitleHeader(canvas: decoder.header.canvas))
        let again = ASSFileReader(script, limits: Limits())
        var events = 0
        while (try? again.nextPacket()) != nil { events += 1 }
        precondition(events == neutral.count { $0.plainText != "" }, "other events")
        precondition(again.diagnostics.take().isEmpty, "a damaged script")
    }
    return 0
}

private func written(
    _ cues: [Cue], _ kind: ASSWriter.Kind, _ header: SubtitleHeader
) -> [UInt8] {
    var writer = ASSWriter(kind, header: header)
    var output: [UInt8] = []
    writer.begin(into: &output)
    for cue in cues { writer.write(cue, into: &output) }
    writer.finish(into: &output)
    return output
}
