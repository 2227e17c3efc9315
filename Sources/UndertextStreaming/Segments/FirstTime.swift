internal import UndertextContainers
internal import UndertextCore

/// When the media of a segment begin, as its own clock has it: what subtitles are placed by.
public enum FirstTime {
    /// The first presentation time of a segment, in ticks of 90 kHz, 33 bits; `nil` if it has none
    /// that can be read, as where all of it is encrypted.
    ///
    /// Of MPEG-TS the smallest time of sound and pictures, from headers of PES packets, which are
    /// clear under SAMPLE-AES, too. Of fragmented MP4 the smallest `tfdt` of the tracks of sound
    /// and pictures, in the units that the initialization section tells. Of packed audio what its ID3
    /// tag says.
    ///
    /// - Parameters:
    ///   - segment: the segment, or its beginning.
    ///   - initialization: what `EXT-X-MAP` names; empty for none.
    /// - Returns: the time.
    public static func ofSegment(_ segment: [UInt8], initialization: [UInt8] = []) -> Int64? {
        if let time = PackedAudioTime.first(of: segment[...]) { return time }
        if let time = TransportSegmentTimes(segment).first { return time }
        guard let start = FragmentStart(initialization: initialization, segment: segment).first,
            let ticks = start.ticks(in: .mpeg)
        else { return nil }
        return ticks & (TimestampMap.period - 1)
    }
}
