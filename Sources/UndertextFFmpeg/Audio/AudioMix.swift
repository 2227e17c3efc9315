internal import CFFmpeg
internal import UndertextCore

/// The mix of the channels of decoded audio into one.
struct AudioMix {
    /// The channels that are heard, with their gain.
    private let gains: [(channel: Int, gain: Float)]
    private let channels: Int

    /// - Parameters:
    ///   - channels: The number of channels, at least 1.
    ///   - center: The position of the front center channel; negative if there is none.
    init(channels: Int, center: Int) {
        self.channels = channels
        if channels > 2, center >= 0, center < channels {
            // The dialogue of films is in the center; left and right come before it.
            gains = [(center, 1)] + (0..<center).map { ($0, 0.3) }
        } else {
            // Beyond eight channels nothing new is heard.
            let heard = min(channels, 8)
            gains = (0..<heard).map { ($0, 1 / Float(heard)) }
        }
    }

    /// The samples of a frame as one channel; `nil` if their format is not known.
    func mixed(_ frame: UnsafeMutablePointer<AVFrame>, _ count: Int) -> [Float]? {
        switch unsafe AVSampleFormat(rawValue: frame.pointee.format) {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
            unsafe mix(frame, count) { (value: UInt8) in (Float(value) - 128) / 128 }
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
            unsafe mix(frame, count) { (value: Int16) in Float(value) / 0x1p15 }
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
            unsafe mix(frame, count) { (value: Int32) in Float(value) / 0x1p31 }
        case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P:
            unsafe mix(frame, count) { (value: Int64) in Float(value) / 0x1p63 }
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP:
            unsafe mix(frame, count) { (value: Float) in value }
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
            unsafe mix(frame, count) { (value: Double) in Float(value) }
        default: nil
        }
    }

    @inline(__always)
    private func mix<Sample>(
        _ frame: UnsafeMutablePointer<AVFrame>, _ count: Int, _ value: (Sample) -> Float
    ) -> [Float]? {
        let isPlanar = unsafe Self.planar.contains(frame.pointee.format)
        guard let planes = unsafe frame.pointee.extended_data else { return nil }
        var result = [Float](repeating: 0, count: count)
        for (channel, gain) in gains {
            guard let plane = unsafe planes[isPlanar ? channel : 0] else { continue }
            let stride = isPlanar ? 1 : channels
            let first = isPlanar ? 0 : channel
            unsafe UnsafeRawPointer(plane).withMemoryRebound(
                to: Sample.self, capacity: stride * count
            ) { samples in
                for index in 0..<count {
                    result[index] += unsafe gain * value(samples[first + index * stride])
                }
            }
        }
        return result
    }

    private static let planar: Set<Int32> = [
        AV_SAMPLE_FMT_U8P.rawValue, AV_SAMPLE_FMT_S16P.rawValue, AV_SAMPLE_FMT_S32P.rawValue,
        AV_SAMPLE_FMT_S64P.rawValue, AV_SAMPLE_FMT_FLTP.rawValue, AV_SAMPLE_FMT_DBLP.rawValue,
    ]
}
