public import UndertextCore

/// What an ASS event uses that a neutral cue cannot express.
///
/// Writers of other formats call ``ASSEvent/features(of:)`` and record ``lossKinds``.
public struct ASSFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16
    /// A set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A vector drawing: `\p1`.
    public static let drawing = ASSFeatures(rawValue: 1 << 0)
    /// Syllable times: `\k`, `\kf`, `\ko`, `\K`, `\kt`, the effect `Karaoke`.
    public static let karaoke = ASSFeatures(rawValue: 1 << 1)
    /// Movement and fades: `\t`, `\move`, `\fad`, `\fade`, the effects `Banner` and `Scroll`.
    public static let animation = ASSFeatures(rawValue: 1 << 2)
    /// Rotation and shearing: `\frx`, `\fry`, `\frz`, `\fax`, `\fay`, `\org`.
    public static let rotation = ASSFeatures(rawValue: 1 << 3)
    /// Clipping: `\clip`, `\iclip`.
    public static let clip = ASSFeatures(rawValue: 1 << 4)
    /// Outlines, shadows, blur, spacing, their colors: `\bord`, `\shad`, `\blur`, `\3c`.
    public static let decoration = ASSFeatures(rawValue: 1 << 5)
    /// Scaling of letters: `\fscx`, `\fscy`.
    public static let scaling = ASSFeatures(rawValue: 1 << 6)
    /// An effect that is none of the known ones, an encoding: `\fe`.
    public static let metadata = ASSFeatures(rawValue: 1 << 7)

    /// The kinds of loss these are when a target has no equivalent at all.
    public var lossKinds: [ConversionLosses.Kind] {
        var kinds: [ConversionLosses.Kind] = []
        if contains(.drawing) { kinds.append(.drawing) }
        if contains(.karaoke) { kinds.append(.karaoke) }
        if contains(.animation) { kinds.append(.animation) }
        if contains(.rotation) { kinds.append(.rotation) }
        if contains(.clip) { kinds.append(.clip) }
        if contains(.decoration) { kinds.append(.style) }
        if contains(.scaling) { kinds.append(.size) }
        if contains(.metadata) { kinds.append(.metadata) }
        return kinds
    }
}
