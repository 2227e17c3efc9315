public import Undertext

/// What a renderer needs of chosen subtitles, as far as it is loaded: a value that stays as it is.
public struct LoadedTrack: Sendable {
    /// Which subtitles they are.
    public let info: SubtitleInfo
    /// What belongs to the whole track: codec, canvas, regions, style sheets, the ASS script's header.
    public let header: SubtitleHeader
    /// The cues read so far in order of time, each once; times are those of the file, without ``delay``.
    public let cues: [Cue]
    /// Changes whenever ``cues`` changes.
    public let generation: UInt64
    /// While this stays the same, ``cues`` only grew at its end.
    public let epoch: UInt64
    /// Fonts that came with the track.
    public let fonts: [AttachedFont]
    /// How much later than in the file a cue is shown, all delays together.
    public let delay: Duration
    /// `true` if all cues are there.
    public let isComplete: Bool
    /// What was lost, repaired or doubtful: the first hundred.
    public let diagnostics: [Diagnostic]

    /// The script up to its events where the track is ASS or SSA; its events are in ``Cue/source``.
    public var assHeader: [UInt8]? {
        header.codec.isScript ? header.codecPrivate : nil
    }

    /// The screen that positions of images or of an ASS script refer to.
    public var canvas: PixelSize? { header.canvas }

    /// When a cue that is at `time` in the file is shown.
    public func shownTime(of time: Timestamp) -> Timestamp { time.advanced(by: delay) }

    /// Where in the file a player is at `time`.
    public func storedTime(at time: Timestamp) -> Timestamp { time.advanced(by: .zero - delay) }
}
