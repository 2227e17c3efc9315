internal import UndertextCore

/// The header of a DTS core frame (ETSI TS 102 114, section 5.3).
enum DTSHeader {
    private static let sampleRates = [
        1: 8000, 2: 16_000, 3: 32_000, 6: 11_025, 7: 22_050, 8: 44_100, 11: 12_000, 12: 24_000,
        13: 48_000,
    ]
    private static let bitRates: [Int64] = [
        32_000, 56_000, 64_000, 96_000, 112_000, 128_000, 192_000, 224_000, 256_000, 320_000,
        384_000, 448_000, 512_000, 576_000, 640_000, 768_000, 896_000, 1_024_000, 1_152_000,
        1_280_000, 1_344_000, 1_408_000, 1_411_200, 1_472_000, 1_536_000, 1_920_000, 2_048_000,
        3_072_000, 3_840_000,
    ]
    /// FFmpeg: `FF_PROFILE_DTS`.
    private static let coreProfile = 20

    /// The properties by a frame of `size` bytes; `nil` if anything extends the core.
    static func properties(_ frame: ArraySlice<UInt8>, size: Int) -> AudioProperties? {
        var bits = BitCursor(frame)
        guard bits.next(32) == 0x7FFE_8001, bits.next(1) == 1, bits.next(5) == 31,
            // No checksum; the number of blocks.
            bits.next(1) == 0, bits.next(7) != nil,
            let length = bits.next(14), Int(length) + 1 == size,
            let mode = bits.next(6), let rate = bits.next(4),
            let sampleRate = sampleRates[Int(rate)], let bitRate = bits.next(5),
            bitRates.indices.contains(Int(bitRate)),
            // Mixing, dynamic range, time stamps, auxiliary data, HDCD, kind of extension.
            bits.next(8) != nil, bits.next(1) == 0,
            // Whether sub-subframes have a synchronization word.
            bits.next(1) != nil, let effects = bits.next(2)
        else { return nil }
        let channels: (Int, String)? =
            switch (mode, effects) {
            case (2, 0): (2, "stereo")
            case (9, 1), (9, 2): (6, "5.1(side)")
            default: nil
            }
        guard let (count, layout) = channels else { return nil }
        return AudioProperties(
            sampleRate: sampleRate, channels: count, layout: layout,
            bitRate: bitRates[Int(bitRate)], profile: coreProfile)
    }
}
