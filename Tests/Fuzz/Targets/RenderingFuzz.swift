import UndertextCore
import UndertextFormats
import UndertextRendering

/// Draws untrusted subtitles: overlays have the requested size, no pixel changes outside of the reported areas,
/// and the same moment is not drawn twice.
///
/// The first byte chooses the format; scripts are passed to libass unchanged.
func renderingFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let format: SubtitleFormat =
        switch bytes.first {
        case UInt8(ascii: "s"): .subRip
        case UInt8(ascii: "v"): .webVTT
        case UInt8(ascii: "t"): .ttml
        default: .ass
        }
    let text = Array(String(decoding: bytes.dropFirst(), as: UTF8.self).utf8)
    guard let content = content(of: text, format),
        let renderer = try? OverlayRenderer(content, geometry: geometry)
    else { return 0 }
    for time in [Timestamp.zero, .milliseconds(1500), .milliseconds(1540), .seconds(3)] {
        guard let overlay = try? renderer.overlay(at: time) else { continue }
        check(overlay)
        guard let again = try? renderer.overlay(at: time) else { preconditionFailure() }
        precondition(again.changeID == overlay.changeID && again.dirty.isEmpty)
    }
    precondition(renderer.takeDiagnostics().count <= 200)
    return 0
}

private let geometry = OverlayGeometry(
    video: PixelSize(width: 320, height: 240), output: PixelSize(width: 426, height: 240))

private func content(of text: [UInt8], _ format: SubtitleFormat) -> OverlayContent? {
    guard let reader = format.reader(of: text, diagnostics: DiagnosticSink()) else {
        preconditionFailure()
    }
    guard var decoder = SubtitleFormat.decoder(of: reader.stream, diagnostics: DiagnosticSink())
    else { preconditionFailure() }
    var drafts: [DecodedCue] = []
    while let packet = try? reader.nextPacket() {
        for case .cue(let draft) in decoder.decode(packet) { drafts.append(draft) }
    }
    for case .cue(let draft) in decoder.finish() { drafts.append(draft) }
    guard !drafts.isEmpty else { return nil }
    var content = OverlayContent(header: decoder.header)
    for (index, draft) in drafts.enumerated() {
        var cue = draft.cue()
        cue.order = index
        if draft.end == nil { cue.end = cue.start.advanced(by: .seconds(5)) }
        content.cues.append(cue)
    }
    return content
}

private func check(_ overlay: Overlay) {
    let size = geometry.output
    precondition(overlay.width == size.width && overlay.height == size.height)
    precondition(overlay.pixels.count == overlay.stride * overlay.height)
    let all = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    for rectangle in overlay.dirty + [overlay.bounds] where !rectangle.isEmpty {
        precondition(rectangle.intersection(all) == rectangle)
    }
    for place in Swift.stride(from: 0, to: overlay.pixels.count, by: 4) {
        let alpha = overlay.pixels[place + 3]
        precondition((0..<3).allSatisfy { overlay.pixels[place + $0] <= alpha })
        guard alpha > 0 else { continue }
        let (x, y) = (place / 4 % size.width, place / 4 / size.width)
        let bounds = overlay.bounds
        precondition(x >= bounds.x && x < bounds.x + bounds.width)
        precondition(y >= bounds.y && y < bounds.y + bounds.height)
    }
}
