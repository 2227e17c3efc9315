internal import CFFmpeg
internal import UndertextCore

/// The mix of the channels of decoded audio into one.
package struct AudioMix {
    /// The type of samples.
    package enum SampleFormat: CaseIterable {
        case unsigned8, signed16, signed32, signed64, float, double

        /// The bytes of a sample.
        package var size: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed32, .float: 4
            case .signed64, .double: 8
            }
        }
    }

    /// The channels that are heard, with their gain.
    private let gains: [(channel: Int, gain: Float)]
    private let channels: Int

    /// Chooses the channels that are heard.
    ///
    /// - Parameters:
    ///   - channels: The number of channels, at least 1.
    ///   - center: The position of the front center channel; negative if there is none.
    package init(channels: Int, center: Int) {
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
        guard let planes = unsafe frame.pointee.extended_data,
            let format = unsafe SampleFormat(AVSampleFormat(rawValue: frame.pointee.format))
        else { return nil }
        return unsafe mixed(
            planes, format, isPlanar: Self.planar.contains(frame.pointee.format), count)
    }

    /// Samples as one channel.
    ///
    /// - Parameters:
    ///   - planes: The addresses of the samples of each channel, or one address if they are interleaved.
    ///   - format: The type of the samples.
    ///   - isPlanar: `true` if each channel has its own plane.
    ///   - count: The number of samples of each channel.
    /// - Returns: The samples; full scale is 1.
    package func mixed(
        _ planes: UnsafePointer<UnsafeMutablePointer<UInt8>?>, _ format: SampleFormat,
        isPlanar: Bool, _ count: Int
    ) -> [Float] {
        switch format {
        case .unsigned8:
            unsafe mix(planes, isPlanar, count) { (value: UInt8) in (Float(value) - 128) / 128 }
        case .signed16:
            unsafe mix(planes, isPlanar, count) { (value: Int16) in Float(value) / 0x1p15 }
        case .signed32:
            unsafe mix(planes, isPlanar, count) { (value: Int32) in Float(value) / 0x1p31 }
        case .signed64:
            unsafe mix(planes, isPlanar, count) { (value: Int64) in Float(value) / 0x1p63 }
        case .float: unsafe mix(planes, isPlanar, count) { (value: Float) in value }
        case .double: unsafe mix(planes, isPlanar, count) { (value: Double) in Float(value) }
        }
    }

    @inline(__always)
    private func mix<Sample>(
        _ planes: UnsafePointer<UnsafeMutablePointer<UInt8>?>, _ isPlanar: Bool, _ count: Int,
        _ value: (Sample) -> Float
    ) -> [Float] {
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

extension AudioMix.SampleFormat {
    fileprivate init?(_ format: AVSampleFormat) {
        switch format {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: self = .unsigned8
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: self = .signed16
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: self = .signed32
        case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P: self = .signed64
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: self = .float
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: self = .double
        default: return nil
        }
    }
}
