import UndertextCore
import UndertextFormats

/// A cue of plain or styled text, times in milliseconds.
func textCue(
    _ start: Int64, _ end: Int64, _ text: StyledText, id: String = "", order: Int = 0,
    layout: CueLayout = CueLayout(), source: CueSource? = nil
) -> Cue {
    Cue(
        identifier: id, order: order, start: .milliseconds(start), end: .milliseconds(end),
        layout: layout, content: .text(text), source: source)
}

/// A run in a style that `change` makes.
func textRun(_ text: String, _ change: (inout TextStyle) -> Void = { _ in }) -> TextRun {
    var style = TextStyle()
    change(&style)
    return TextRun(text, style: style)
}

/// The file that a writer makes of cues, as bytes.
func file(_ writer: inout some CueWriter, _ cues: [Cue]) -> [UInt8] {
    var output: [UInt8] = []
    writer.begin(into: &output)
    for cue in cues { writer.write(cue, into: &output) }
    writer.finish(into: &output)
    return output
}

/// The file that a writer makes of cues, as text.
func text(_ writer: inout some CueWriter, _ cues: [Cue]) -> String {
    String(decoding: file(&writer, cues), as: UTF8.self)
}

/// A packet in milliseconds.
func packet(
    _ start: Int64?, _ duration: Int64?, _ data: [UInt8], _ sideData: [SideData] = []
) -> Packet {
    Packet(
        streamIndex: 0, pts: start, duration: duration, timeBase: .milliseconds, data: data,
        sideData: sideData)
}

/// A packet of text in milliseconds.
func packet(
    _ start: Int64?, _ duration: Int64?, _ text: String, _ sideData: [SideData] = []
) -> Packet {
    packet(start, duration, Array(text.utf8), sideData)
}

/// The files that a writer makes of packets.
func files(_ writer: inout some PacketWriter, _ packets: [Packet]) -> [[UInt8]] {
    var output = [[UInt8]](repeating: [], count: writer.fileExtensions.count)
    writer.begin(into: &output)
    for packet in packets { writer.write(packet, into: &output) }
    writer.finish(into: &output)
    return output
}

/// The first file that a writer makes of packets, as text.
func text(_ writer: inout some PacketWriter, _ packets: [Packet]) -> String {
    String(decoding: files(&writer, packets)[0], as: UTF8.self)
}
