internal import ArgumentParser
internal import Undertext

/// What becomes of pictures: the same for extraction and conversion.
struct PictureArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Frame rate of timecodes in BDN XML: 23.976 24 25 29.97 50 59.94, or a fraction. "
                + "Default: the video's.",
            valueName: "rate"))
    var fps: String?

    @Option(
        help: ArgumentHelp(
            "Scale pictures, and where they stand, to a canvas of this size.", valueName: "WxH"))
    var scale: String?

    @Flag(help: "Each cue as one picture of the whole canvas.")
    var canvas = false

    @Flag(help: "Pictures that fade in or out become one cue, with the most opaque picture.")
    var mergeFades = false

    @Option(
        help: ArgumentHelp(
            "How the colours of pictures are coded: auto (by their height), bt601, bt709 or bt2020.",
            valueName: "matrix"))
    var colorMatrix = "auto"

    /// How the engine decodes pictures.
    func decoding() throws -> PictureDecoding {
        var decoding = PictureDecoding()
        decoding.mergesFades = mergeFades
        decoding.colorMatrix = ColorMatrix(rawValue: colorMatrix)
        guard colorMatrix == "auto" || decoding.colorMatrix != nil else {
            throw ValidationError(
                "--color-matrix: '\(colorMatrix)' is not one of auto, bt601, bt709, bt2020")
        }
        return decoding
    }

    /// A rate as containers tell it: `24000/1001`.
    private static func fraction(_ text: String) -> FrameRate? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int32($0) }
        guard parts.count == 2, let frames = parts[0], let seconds = parts[1], frames > 0,
            seconds > 0
        else { return nil }
        return FrameRate(framesPerSecond: TimeBase(frames, seconds))
    }

    /// What the engine makes of pictures.
    func options() throws -> PictureOptions {
        var options = PictureOptions()
        if let fps {
            guard let rate = FrameRate(rawValue: fps) ?? Self.fraction(fps) else {
                let known = FrameRate.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--fps: '\(fps.prefix(40))' is not one of \(known), nor a fraction such as "
                        + "24000/1001 that is one of them")
            }
            options.frameRate = rate
        }
        if let scale {
            let sides = scale.split(
                separator: "x", omittingEmptySubsequences: false
            ).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1],
                (1...8192).contains(width), (1...8192).contains(height)
            else {
                throw ValidationError(
                    "--scale: '\(scale)' is not a size; write 1280x720, at most 8192x8192")
            }
            options.scale = PixelSize(width: width, height: height)
        }
        options.fillsCanvas = canvas
        return options
    }
}
