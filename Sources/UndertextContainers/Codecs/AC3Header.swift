internal import UndertextCore

/// The header of AC-3 and Enhanced AC-3 frames (ETSI TS 102 366, sections 4.3 and E.1.2).
enum AC3Header {
    private static let sampleRates = [48_000, 44_100, 32_000]
    private static let kilobits = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// The properties of AC-3 by a frame of `size` bytes; `nil` unless it is one frame and nothing else.
    static func properties(_ frame: ArraySlice<UInt8>, size: Int) -> AudioProperties? {
        var bits = BitCursor(frame)
        guard bits.next(16) == 0x0B77, bits.next(16) != nil, let rate = bits.next(2), rate < 3,
            let sizeCode = bits.next(6), sizeCode < 38,
            // Later revisions halve the rate.
            let revision = bits.next(5), revision <= 8, bits.next(3) != nil,
            let mode = bits.next(3)
        else { return nil }
        if mode & 1 != 0, mode != 1 { _ = bits.next(2) }
        if mode & 4 != 0 { _ = bits.next(2) }
        if mode == 2 { _ = bits.next(2) }
        let kilobit = kilobits[Int(sizeCode / 2)]
        let words =
            switch rate {
            case 0: kilobit * 2
            case 1: kilobit * 96_000 / 44_100 + Int(sizeCode % 2)
            default: kilobit * 3
            }
        guard words * 2 == size, let hasLFE = bits.flag(),
            let (channels, layout) = layout(mode, hasLFE)
        else { return nil }
        return AudioProperties(
            sampleRate: sampleRates[Int(rate)], channels: channels, layout: layout,
            bitRate: Int64(kilobit) * 1000)
    }

    /// The properties of Enhanced AC-3 by a frame of `size` bytes; `nil` unless it is the only substream and holds six blocks.
    static func enhancedProperties(_ frame: ArraySlice<UInt8>, size: Int) -> AudioProperties? {
        var bits = BitCursor(frame)
        guard bits.next(16) == 0x0B77, bits.next(5) == 0, let words = bits.next(11),
            (Int(words) + 1) * 2 == size, let rate = bits.next(2), rate < 3, bits.next(2) == 3,
            let mode = bits.next(3), let hasLFE = bits.flag(), let revision = bits.next(5),
            (11...16).contains(revision), let (channels, layout) = layout(mode, hasLFE)
        else { return nil }
        let sampleRate = sampleRates[Int(rate)]
        return AudioProperties(
            sampleRate: sampleRate, channels: channels, layout: layout,
            bitRate: Int64(8 * size * sampleRate / 1536))
    }

    /// The channels of acmod, and FFmpeg's name of them.
    private static func layout(_ mode: UInt32, _ hasLFE: Bool) -> (channels: Int, String)? {
        switch (mode, hasLFE) {
        case (1, false): (1, "mono")
        case (2, false): (2, "stereo")
        case (2, true): (3, "2.1")
        case (3, false): (3, "3.0")
        case (3, true): (4, "3.1")
        case (4, false): (3, "3.0(back)")
        case (5, false): (4, "4.0")
        case (5, true): (5, "4.1")
        case (6, false): (4, "quad(side)")
        case (7, false): (5, "5.0(side)")
        case (7, true): (6, "5.1(side)")
        default: nil
        }
    }
}
