internal import UndertextCore
package import UndertextFormats

/// What a caller may decide about decoding the images of bitmap subtitles.
package struct ImageDecoding: Hashable, Sendable {
    /// How Y, Cb and Cr become colors; `nil` = as the height of the canvas suggests.
    package var colorMatrix: ColorMatrix?
    /// `true` if a fade, images at one place that differ in their palette only, becomes one cue.
    package var mergesFades = false

    /// The defaults: colors by the canvas, each step of a fade a cue of its own.
    package init() {}
}
