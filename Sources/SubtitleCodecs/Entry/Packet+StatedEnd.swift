package import MediaCore

extension Packet {
    /// The end that the container states for an image; `nil` if it states none.
    ///
    /// FFmpeg stores 2³² − 1 ms where it does not know how long a bitmap subtitle is shown.
    package var statedEnd: Timestamp? {
        guard let start, let end, start.duration(to: end) < .milliseconds(Int64(UInt32.max)) else {
            return nil
        }
        return end
    }
}
