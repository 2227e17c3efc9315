package import UndertextCore

extension Packet {
    /// The end that the container states for an image; `nil` if it states none.
    ///
    /// FFmpeg stores −1 ms, without its sign, where it does not know how long a bitmap subtitle is shown.
    package var statedEnd: Timestamp? {
        hasNegativeLength ? nil : end
    }

    /// Whether the length is a negative one: FFmpeg stores it in 32 bits of milliseconds without a sign.
    ///
    /// Nothing is shown for 24 days, so the upper half of the range is free for it.
    package var hasNegativeLength: Bool {
        guard let duration, timeBase.isValid else { return false }
        // 2³¹ ms in ticks, without a division for each packet.
        return Int128(duration) * Int128(timeBase.numerator) * 1000
            >= Int128(timeBase.denominator) << 31
    }
}
