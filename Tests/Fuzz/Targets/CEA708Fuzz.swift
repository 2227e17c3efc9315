import UndertextCore
import UndertextFormats

/// Uses the input as two packets of CEA-708 and as a sample of MP4, for services with short and long numbers.
func cea708Fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let packet = Packet(streamIndex: 0, pts: 1000, timeBase: .milliseconds, data: bytes)
    var later = packet
    later.pts = 1500
    guard let unpacker = SubtitleFormat.cea708.sampleUnpacker else { preconditionFailure() }
    var samples = unpacker.init(diagnostics: DiagnosticSink())
    let packets = [packet, later] + samples.add(packet) + samples.finish()
    for service in ["SERVICE1", "SERVICE2", "SERVICE40"] {
        for rollUpLines in [false, true] {
            var stream = StreamDescription(index: 0, kind: .text, codec: .cea708)
            stream.service = service
            _ = SubtitleFormat.randomAccess(of: stream).role(of: bytes)
            let options = DecodingOptions(rollUpLines: rollUpLines)
            guard
                var decoder = SubtitleFormat.decoder(
                    of: stream, options: options, diagnostics: DiagnosticSink()),
                var writer = SubtitleFormat.webVTT.cueWriter(header: decoder.header)
            else { preconditionFailure() }
            var output: [UInt8] = []
            writer.begin(into: &output)
            for case .cue(let draft) in packets.flatMap({ decoder.decode($0) }) + decoder.finish() {
                // No window has more than 64 lines of 64 characters.
                precondition((draft.cue().plainText?.utf8.count ?? 0) <= 64 * 65 * 4)
                writer.write(draft.cue(), into: &output)
            }
            writer.finish(into: &output)
        }
    }
    return 0
}
