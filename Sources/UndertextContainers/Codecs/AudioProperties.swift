/// The properties of audio that libavcodec takes from the header of a codec or from its first frame.
///
/// The types beside this one read headers of a closed list of kinds; of any other, `nil` leaves the answer to libavcodec.
struct AudioProperties: Hashable, Sendable {
    /// Samples per second.
    var sampleRate: Int
    /// The number of channels.
    var channels: Int
    /// FFmpeg's name of the channel layout; `nil` if it has none.
    var layout: String?
    /// Bits per second; `nil` if FFmpeg reports none.
    var bitRate: Int64?
    /// The profile as FFmpeg numbers it.
    var profile: Int?
}

/// FFmpeg's names of the channel layouts that Vorbis and Opus define for a number of channels.
///
/// Vorbis I, section 4.3.9; RFC 7845, section 5.1.1.2.
func standardLayout(channels: Int) -> String? {
    let names = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
    return (1...names.count).contains(channels) ? names[channels - 1] : nil
}
