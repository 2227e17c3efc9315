internal import UndertextContainers
internal import UndertextCore

/// Finds the media clock at the start of a segment, by which subtitles are placed.
public enum FirstTime {
    /// The first presentation time of a segment, in ticks of 90 kHz, 33 bits; `nil` if it has no readable time,
    /// for example because it is encrypted.
    ///
    /// For MPEG-TS, this is the smallest time of audio and video in PES headers, which are clear even under
    /// SAMPLE-AES. For fragmented MP4, it is the smallest `tfdt` of the audio and video tracks, in the units of
    /// the initialization section. For packed audio, it is the time in the ID3 tag.
    ///
    /// - Parameters:
    ///   - segment: the segment, or its beginning.
    ///   - initialization: the initialization section of `EXT-X-MAP`; empty for none.
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
