import UndertextContainers
import UndertextCore

/// Looks for closed captions; the first byte chooses the codec.
func captionFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let codecs = ["mpeg2video", "h264", "hevc", "av1"]
    guard let choice = bytes.first,
        var detector = CaptionDetector(
            codec: CodecID(rawValue: codecs[Int(choice) % codecs.count]))
    else { return 0 }
    detector.add(Array(bytes.dropFirst()))
    precondition(detector.captions.names.count <= 2, "more kinds than there are")
    return 0
}
