internal import UndertextCore

extension ContainerDescription {
    /// Sets the bit rate as libavformat computes it from the size in bytes and the duration in microseconds, and the score of
    /// a format that it is sure of; returns `false` if the bit rate is out of range.
    mutating func setBitRate(size: UInt64, duration: Int64) -> Bool {
        let bits = Double(size) * 8 * 1_000_000 / Double(duration)
        guard let rate = Int64(exactly: bits.rounded(.down)) else { return false }
        bitRate = rate
        probeScore = 100
        return true
    }
}
