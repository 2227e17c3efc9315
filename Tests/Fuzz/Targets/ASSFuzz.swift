import UndertextCore
import UndertextFormats

/// Uses the bytes before the first NUL as the script's header, those after it as an event.
func assFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let stream = StreamDescription(
        index: 0, kind: .text, codec: .ass, codecPrivate: parts.first.map(Array.init) ?? [])
    var decoder = ASSDecoder(stream: stream)
    let packet = Packet(
        streamIndex: 0, pts: 1000, duration: 1000, timeBase: .milliseconds,
        data: parts.last.map(Array.init) ?? [])
    for case .cue(let draft) in decoder.decode(packet) {
        precondition((draft.cue().plainText?.utf8.count ?? 0) <= count * 3)
        guard case .ass(let line) = draft.source else { preconditionFailure("no source") }
        _ = ASSEvent.features(of: line).lossKinds
        let event = Array(line.utf8)
        precondition(
            ASSOverrideTimes.stretched(event: event, by: TimeBase(1, 1)).count <= event.count)
        _ = ASSOverrideTimes.stretched(event: event, by: TimeBase(1000, 1))
    }
    return 0
}
