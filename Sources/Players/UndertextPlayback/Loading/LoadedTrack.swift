internal import Undertext
public import UndertextCore

/// A snapshot of the loaded part of selected subtitles for a renderer.
public struct LoadedTrack: Sendable {
    /// The info of the subtitles.
    public let info: SubtitleInfo
    /// The properties of the whole track: codec, canvas, regions, style sheets, the header of an ASS script.
    public let header: SubtitleHeader
    /// The cues read so far in order of time, without duplicates; times are those of the file, without ``delay``.
    public let cues: [Cue]
    /// A counter that changes whenever ``cues`` changes.
    public let generation: UInt64
    /// A counter that stays the same while ``cues`` only grows at its end.
    public let epoch: UInt64
    /// The fonts attached to the track.
    public let fonts: [AttachedFont]
    /// The sum of all delays, by which cues are shown later than in the file.
    public let delay: Duration
    /// `true` if all cues are loaded.
    public let isComplete: Bool
    /// The first hundred diagnostics.
    public let diagnostics: [Diagnostic]

    /// The script up to its events for ASS and SSA, otherwise `nil`; the events are in ``UndertextCore/Cue/source``.
    public var assHeader: [UInt8]? {
        header.codec.isScript ? header.codecPrivate : nil
    }

    /// The canvas that positions of images or of an ASS script refer to, or `nil` if unknown.
    public var canvas: PixelSize? { header.canvas }

    /// Returns the time on the player's clock for a `time` in the file.
    public func shownTime(of time: Timestamp) -> Timestamp { time.advanced(by: delay) }

    /// Returns the time in the file for a `time` on the player's clock.
    public func storedTime(at time: Timestamp) -> Timestamp { time.advanced(by: .zero - delay) }
}
