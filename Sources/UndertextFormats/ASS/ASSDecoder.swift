package import UndertextCore

/// Decodes ASS and SSA packets in Matroska's form.
///
/// Each cue keeps its event line, the header keeps the script, so ASS to ASS loses nothing. A cue
/// that is only a drawing has empty text: writers record ``ASSFeatures/drawing`` and skip it.
package struct ASSDecoder: SubtitleDecoder {
    /// The properties of the whole track.
    package let header: SubtitleHeader
    /// The script's header.
    package let script: ASSScriptHeader
    private let reader: TextPacketReader
    private var looks: [String: (style: ASSStyle, look: TextStyle)] = [:]

    /// The sink of diagnostics.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`, whose header is the script up to its events.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        script = ASSScriptHeader(stream.codecPrivate)
        header = SubtitleHeader(
            codec: stream.codec == .ssa || script.isLegacy ? .ssa : .ass,
            language: stream.language ?? script.language, title: stream.title ?? script.title,
            canvas: script.canvas,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let line = reader.text(packet.data[...], of: packet)
        guard !line.isEmpty else { return [] }
        guard let event = ASSEvent(line) else {
            diagnostics.report(
                .error, "malformed-event",
                "an event with fewer than nine fields was left out", for: packet)
            return []
        }
        let (style, look) = styleAndLook(named: event.style)
        var parser = ASSTextParser(
            header: script, style: style, look: look,
            voice: event.name.isEmpty ? nil : event.name.text, start: timing.start)
        let text = parser.parse(event.text)
        let layout = ASSLayout(
            canvas: script.canvas, alignment: parser.alignment ?? style.alignment,
            position: parser.position,
            left: ASSMargin(event: event.marginLeft, style: style.marginLeft),
            right: ASSMargin(event: event.marginRight, style: style.marginRight),
            vertical: ASSMargin(event: event.marginVertical, style: style.marginVertical))
        let cue = DecodedCue(
            start: timing.start, end: timing.end,
            layer: header.codec == .ssa ? 0 : event.layer, layout: layout.cueLayout,
            content: .text(text), source: .ass(String(decoding: line, as: UTF8.self)))
        return [reader.event(cue)]
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}

    /// The style with a name and its neutral form, computed once for each name.
    private mutating func styleAndLook(named name: String) -> (ASSStyle, TextStyle) {
        if let known = looks[name] { return known }
        let style = script.style(named: name)
        let entry = (
            style: style, look: ASSTextState(style: style).textStyle(canvas: script.canvas)
        )
        // Names that scripts do not define are as many as events: keep the cache small.
        if looks.count < 10_000 { looks[name] = entry }
        return entry
    }
}

/// Converts the text of an ASS event to styled text and a layout.
struct ASSTextParser {
    private let header: ASSScriptHeader
    private let eventStyle: ASSStyle
    private let start: Timestamp
    private let voice: String?
    private var builder: StyledTextBuilder
    private var state: ASSTextState
    private var wrapStyle: Int
    private var isDrawing = false
    /// The start of the next syllable, hundredths of a second after that of the event.
    private var syllable = 0

    /// The position of the first `\an` or `\a`.
    private(set) var alignment: NumpadAlignment?
    /// The point of the first `\pos` or `\move`, in script pixels.
    private(set) var position: (x: Double, y: Double)?

    init(
        header: ASSScriptHeader, style: ASSStyle, look: TextStyle, voice: String? = nil,
        start: Timestamp
    ) {
        self.header = header
        self.start = start
        self.voice = voice
        eventStyle = style
        wrapStyle = header.wrapStyle
        state = ASSTextState(style: style)
        var look = look
        look.voice = voice
        builder = StyledTextBuilder(style: look)
    }

    mutating func parse(_ text: ArraySlice<UInt8>) -> StyledText {
        var tokens = ASSTokenizer(text)
        var isStyleStale = false
        while let token = tokens.next() {
            switch token {
            case .comment: break
            case .tag(let name, _, let argument):
                if apply(ASSOverride(name, text[argument])) { isStyleStale = true }
            case .text(let range):
                guard !isDrawing else { continue }
                if isStyleStale {
                    var look = state.textStyle(canvas: header.canvas)
                    look.voice = voice
                    builder.setStyle(look)
                    isStyleStale = false
                }
                append(text[range])
            }
        }
        return builder.finish()
    }

    /// Appends text whose escapes become what they mean.
    ///
    /// A word joiner (U+2060) after a backslash keeps it from beginning an escape and is no part of the
    /// text: there is no other way to write a backslash before `N`.
    private mutating func append(_ text: ArraySlice<UInt8>) {
        var rest = text
        var index = text.startIndex
        while let escape = text[index...].firstIndex(of: 0x5C), escape + 1 < text.endIndex {
            index = escape + 2
            switch text[escape + 1] {
            case 0x4E:
                builder.append(rest[..<escape])
                builder.append(0x0A)
                rest = rest[index...]
            case 0x6E:
                builder.append(rest[..<escape])
                builder.append(wrapStyle == 2 ? 0x0A : 0x20)
                rest = rest[index...]
            case 0x68:
                builder.append(rest[..<escape])
                builder.append("\u{A0}")
                rest = rest[index...]
            case 0x7B, 0x7D:
                builder.append(rest[..<escape])
                rest = rest[(escape + 1)...]
            case 0xE2 where text[index...].starts(with: [0x81, 0xA0]):
                builder.append(rest[...escape])
                index = escape + 4
                rest = rest[index...]
            default: index = escape + 1
            }
        }
        builder.append(rest)
    }

    /// Applies a tag; returns `true` if it changes the style of text.
    private mutating func apply(_ tag: ASSOverride) -> Bool {
        switch tag {
        case .alignment(let value): alignment = alignment ?? value
        case .position(let x, let y), .move(let x, let y): position = position ?? (x, y)
        case .drawing(let scale): isDrawing = scale > 0
        case .wrapStyle(let value): wrapStyle = value
        case .karaoke(let length):
            beginSyllable()
            syllable = min(syllable + length, 8_640_000)
        case .karaokeTime(let time): syllable = time
        case .reset(let name):
            // A name that the script does not define means the event's own style.
            let style = name.flatMap { header.hasStyle(named: $0) ? header.style(named: $0) : nil }
            state = ASSTextState(style: style ?? eventStyle)
            return true
        case .other: return false
        default:
            state.apply(tag)
            return true
        }
        return false
    }

    private mutating func beginSyllable() {
        let time = start.advanced(by: .milliseconds(syllable * 10))
        builder.setAppearsAt(syllable > 0 ? time : nil)
    }
}

extension ASSStyle {
    /// The style in neutral terms; `canvas` is what sizes are relative to.
    package func textStyle(canvas: PixelSize) -> TextStyle {
        ASSTextState(style: self).textStyle(canvas: canvas)
    }
}

/// The properties of text that override tags change.
struct ASSTextState {
    private let style: ASSStyle
    private var isBold: Bool
    private var isItalic: Bool
    private var isUnderlined: Bool
    private var isStruckThrough: Bool
    private var primary: UInt32
    private var outline: UInt32
    private var back: UInt32
    private var font: String?
    private var fontSize: Double

    init(style: ASSStyle) {
        self.style = style
        isBold = style.isBold
        isItalic = style.isItalic
        isUnderlined = style.isUnderlined
        isStruckThrough = style.isStruckThrough
        primary = style.primaryColor
        outline = style.outlineColor
        back = style.backColor
        font = style.font
        fontSize = style.fontSize
    }

    mutating func apply(_ tag: ASSOverride) {
        switch tag {
        case .bold(let value): isBold = value ?? style.isBold
        case .italic(let value): isItalic = value ?? style.isItalic
        case .underline(let value): isUnderlined = value ?? style.isUnderlined
        case .strikeOut(let value): isStruckThrough = value ?? style.isStruckThrough
        case .color(1, let value): Self.setColor(&primary, value, style.primaryColor)
        case .color(3, let value): Self.setColor(&outline, value, style.outlineColor)
        case .color(4, let value): Self.setColor(&back, value, style.backColor)
        case .alpha(let part, let value):
            if part == 0 || part == 1 { Self.setAlpha(&primary, value, style.primaryColor) }
            if part == 0 || part == 3 { Self.setAlpha(&outline, value, style.outlineColor) }
            if part == 0 || part == 4 { Self.setAlpha(&back, value, style.backColor) }
        case .font(let name): font = name ?? style.font
        case .fontSize(let size): fontSize = size ?? style.fontSize
        case .fontSizeChange(let tenths):
            let size = fontSize * (1 + tenths / 10)
            fontSize = size > 0 ? size : style.fontSize
        default: break
        }
    }

    /// The style in neutral terms; `canvas` is the reference for sizes.
    ///
    /// Opaque white is every player's default color, so it is omitted.
    func textStyle(canvas: PixelSize) -> TextStyle {
        var result = TextStyle()
        result.isBold = isBold
        result.isItalic = isItalic
        result.isUnderlined = isUnderlined
        result.isStruckThrough = isStruckThrough
        let color = Self.color(primary)
        result.color = color == .white ? nil : color
        if style.borderStyle == 3 { result.background = Self.color(outline) }
        if style.borderStyle == 4 { result.background = Self.color(back) }
        result.font = font
        let thousandths = fontSize / Double(max(canvas.height, 1)) * 100_000
        result.fontSize = .ofHeight(Int(min(max(thousandths, 0), 1_000_000).rounded()))
        return result
    }

    private static func color(_ value: UInt32) -> RGBA {
        RGBA(assColor: value, alpha: 255 - UInt8(truncatingIfNeeded: value >> 24))
    }

    private static func setColor(_ color: inout UInt32, _ value: UInt32?, _ styled: UInt32) {
        color = color & 0xFF00_0000 | (value ?? styled) & 0x00FF_FFFF
    }

    private static func setAlpha(_ color: inout UInt32, _ value: UInt8?, _ styled: UInt32) {
        let alpha = value.map { UInt32($0) << 24 } ?? styled & 0xFF00_0000
        color = color & 0x00FF_FFFF | alpha
    }
}
