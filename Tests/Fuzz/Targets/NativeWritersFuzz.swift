import UndertextCore
import UndertextFormats

/// Cuts the input into a codec, a header and packets, and writes them as they are stored.
///
/// Byte 0 chooses the codec, byte 1 is the length of the codec's header. Each packet is a length,
/// a time, a duration (255 = none), what comes along with it (even = a BlockAddition of the same
/// bytes), and its data.
func nativeWritersFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var reader = ByteReader(Array(UnsafeBufferPointer(start: start, count: count)))
    let codecs: [CodecID] = [.subRip, .ass, .ssa, .webVTT, .pgs, .dvd]
    guard let choice = reader.uint8(), let size = reader.uint8() else { return 0 }
    let header = Array(reader.slice(Int(size)) ?? reader.rest())
    let stream = StreamDescription(
        index: 0, kind: .text, codec: codecs[Int(choice) % codecs.count], codecPrivate: header)
    guard var writer = SubtitleFormat.packetWriter(of: stream, diagnostics: DiagnosticSink()) else {
        return 0
    }
    var output = [[UInt8]](repeating: [], count: writer.fileExtensions.count)
    writer.begin(into: &output)
    while let length = reader.uint8(), let time = reader.uint8(), let duration = reader.uint8(),
        let extra = reader.uint8()
    {
        let data = Array(reader.slice(Int(length)) ?? reader.rest())
        let addition = SideData(.blockAdditional, [0, 0, 0, 0, 0, 0, 0, 1] + data)
        // The highest times are those at the ends of the range.
        let pts = time > 250 ? Int64.max - Int64(time) : Int64(time) * 12_345_678
        writer.write(
            Packet(
                streamIndex: 0, pts: pts, dts: extra > 128 ? Int64.min : pts,
                duration: duration == 255 ? nil : Int64(duration) * 77, timeBase: .milliseconds,
                data: data, sideData: extra & 1 == 0 ? [addition] : []), into: &output)
    }
    writer.finish(into: &output)
    let written = output.map(\.count).reduce(0, +)
    precondition(written < 64 * count + 8192 * (count / 4 + 1), "output out of proportion")
    if stream.codec == .dvd { precondition(output[1].count % 2048 == 0) }
    if stream.codec == .webVTT, header.isEmpty {
        let lines = String(decoding: output[0], as: UTF8.self).split(separator: "\n")
        precondition(
            lines.count { $0.utf8.contains(0x3E) && $0.contains("-->") } <= writer.cueCount)
    }
    return 0
}
