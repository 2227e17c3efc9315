public import UndertextCore
package import UndertextFormats

/// A format of images that documents can be encoded in.
public struct BitmapFormat: Hashable, Sendable {
    /// The format.
    package let format: SubtitleFormat

    /// The same as a format of images; `nil` if the format is not written, or its output is a folder.
    package init?(_ format: SubtitleFormat) {
        guard case .images = format.output else { return nil }
        self.format = format
    }

    private init(known format: SubtitleFormat) { self.format = format }

    /// Presentation graphics of Blu-ray discs, `.sup`.
    public static let sup = BitmapFormat(known: .pgs)
    /// DVD sub-pictures, `.idx` and `.sub`.
    public static let vobSub = BitmapFormat(known: .vobSub)
}

extension BitmapDocument {
    /// Encodes the document as a file of images, or as a pair of files.
    ///
    /// - Parameter target: The format.
    /// - Returns: The files and the content that the format cannot represent, including text cues.
    /// - Throws: `UndertextError` with code `limit-exceeded` if a canvas is too large.
    public func encoded(as target: BitmapFormat) throws(UndertextError) -> EncodedDocument {
        try encoded(as: target, images: ImageOptions())
    }

    /// Encodes the document with changed images.
    ///
    /// - Parameters:
    ///   - target: The format.
    ///   - options: The changes to images; a frame rate of `nil` is derived from the canvas.
    /// - Returns: The files and the content that the format cannot represent. Text cues are losses of the kind
    ///   ``ConversionLosses/Kind/text``.
    /// - Throws: `UndertextError` with code `limit` if a canvas is too large, or `unsupported` if images are to be scaled
    ///   and libswscale is missing.
    package func encoded(
        as target: BitmapFormat, images options: ImageOptions
    ) throws(UndertextError) -> EncodedDocument {
        guard case .images(let makeWriter) = target.format.output else {
            // trap: a format of images has a writer of them.
            preconditionFailure("\(target.format.name) has no writer")
        }
        // The images are in memory already.
        var limits = Limits()
        limits.bitmapPixels = .max
        let budget = PixelBudget(limits: limits)
        let canvas =
            options.scale ?? header.canvas
            ?? ImageTransform.fallbackCanvas(
                of: StreamDescription(
                    index: 0, kind: .bitmap, codec: header.codec, timeBase: .milliseconds))
        let transform = ImageTransform(options, canvas: canvas, limits: limits, budget: budget)
        let diagnostics = DiagnosticSink()
        var writer = makeWriter(
            ImageWriterOptions(
                canvas: canvas, frameRate: options.frameRate ?? FrameRate(canvas: canvas),
                language: header.language, budget: budget), diagnostics)
        var lost = ConversionLosses()
        var buffers: [[UInt8]] = writer.fileExtensions.map { _ in [] }
        for whole in cues.inOrder {
            guard let cue = whole.fromZero else {
                diagnostics.report(.beforeZero(whole.start))
                continue
            }
            guard case .images(let content) = cue.content else {
                lost.record(.text, in: cue)
                continue
            }
            guard let reduced = try transform.reduced(content) else { continue }
            if !reduced.isExact { lost.record(.color, in: cue) }
            var changed = cue
            changed.content = .images(reduced.content)
            writer.write(changed, into: &buffers)
        }
        writer.finish(into: &buffers)
        let files = zip(writer.fileExtensions, buffers).map {
            EncodedDocument.File(fileExtension: $0, bytes: $1)
        }
        return EncodedDocument(
            files: writer.screenCount > 0 ? files : [],
            losses: lost.merged(with: writer.losses), diagnostics: diagnostics.take())
    }
}
