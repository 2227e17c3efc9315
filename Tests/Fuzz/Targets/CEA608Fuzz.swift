import UndertextCore
import UndertextFormats

/// Uses the input as a packet of CEA-608 and as a sample of MP4, for each service, and writes the cues as SCC.
func cea608Fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let packet = Packet(streamIndex: 0, pts: 1000, timeBase: .milliseconds, data: bytes)
    guard let unpacker = SubtitleFormat.cea608.sampleUnpacker else { preconditionFailure() }
    var samples = unpacker.init(diagnostics: DiagnosticSink())
    let packets = [packet] + samples.add(packet) + samples.finish()
    for service in CEA608Service.allCases {
        for rollUpLines in [false, true] {
            var stream = StreamDescription(index: 0, kind: .text, codec: .cea608)
            stream.service = service.name
            var search = SubtitleFormat.randomAccess(of: stream).acquisitionSearch()
            for packet in packets { search?.add(packet) }
            let options = DecodingOptions(rollUpLines: rollUpLines)
            guard
                var decoder = SubtitleFormat.decoder(
                    of: stream, options: options, diagnostics: DiagnosticSink()),
                var writer = SubtitleFormat.scc.cueWriter(header: decoder.header)
            else { preconditionFailure() }
            var output: [UInt8] = []
            writer.begin(into: &output)
            for case .cue(let draft) in packets.flatMap({ decoder.decode($0) }) + decoder.finish() {
                precondition((draft.cue().plainText?.utf8.count ?? 0) <= 15 * 33 * 4)
                writer.write(draft.cue(), into: &output)
            }
            writer.finish(into: &output)
            precondition(decoder.diagnostics.take().count <= 4 * packets.count + 1)
        }
    }
    return 0
}
