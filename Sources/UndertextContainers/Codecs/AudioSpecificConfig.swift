internal import UndertextCore

/// The header of AAC (ISO/IEC 14496-3, section 1.6.2.1), if it says all about AAC LC without spectral band replication.
struct AudioSpecificConfig: Hashable, Sendable {
    /// Samples per second.
    let sampleRate: Int
    /// channelConfiguration, 1 to 6.
    private let configuration: Int

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8000, 7350,
    ]
    /// The highest rate of a core whose frames may hold bands that the header does not announce: the output has 48 kHz.
    private static let highestCoreRate = 24_000

    /// Reads a header; `nil` for other object types, and if the frames may say something else than the header.
    init?(_ bytes: [UInt8]) {
        var bits = BitCursor(bytes[...])
        guard bits.next(5) == 2, let index = bits.next(4) else { return nil }
        if index == 15 {
            guard let rate = bits.next(24), rate > 0 else { return nil }
            sampleRate = Int(rate)
        } else {
            guard Self.rates.indices.contains(Int(index)) else { return nil }
            sampleRate = Self.rates[Int(index)]
        }
        // Frames of 1024 samples, no core coder, no extension.
        guard let layout = bits.next(4), (1...6).contains(layout), bits.next(3) == 0 else {
            return nil
        }
        configuration = Int(layout)
        var announcesBands: Bool?
        if bits.next(11) == 0x2B7 {
            guard bits.next(5) == 5, let flag = bits.flag() else { return nil }
            announcesBands = flag
        } else if bytes.count * 8 >= 32 {
            return nil
        }
        guard announcesBands != true,
            announcesBands == false || sampleRate > Self.highestCoreRate
        else { return nil }
    }

    /// The properties, if the first frame begins with the element that the header promises; otherwise `nil`.
    func properties(firstFrame frame: ArraySlice<UInt8>) -> AudioProperties? {
        let element: UInt32 = configuration == 2 ? 1 : 0
        guard Self.firstElement(of: frame) == element else { return nil }
        let layouts = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1"]
        return AudioProperties(
            sampleRate: sampleRate, channels: configuration, layout: layouts[configuration - 1])
    }

    /// The first syntactic element of a raw_data_block other than fill elements (section 4.4.2.1).
    private static func firstElement(of frame: ArraySlice<UInt8>) -> UInt32? {
        var bits = BitCursor(frame)
        for _ in 0..<8 {
            guard let element = bits.next(3) else { return nil }
            guard element == 6 else { return element }
            guard var count = bits.next(4) else { return nil }
            if count == 15 {
                guard let more = bits.next(8) else { return nil }
                count = 14 + more
            }
            guard count > 0 else { continue }
            // Bands of spectral band replication.
            guard let type = bits.next(4), type != 13, type != 14,
                bits.next(Int(count) * 8 - 4) != nil
            else { return nil }
        }
        return nil
    }
}
