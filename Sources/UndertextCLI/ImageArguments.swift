internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// Arguments for image output, shared by `extract` and `convert`.
struct ImageArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The frame rate of BDN XML timecodes: 23.976 24 25 29.97 50 59.94, or a fraction (default: "
                + "that of the video, otherwise 25 for 576 lines, 29.97 for 480 lines, 23.976); of "
                + "EBU STL files that are written: 25 or 30 (default: 25); or of text files whose times "
                + "count frames, any (default: as stated, otherwise that of the format): "
                + SubtitleFormat.inputs.filter(\.countsFrames).map(\.title)
                .joined(separator: ", ") + ".",
            valueName: "rate"), completion: .frameRate)
    var fps: String?

    @Option(
        help: ArgumentHelp(
            "Scale images and their positions to a canvas of this size (requires libswscale).",
            valueName: "WxH"), completion: .size)
    var scale: String?

    @Flag(help: "Write each cue as one image of the entire canvas.")
    var canvas = false

    @Flag(
        help: ArgumentHelp(
            "Merge images that differ only in their palette, as in a fade, into one cue with the most "
                + "opaque image."))
    var mergeFades = false

    @Option(
        help: ArgumentHelp(
            "The color matrix of images: auto (by height), bt601, bt709 or bt2020.",
            valueName: "matrix"), completion: .list(["auto", "bt601", "bt709", "bt2020"]))
    var colorMatrix = "auto"

    /// The image decoding options that the arguments describe.
    func decoding() throws -> ImageDecoding {
        var decoding = ImageDecoding()
        decoding.mergesFades = mergeFades
        decoding.colorMatrix = ColorMatrix(rawValue: colorMatrix)
        guard colorMatrix == "auto" || decoding.colorMatrix != nil else {
            throw ValidationError(
                "--color-matrix: '\(colorMatrix)' is not one of auto, bt601, bt709, bt2020")
        }
        return decoding
    }

    /// The frame rate of text formats whose timestamps are frame numbers.
    func frameRate() throws -> TimeBase? { try Self.frameRate(fps) }

    /// The frame rate of an argument `--fps`.
    static func frameRate(_ fps: String?) throws -> TimeBase? {
        guard let fps else { return nil }
        guard let rate = Retiming.frameRate(parsing: fps), rate.numerator >= rate.denominator,
            Int64(rate.numerator) <= 1000 * Int64(rate.denominator)
        else {
            throw ValidationError(
                "--fps: '\(escapedForTerminal(String(fps.prefix(40))))' is not a frame rate; use a "
                    + "number from 1 to 1000, such as 25, 23.976 or 24000/1001")
        }
        return rate
    }

    /// The image output options that the arguments describe.
    ///
    /// - Parameter makesText: `true` if the frame rate applies only to text, so that any rate is valid.
    /// - Returns: The options.
    /// - Throws: `ValidationError` if a value is invalid.
    func options(makesText: Bool = false) throws -> ImageOptions {
        var options = ImageOptions()
        if let rate = try frameRate(), let fps {
            options.frameRate = FrameRate(framesPerSecond: rate)
            if options.frameRate == nil, !makesText {
                let known = FrameRate.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--fps: '\(escapedForTerminal(fps))' is not one of \(known), nor a fraction such "
                        + "as 24000/1001 that is one of them, which timecodes of images need")
            }
        }
        if let scale {
            let sides = scale.split(
                separator: "x", omittingEmptySubsequences: false
            ).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1],
                (1...8192).contains(width), (1...8192).contains(height)
            else {
                throw ValidationError(
                    "--scale: '\(scale)' is not a size; use 1280x720, at most 8192x8192")
            }
            options.scale = PixelSize(width: width, height: height)
        }
        options.fillsCanvas = canvas
        return options
    }
}
