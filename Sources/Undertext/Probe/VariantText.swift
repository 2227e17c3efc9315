internal import UndertextCore

extension MediaStreamInfo {
    /// The variants of a stream of a presentation, a line each: size, rate, codec, bandwidth, the rest.
    var variantLines: [String] {
        tracks.filter { $0.bandwidth != nil }.map(\.variantLine)
    }
}

extension TrackInfo {
    fileprivate var variantLine: String {
        var parts: [String] = []
        if let width, let height { parts.append("\(width)x\(height)") }
        if let thousandths = frameRate.flatMap({ Int64(exactly: ($0 * 1000).rounded()) }) {
            parts.append(rateText(thousandths: thousandths) + " fps")
        }
        if let channels { parts.append(channels == 1 ? "1 channel" : "\(channels) channels") }
        if let codec { parts.append(codec.rawValue) }
        if let bandwidth { parts.append("\(bandwidth / 1000) kbit/s") }
        if isIFrameOnly { parts.append("I-frames only") }
        for (name, value) in customAttributes.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(value)")
        }
        return parts.joined(separator: ", ")
    }
}
