package import UndertextCore

/// The track that JSON cues belong to.
package struct JSONCueTrack: Hashable, Sendable {
    /// The stream index that probe prints; 0 for a file without a container.
    package var index: Int
    /// The codec.
    package var codec: CodecID
    /// The language.
    package var language: LanguageTag?
    /// The title.
    package var title: String?
    /// `true` if the track is forced.
    package var isForced: Bool
    /// `true` if the track is for the hard of hearing.
    package var isHearingImpaired: Bool
    /// The canvas in pixels, for tracks that state one.
    package var canvas: PixelSize?
    /// The service that the track is of a stream that carries several.
    package var service: String?

    /// Describes a track.
    package init(
        index: Int = 0, codec: CodecID, language: LanguageTag? = nil, title: String? = nil,
        isForced: Bool = false, isHearingImpaired: Bool = false, canvas: PixelSize? = nil
    ) {
        self.index = index
        self.codec = codec
        self.language = language
        self.title = title
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
        self.canvas = canvas
    }

    /// Describes a stream; `canvas` is the size that its decoder knows; otherwise the stream's size is used.
    package init(_ stream: StreamDescription, canvas: PixelSize? = nil) {
        self.init(
            index: stream.index, codec: stream.codec, language: stream.language,
            title: stream.title, isForced: stream.isForced,
            isHearingImpaired: stream.isHearingImpaired, canvas: canvas ?? stream.size)
        service = stream.service
    }
}

/// An image of a cue in JSON: its position, and its file or its bytes.
package struct JSONCueImage: Hashable, Sendable {
    /// The location of the pixels.
    package enum Content: Hashable, Sendable {
        /// In a file of that name, beside the index.
        case file(String)
        /// Here: the bytes of a PNG file.
        case png([UInt8])
    }

    /// The location of the pixels.
    package var content: Content
    /// Left edge on the canvas, pixels.
    package var x: Int
    /// Top edge on the canvas, pixels.
    package var y: Int
    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int

    /// Creates an image.
    package init(_ content: Content, x: Int, y: Int, width: Int, height: Int) {
        self.content = content
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// An image at the position of `bitmap`.
    package init(_ content: Content, of bitmap: PlacedBitmap) {
        self.init(
            content, x: bitmap.x, y: bitmap.y, width: bitmap.bitmap.width,
            height: bitmap.bitmap.height)
    }
}

/// The last record of JSON cues.
package struct JSONCueSummary: Hashable, Sendable {
    /// Number of cues written.
    package var cues: Int
    /// The read path: `index`, `walk`, `scan` or `file`.
    package var path: String
    /// The number of bytes read from the source.
    package var bytesRead: UInt64
    /// `true` if input was lost or the job was stopped.
    package var partial: Bool

    /// Creates a summary.
    package init(cues: Int, path: String, bytesRead: UInt64, partial: Bool) {
        self.cues = cues
        self.path = path
        self.bytesRead = bytesRead
        self.partial = partial
    }
}

/// The records of JSON cues, one object each.
///
/// ``JSONCueWriter`` puts them in order, as a document or as lines.
package enum JSONCueRecord {
    /// The properties of the track.
    package static func track(_ track: JSONCueTrack) -> JSON {
        .object(
            [
                .init("type", .string("track")), .init("track", .integer(track.index)),
                .init("codec", .string(track.codec.rawValue)),
                .init("language", .optional(track.language?.rawValue)),
                .init("title", .optional(track.title)), .init("forced", .bool(track.isForced)),
                .init("hearingImpaired", .bool(track.isHearingImpaired)),
                .init(
                    "canvas",
                    track.canvas.map { .array([.integer($0.width), .integer($0.height)]) } ?? .null),
            ] + (track.service.map { [.init("service", .string($0))] } ?? []))
    }

    /// A region that cues refer to.
    package static func region(_ region: Region) -> JSON {
        func point(_ anchor: Region.Anchor) -> JSON {
            .array([.decimal(anchor.x), .decimal(anchor.y)])
        }
        return .object([
            .init("type", .string("region")), .init("id", .string(region.id)),
            .init("width", .decimal(region.width)), .init("lines", .integer(region.lines)),
            .init("regionAnchor", point(region.regionAnchor)),
            .init("viewportAnchor", point(region.viewportAnchor)),
            .init("scroll", .string(region.scrollsUp ? "up" : "")),
        ])
    }

    /// A style sheet.
    package static func style(_ css: String) -> JSON {
        .object([.init("type", .string("style")), .init("css", .string(css))])
    }

    /// A cue of text, with its WebVTT cue text.
    package static func cue(_ cue: Cue, track: Int, payload: String) -> JSON {
        .object(
            common(cue, track: track) + [
                .init("text", .string(cue.plainText ?? "")), .init("payload", .string(payload)),
                .init("layout", layout(cue.layout)),
            ])
    }

    /// A cue of images, with the text that was recognized in them.
    package static func cue(_ cue: Cue, track: Int, images: [JSONCueImage]) -> JSON {
        let read: [JSON.Member] =
            cue.recognition.map { recognition in
                let percent = (recognition.confidence * 100).rounded()
                return [
                    .init("text", .string(recognition.text)),
                    .init("confidence", .decimal(percent / 100)),
                ]
            } ?? []
        return .object(
            common(cue, track: track) + read + [
                .init("layout", layout(cue.layout)), .init("images", .array(images.map(image))),
            ])
    }

    /// Something that was lost, repaired or noteworthy.
    package static func diagnostic(_ diagnostic: Diagnostic) -> JSON {
        .object([
            .init("type", .string("diagnostic")),
            .init("severity", .string(diagnostic.severity.rawValue)),
            .init("code", .string(diagnostic.code)),
            .init("track", diagnostic.streamIndex.map { .integer($0) } ?? .null),
            .init("time", diagnostic.time.map { .seconds($0) } ?? .null),
            .init("offset", diagnostic.byteOffset.map { .integer($0) } ?? .null),
            .init("message", .string(diagnostic.message)),
        ])
    }

    /// The last record.
    package static func summary(_ summary: JSONCueSummary) -> JSON {
        .object([
            .init("type", .string("summary")), .init("cues", .integer(summary.cues)),
            .init("path", .string(summary.path)),
            .init("bytesRead", .integer(summary.bytesRead)),
            .init("partial", .bool(summary.partial)),
        ])
    }

    private static func common(_ cue: Cue, track: Int) -> [JSON.Member] {
        [
            .init("type", .string("cue")), .init("track", .integer(track)),
            .init("id", .string(cue.identifier)), .init("start", .seconds(cue.start)),
            .init("end", .seconds(cue.end)), .init("endSource", .string(cue.endSource.rawValue)),
            .init("forced", .bool(cue.isForced)), .init("layer", .integer(cue.layer)),
        ]
    }

    private static func layout(_ layout: CueLayout) -> JSON {
        .object([
            .init("vertical", .string(layout.vertical.rawValue)),
            .init("line", layout.line.map { .decimal($0) } ?? .string("auto")),
            .init("snapToLines", .bool(layout.snapToLines)),
            .init("lineAlign", .string(layout.lineAlignment.rawValue)),
            .init("position", layout.position.map { .decimal($0) } ?? .string("auto")),
            .init("positionAlign", .string(layout.positionAlignment.rawValue)),
            .init("size", .decimal(layout.size)),
            .init("align", .string(layout.textAlignment.rawValue)),
            .init("region", .optional(layout.region)),
        ])
    }

    private static func image(_ image: JSONCueImage) -> JSON {
        let content: JSON.Member =
            switch image.content {
            case .file(let name): .init("file", .string(name))
            case .png(let bytes): .init("png", .string(Base64.encoded(bytes)))
            }
        return .object([
            content, .init("x", .integer(image.x)), .init("y", .integer(image.y)),
            .init("width", .integer(image.width)), .init("height", .integer(image.height)),
        ])
    }
}
