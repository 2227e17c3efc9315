package import UndertextCore

extension Packet {
    /// The end that the container states for an image; `nil` if it states none.
    ///
    /// FFmpeg stores −1 ms as an unsigned number if it does not know the duration of a bitmap subtitle.
    package var statedEnd: Timestamp? {
        hasNegativeLength ? nil : end
    }

    /// `true` if the duration is negative: FFmpeg stores it as an unsigned 32-bit number of milliseconds.
    ///
    /// No subtitle lasts 24 days, so the upper half of that range represents negative numbers.
    package var hasNegativeLength: Bool {
        guard let duration, timeBase.isValid else { return false }
        // 2³¹ ms in ticks, without a division for each packet.
        return Int128(duration) * Int128(timeBase.numerator) * 1000
            >= Int128(timeBase.denominator) << 31
    }
}
