package import UndertextCore

/// The part of an ASS or SSA script that precedes its events.
///
/// Matroska: `CodecPrivate` of `S_TEXT/ASS` and `S_TEXT/SSA`.
package struct ASSScriptHeader: Hashable, Sendable {
    /// The canvas that positions refer to, in script pixels.
    ///
    /// `PlayResX`, `PlayResY`; 384 × 288 if the script states neither.
    package var canvas = PixelSize(width: 384, height: 288)
    /// `true` if the script states its canvas.
    package var statesCanvas = false
    /// The wrap style: 2 = only at `\n` and `\N`.
    ///
    /// `WrapStyle`.
    package var wrapStyle = 0
    /// `true` if borders scale with the canvas.
    ///
    /// `ScaledBorderAndShadow`.
    package var scalesBorders = false
    /// The script's title.
    package var title: String?
    /// The language that the script states, `Language`.
    package var language: LanguageTag?
    /// `true` if styles are in the old form, `[V4 Styles]`.
    package var isLegacy = false
    /// The styles, in order.
    package var styles: [ASSStyle] = []
    /// The columns of the events, in lower case; those of v4+ if the script does not say.
    package var eventFields = ASSEventColumns.ass.fields.compactMap { $0?.rawValue.lowercased() }

    private var indexByName: [String: Int] = [:]

    /// An empty header.
    package init() {}

    /// The style of that name, otherwise the one called Default, the first one, or a built-in one.
    package func style(named name: String) -> ASSStyle {
        if let index = indexByName[ASSStyle.cleanName(name)] { return styles[index] }
        if let index = indexByName["Default"] ?? indexByName["default"] { return styles[index] }
        return styles.first ?? ASSStyle()
    }

    /// `true` if there is a style of exactly that name.
    package func hasStyle(named name: String) -> Bool {
        indexByName[ASSStyle.cleanName(name)] != nil
    }

    private mutating func add(_ style: ASSStyle) {
        indexByName[style.name] = styles.count
        styles.append(style)
    }

    // MARK: Parsing

    /// Parses the start of a script: sections, styles, the columns of events.
    ///
    /// Lines that are not understood mean nothing, as in every player.
    package init(_ bytes: [UInt8]) { self.init(ASSScript(codecPrivate: bytes)) }

    /// Reads the header of a script.
    init(_ script: ASSScript) {
        isLegacy = script.isSSA
        var size: (width: Int?, height: Int?) = (nil, nil)
        for section in script.sections {
            let lines = script.lines[section.lines]
            switch section.name {
            case .info:
                for line in lines where line.kind == .property {
                    readInfo(script.key(of: line), script.value(of: line).trimmed, &size)
                }
            case .styles(let isLegacy):
                var columns = ASSStyleColumns(isLegacy: isLegacy)
                for line in lines where styles.count < Self.mostStyles {
                    if let style = columns.read(line, of: script) {
                        add(ASSStyle(style, isLegacy: isLegacy))
                    }
                }
            case .events:
                for line in lines where line.kind == .format {
                    let fields = columnNames(script.value(of: line))
                    if fields.contains("text") { eventFields = fields }
                }
            case .fonts, .graphics, nil: break
            }
        }
        setCanvas(width: size.width, height: size.height)
    }

    private mutating func readInfo(
        _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>,
        _ size: inout (width: Int?, height: Int?)
    ) {
        switch String(decoding: key.map(\.lowercased), as: UTF8.self) {
        case "playresx": size.width = Self.pixels(value) ?? size.width
        case "playresy": size.height = Self.pixels(value) ?? size.height
        case "wrapstyle": wrapStyle = value.leadingInteger ?? 0
        case "title": title = value.isEmpty ? nil : value.text
        case "language": language = LanguageTag(value.text)
        case "scaledborderandshadow":
            scalesBorders = value.equalsIgnoringCase("yes") || (value.leadingInteger ?? 0) != 0
        default: break
        }
    }

    /// Sets the canvas; a script may state only one side of it.
    ///
    /// Players take 4:3 then, except that 1280 belongs to 1024.
    private mutating func setCanvas(width: Int?, height: Int?) {
        guard width != nil || height != nil else { return }
        statesCanvas = true
        let missingWidth = height.map { $0 == 1024 ? 1280 : max(1, $0 * 4 / 3) } ?? 384
        let missingHeight = width.map { $0 == 1280 ? 1024 : max(1, $0 * 3 / 4) } ?? 288
        canvas = PixelSize(width: width ?? missingWidth, height: height ?? missingHeight)
    }

    /// Styles that are kept; scripts have tens, generated ones thousands.
    private static let mostStyles = 100_000

    private static func pixels(_ value: ArraySlice<UInt8>) -> Int? {
        guard let number = value.leadingInteger, (1...100_000).contains(number) else { return nil }
        return number
    }
}
