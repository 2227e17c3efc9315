internal import UndertextCore
package import UndertextFormats

/// Options for decoding the images of bitmap subtitles.
package struct ImageDecoding: Hashable, Sendable {
    /// The conversion from Y, Cb and Cr to RGB; `nil` to choose it by the height of the canvas.
    package var colorMatrix: ColorMatrix?
    /// `true` if a fade, images at one place that differ in their palette only, becomes one cue.
    package var mergesFades = false

    /// The defaults: colors by the canvas, each step of a fade a cue of its own.
    package init() {}
}
