internal import UndertextCore
package import UndertextFormats

/// Options for decoding the images of bitmap subtitles.
package struct ImageDecoding: Hashable, Sendable {
    /// The conversion from Y, Cb and Cr to RGB; `nil` to choose it by the height of the canvas.
    package var colorMatrix: ColorMatrix?
    /// `true` if the steps of a fade, images at one position that differ only in their palette, become one cue.
    package var mergesFades = false

    /// Creates the defaults: colors by the canvas, one cue for each step of a fade.
    package init() {}
}
