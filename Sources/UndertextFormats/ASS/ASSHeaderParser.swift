internal import UndertextCore

extension ASSScriptHeader {
    /// Parses the start of a script: sections, styles, the columns of events.
    ///
    /// Lines that are not understood mean nothing, as in every player.
    public init(_ bytes: [UInt8]) {
        self.init()
        var parser = ASSHeaderParser()
        var lines = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        while !lines.isEmpty {
            let end = lines.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? lines.endIndex
            parser.read(lines[lines.startIndex..<end].trimmed, into: &self)
            lines = lines[min(end + 1, lines.endIndex)...]
        }
        parser.finish(into: &self)
    }
}

/// Reads the lines of a script's header.
struct ASSHeaderParser {
    private enum Section {
        case none
        case info
        case styles
        case events
    }

    private var section = Section.none
    private var styleFields: [ASSStyleField?] = []
    private var statesStyles = false
    private var width: Int?
    private var height: Int?

    init() {}

    mutating func read(_ line: ArraySlice<UInt8>, into header: inout ASSScriptHeader) {
        guard let first = line.first, first != 0x3B, first != 0x21 else { return }
        if first == 0x5B {
            enterSection(line, header: &header)
            return
        }
        guard let colon = line.firstIndex(of: 0x3A) else { return }
        let key = line[line.startIndex..<colon].trimmed
        let value = line[(colon + 1)...].trimmed
        switch section {
        case .info: readInfo(key, value, into: &header)
        case .styles: readStyle(key, value, into: &header)
        case .events:
            if key.equalsIgnoringCase("format") {
                let fields = Self.fields(value)
                if fields.contains("text") { header.eventFields = fields }
            }
        case .none: break
        }
    }

    /// Settles what needs the whole header: a canvas of which only one side is stated.
    ///
    /// Players take 4:3 then, except that 1280 belongs to 1024.
    mutating func finish(into header: inout ASSScriptHeader) {
        guard width != nil || height != nil else { return }
        header.statesCanvas = true
        let missingWidth = height.map { $0 == 1024 ? 1280 : max(1, $0 * 4 / 3) } ?? 384
        let missingHeight = width.map { $0 == 1280 ? 1024 : max(1, $0 * 3 / 4) } ?? 288
        header.canvas = PixelSize(width: width ?? missingWidth, height: height ?? missingHeight)
    }

    private mutating func enterSection(
        _ line: ArraySlice<UInt8>, header: inout ASSScriptHeader
    ) {
        if line.equalsIgnoringCase("[script info]") {
            section = .info
        } else if line.equalsIgnoringCase("[v4+ styles]")
            || line.equalsIgnoringCase("[v4++ styles]")
        {
            section = .styles
            statesStyles = true
            header.isLegacy = false
            styleFields = ASSScriptHeader.defaultStyleFields.map(ASSStyleField.init)
        } else if line.equalsIgnoringCase("[v4 styles]") {
            section = .styles
            statesStyles = true
            header.isLegacy = true
            styleFields = ASSScriptHeader.defaultLegacyStyleFields.map(ASSStyleField.init)
        } else if line.equalsIgnoringCase("[events]") {
            section = .events
        } else {
            section = .none
        }
    }

    private mutating func readInfo(
        _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, into header: inout ASSScriptHeader
    ) {
        if key.equalsIgnoringCase("playresx") {
            width = Self.pixels(value) ?? width
        } else if key.equalsIgnoringCase("playresy") {
            height = Self.pixels(value) ?? height
        } else if key.equalsIgnoringCase("wrapstyle") {
            header.wrapStyle = value.leadingInteger ?? 0
        } else if key.equalsIgnoringCase("scripttype") {
            // The styles say it better where there are any.
            if !statesStyles { header.isLegacy = value.hasPrefix("v4.00") && !value.contains(0x2B) }
        } else if key.equalsIgnoringCase("title") {
            header.title = value.isEmpty ? nil : value.text
        } else if key.equalsIgnoringCase("language") {
            header.language = LanguageTag(value.text)
        } else if key.equalsIgnoringCase("scaledborderandshadow") {
            header.scalesBorders =
                value.equalsIgnoringCase("yes") || (value.leadingInteger ?? 0) != 0
        }
    }

    private mutating func readStyle(
        _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, into header: inout ASSScriptHeader
    ) {
        if key.equalsIgnoringCase("format") {
            styleFields = Self.fields(value).map(ASSStyleField.init)
        } else if key.equalsIgnoringCase("style") {
            guard header.styles.count < Self.mostStyles else { return }
            var style = ASSStyle()
            let values = value.split(
                separator: 0x2C, maxSplits: styleFields.count, omittingEmptySubsequences: false)
            for (field, text) in zip(styleFields, values) {
                guard let field else { continue }
                style.set(field, to: text.trimmed, isLegacy: header.isLegacy)
            }
            style.settleMargins()
            header.add(style)
        }
    }

    /// Styles that are kept; scripts have tens, generated ones thousands.
    private static let mostStyles = 100_000

    private static func pixels(_ value: ArraySlice<UInt8>) -> Int? {
        guard let number = value.leadingInteger, (1...100_000).contains(number) else { return nil }
        return number
    }

    /// The columns of a Format line, in lower case.
    private static func fields(_ value: ArraySlice<UInt8>) -> [String] {
        value.split(separator: 0x2C, maxSplits: 99, omittingEmptySubsequences: false).map {
            String(decoding: $0.trimmed.map(\.lowercased), as: UTF8.self)
        }
    }
}
