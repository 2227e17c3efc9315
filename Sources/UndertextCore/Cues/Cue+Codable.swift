/// The stored form of a cue, for caches and for other processes; it stays the same between versions.
///
/// Times are nanoseconds, colors `#RRGGBBAA`, lengths as the properties have them. Members that have the default value
/// are left out:
///
///     {"order": 0, "start": 1000000000, "end": 2500000000, "endSource": "explicit", "forced": true,
///      "identifier": "1", "layer": 2, "layout": {"line": 10, "snapToLines": false, "align": "start"},
///      "text": [{"text": "Hi ", "italic": true, "color": "#FFFF00FF"}, {"text": "you"}],
///      "source": {"subRip": "<i>Hi</i> you"}}
///
/// Instead of `text`, a cue of images has `images`, each with `x`, `y`, `width`, `height`, `palette` and `indices` in
/// base64, and perhaps a `canvas` and a `recognition`. Decoding refuses what no decoder gives: an end before the start,
/// numbers beyond a thousand million, indices without a color.
extension Cue: Codable {
    /// Decodes a cue.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let content: CueContent =
            if let runs: [TextRun] = try fields.value("text") {
                .text(StyledText(runs: runs))
            } else {
                .images(
                    CueImages(
                        canvas: try fields.value("canvas"), images: try fields.required("images")))
            }
        self.init(
            identifier: try fields.value("identifier") ?? "",
            order: try fields.integer("order", in: 0...Fields.largest) ?? 0,
            start: try fields.required("start"), end: try fields.required("end"),
            endSource: try fields.value("endSource") ?? .explicit,
            isForced: try fields.value("forced") ?? false, layer: try fields.integer("layer") ?? 0,
            layout: try fields.value("layout") ?? CueLayout(), content: content,
            source: try fields.value("source"))
        recognition = try fields.value("recognition")
        guard end > start else { throw fields.error("end", "it is not after the start") }
    }

    /// Encodes the cue.
    public func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("order", order)
        try fields.write("start", start)
        try fields.write("end", end)
        try fields.write("endSource", endSource)
        try fields.write("forced", isForced, unless: false)
        try fields.write("identifier", identifier, unless: "")
        try fields.write("layer", layer, unless: 0)
        try fields.write("layout", layout, unless: CueLayout())
        switch content {
        case .text(let text): try fields.write("text", text.runs)
        case .images(let images):
            try fields.write("canvas", images.canvas, unless: nil)
            try fields.write("images", images.images)
        }
        try fields.write("source", source, unless: nil)
        try fields.write("recognition", recognition, unless: nil)
    }
}

extension EndSource: Codable {}
extension CueLayout.Vertical: Codable {}
extension CueLayout.LineAlignment: Codable {}
extension CueLayout.PositionAlignment: Codable {}
extension CueLayout.TextAlignment: Codable {}
extension TextDirection: Codable {}

extension Timestamp: CodedField {
    /// Decodes a number of nanoseconds.
    init(from decoder: any Decoder) throws {
        self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes ``nanoseconds``.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}

extension RGBA: CodedField {
    /// Decodes `#RRGGBBAA`.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.count == 9, text.hasPrefix("#"),
            text.utf8.dropFirst().allSatisfy({ $0.hexValue != nil }),
            let value = UInt32(text.dropFirst(), radix: 16)
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a color is written #RRGGBBAA")
        }
        self.init(rawValue: value)
    }

    /// Encodes `#RRGGBBAA`.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("#" + zeroPadded(rawValue, to: 8, radix: 16).uppercased())
    }
}

extension CueLayout: CodedField {
    /// Decodes a layout.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init()
        vertical = try fields.value("vertical") ?? vertical
        line = try fields.finite("line")
        snapToLines = try fields.value("snapToLines") ?? snapToLines
        lineAlignment = try fields.value("lineAlign") ?? lineAlignment
        position = try fields.finite("position")
        positionAlignment = try fields.value("positionAlign") ?? positionAlignment
        size = try fields.finite("size") ?? size
        textAlignment = try fields.value("align") ?? textAlignment
        region = try fields.value("region")
        direction = try fields.value("direction")
        background = try fields.value("background")
    }

    /// Encodes the layout.
    func encode(to encoder: any Encoder) throws {
        let usual = CueLayout()
        var fields = FieldWriter(encoder)
        try fields.write("vertical", vertical, unless: usual.vertical)
        try fields.write("line", line, unless: nil)
        try fields.write("snapToLines", snapToLines, unless: usual.snapToLines)
        try fields.write("lineAlign", lineAlignment, unless: usual.lineAlignment)
        try fields.write("position", position, unless: nil)
        try fields.write("positionAlign", positionAlignment, unless: usual.positionAlignment)
        try fields.write("size", size, unless: usual.size)
        try fields.write("align", textAlignment, unless: usual.textAlignment)
        try fields.write("region", region, unless: nil)
        try fields.write("direction", direction, unless: nil)
        try fields.write("background", background, unless: nil)
    }
}

extension RegionBackground: CodedField {
    /// Decodes an area.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            color: try fields.required("color"), left: try fields.finite("left") ?? 0,
            top: try fields.finite("top") ?? 0, right: try fields.finite("right") ?? 100,
            bottom: try fields.finite("bottom") ?? 100,
            isAlwaysShown: try fields.value("alwaysShown") ?? false)
    }

    /// Encodes the area.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("color", color)
        try fields.write("left", left, unless: 0)
        try fields.write("top", top, unless: 0)
        try fields.write("right", right, unless: 100)
        try fields.write("bottom", bottom, unless: 100)
        try fields.write("alwaysShown", isAlwaysShown, unless: false)
    }
}

extension TextRun: CodedField {
    /// Decodes a run: its text, its style and the rest in one object.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            try fields.required("text"), ruby: try fields.value("ruby"),
            appearsAt: try fields.value("appearsAt"))
        style.isItalic = try fields.value("italic") ?? false
        style.isBold = try fields.value("bold") ?? false
        style.isUnderlined = try fields.value("underlined") ?? false
        style.isStruckThrough = try fields.value("struckThrough") ?? false
        if let color: RGBA = try fields.value("color") { style.color = color }
        if let color: RGBA = try fields.value("background") { style.background = color }
        if let font: String = try fields.value("font") { style.font = font }
        if let size: FontSize = try fields.value("fontSize") { style.fontSize = size }
        if let classes: [String] = try fields.value("classes") { style.classes = classes }
        if let voice: String = try fields.value("voice") { style.voice = voice }
        if let language: String = try fields.value("language") { style.language = language }
        if let outline: TextOutline = try fields.value("outline") { style.outline = outline }
        if let shadows: [TextShadow] = try fields.value("shadows") { style.shadows = shadows }
        if let height = try fields.integer("lineHeight") { style.lineHeight = height }
        if let isUnbroken: Bool = try fields.value("unbroken") { style.isUnbroken = isUnbroken }
    }

    /// Encodes the run.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("text", text)
        try fields.write("ruby", ruby, unless: nil)
        try fields.write("appearsAt", appearsAt, unless: nil)
        try fields.write("italic", style.isItalic, unless: false)
        try fields.write("bold", style.isBold, unless: false)
        try fields.write("underlined", style.isUnderlined, unless: false)
        try fields.write("struckThrough", style.isStruckThrough, unless: false)
        if style.isBasic { return }
        try fields.write("color", style.color, unless: nil)
        try fields.write("background", style.background, unless: nil)
        try fields.write("font", style.font, unless: nil)
        try fields.write("fontSize", style.fontSize, unless: nil)
        try fields.write("classes", style.classes, unless: [])
        try fields.write("voice", style.voice, unless: nil)
        try fields.write("language", style.language, unless: nil)
        try fields.write("outline", style.outline, unless: nil)
        try fields.write("shadows", style.shadows, unless: [])
        try fields.write("lineHeight", style.lineHeight, unless: nil)
        try fields.write("unbroken", style.isUnbroken, unless: false)
    }
}

extension FontSize: CodedField {
    /// Decodes a size: an object whose only member is named after the unit.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        if let part = try fields.integer("ofHeight") {
            self = .ofHeight(part)
        } else if let part = try fields.integer("percent") {
            self = .percent(part)
        } else if let count = try fields.integer("pixels") {
            self = .pixels(count)
        } else {
            throw fields.error("percent", "the size has no known unit")
        }
    }

    /// Encodes the size.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        switch self {
        case .ofHeight(let part): try fields.write("ofHeight", part)
        case .percent(let part): try fields.write("percent", part)
        case .pixels(let count): try fields.write("pixels", count)
        }
    }
}

extension TextOutline: CodedField {
    /// Decodes an outline.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            color: try fields.required("color"), width: try fields.integer("width") ?? 0,
            blur: try fields.integer("blur") ?? 0)
    }

    /// Encodes the outline.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("color", color)
        try fields.write("width", width)
        try fields.write("blur", blur, unless: 0)
    }
}

extension TextShadow: CodedField {
    /// Decodes a shadow.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            color: try fields.required("color"), x: try fields.integer("x") ?? 0,
            y: try fields.integer("y") ?? 0, blur: try fields.integer("blur") ?? 0)
    }

    /// Encodes the shadow.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("color", color)
        try fields.write("x", x)
        try fields.write("y", y)
        try fields.write("blur", blur, unless: 0)
    }
}

extension PixelSize: CodedField {
    /// Decodes a size.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            width: try fields.integer("width", in: 0...Fields.largest) ?? 0,
            height: try fields.integer("height", in: 0...Fields.largest) ?? 0)
    }

    /// Encodes the size.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("width", width)
        try fields.write("height", height)
    }
}

extension PlacedBitmap: CodedField {
    /// Decodes an image and its position.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let text: String = try fields.required("indices")
        let bitmap = IndexedBitmap(
            width: try fields.integer("width") ?? 0, height: try fields.integer("height") ?? 0,
            indices: Base64.decoded(text) ?? [], palette: try fields.required("palette"))
        guard let bitmap else { throw fields.error("indices", "they make no image of that size") }
        self.init(
            x: try fields.integer("x") ?? 0, y: try fields.integer("y") ?? 0, bitmap: bitmap)
    }

    /// Encodes the image and its position.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("x", x)
        try fields.write("y", y)
        try fields.write("width", bitmap.width)
        try fields.write("height", bitmap.height)
        try fields.write("palette", bitmap.palette)
        try fields.write("indices", Base64.encoded(bitmap.indices))
    }
}

extension CueSource: CodedField {
    /// Decodes a stored form: an object whose only member is named after the format.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        if let text: String = try fields.value("webVTT") {
            self = .webVTT(text)
        } else if let text: String = try fields.value("ass") {
            self = .ass(text)
        } else {
            self = .subRip(try fields.required("subRip"))
        }
    }

    /// Encodes the stored form.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        switch self {
        case .webVTT(let text): try fields.write("webVTT", text)
        case .ass(let text): try fields.write("ass", text)
        case .subRip(let text): try fields.write("subRip", text)
        }
    }
}

extension RecognizedText: CodedField {
    /// Decodes a result.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            text: try fields.required("text"),
            confidence: min(max(try fields.finite("confidence") ?? 0, 0), 1))
    }

    /// Encodes the result.
    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.write("text", text)
        try fields.write("confidence", confidence)
    }
}
