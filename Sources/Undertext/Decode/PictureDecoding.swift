public import UndertextFormats

/// What a caller may decide about decoding the pictures of bitmap subtitles.
public struct PictureDecoding: Hashable, Sendable {
    /// How Y, Cb and Cr become colours; `nil` = as the height of the canvas suggests.
    public var colorMatrix: ColorMatrix?
    /// Whether a fade, pictures at one place that differ in their palette only, becomes one cue.
    public var mergesFades = false

    /// The defaults: colours by the canvas, each step of a fade a cue of its own.
    public init() {}
}
