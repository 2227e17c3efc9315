import UndertextContainers
import UndertextCore
import UndertextFormats

/// Extracts closed captions from video and finds their services.
///
/// The first byte chooses the codec, and whether the rest is one packet or two, of which the second one has no time.
func captionFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let codecs = ["mpeg2video", "h264", "hevc", "av1"]
    guard let choice = bytes.first else { return 0 }
    let video = StreamDescription(
        index: 0, kind: .video, codec: CodecID(rawValue: codecs[Int(choice) % codecs.count]),
        timeBase: .mpeg)
    guard var extractor = CaptionExtractor(video) else { return 0 }
    let data = Array(bytes.dropFirst())
    let middle = choice >= 128 ? data.count / 2 : data.count
    var found: [Packet] = []
    for (part, time) in [(data[..<middle], 0 as Int64?), (data[middle...], nil)] {
        extractor.add(
            Packet(streamIndex: 0, pts: time, timeBase: .mpeg, data: Array(part)), to: &found)
    }
    extractor.finish(to: &found)
    precondition(found.allSatisfy { $0.data.count % 3 == 0 }, "a triplet is cut off")
    // A pair of SCTE 20 takes 26 bits.
    precondition(found.reduce(0) { $0 + $1.data.count } <= data.count, "more than there was")
    var survey = CaptionSurvey()
    for packet in found { survey.add(packet) }
    precondition(survey.services.count <= 8 + 63, "more services than there are")
    return 0
}
