import UndertextCore
import UndertextFormats

/// Decodes a packet of XSUB; an even first byte selects the kind with opacities.
func xsubFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let tag = (bytes.first ?? 0) % 2 == 0 ? "DXSA" : "DXSB"
    let stream = StreamDescription(
        index: 0, kind: .bitmap, codec: .xsub,
        details: StreamDetails(
            codecType: "subtitle", codecName: "xsub", codecTag: 0, codecTagString: tag,
            showsID: false))
    var options = DecodingOptions()
    options.limits.canvas = 2048
    var decoder = XSUBDecoder(stream: stream, options: options)
    let packet = Packet(
        streamIndex: 0, pts: 0, timeBase: .milliseconds, data: Array(bytes.dropFirst()))
    for case .cue(let draft) in decoder.decode(packet) {
        guard case .images(let content) = draft.content else {
            preconditionFailure("not an image")
        }
        precondition(content.images.allSatisfy { $0.bitmap.palette.count == 4 })
    }
    return 0
}
