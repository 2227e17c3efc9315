internal import UndertextCore

/// The content of a paragraph as TTML writes it, without the paragraph itself.
struct TTMLCueEncoder {
    /// Spans, text and line breaks; empty if there is nothing to show.
    private(set) var bytes: [UInt8] = []
    /// The common style of all runs, which is that of the paragraph.
    private(set) var common: [String] = []
    /// `true` if white space must be kept as it is.
    private(set) var keepsSpace = false
    /// The losses of the text.
    private(set) var losses: LossKinds = []

    /// A run with its style attributes.
    private struct Part {
        var text: String
        var ruby: String
        var look: TTMLRunLook
    }

    /// `true` if there is something to show.
    static func hasLetters(_ cue: Cue) -> Bool {
        cue.plainText?.utf8.contains { !$0.isSpace } ?? false
    }

    /// Composes the text of a cue.
    ///
    /// - Parameters:
    ///   - cue: the cue.
    ///   - area: the color of the region, which spans need not repeat.
    ///   - classes: the colors of classes.
    ///   - language: the document's language.
    ///   - styles: the styles of the document.
    ///   - agents: the speakers of the document.
    init(
        _ cue: Cue, area: RGBA?, classes: WebVTTClassColors, language: String,
        styles: inout TTMLStyleTable, agents: inout TTMLAgentTable
    ) {
        guard case .text(let text) = cue.content else {
            losses.insert(.image)
            return
        }
        guard Self.hasLetters(cue) else { return }
        var parts: [Part] = []
        for run in text.runs {
            if let time = run.appearsAt, time > cue.start { losses.insert(.karaoke) }
            var style = run.style
            if let area, style.background == area { style.background = nil }
            let look = TTMLRunLook(style, classes: classes, language: language, losses: &losses)
            add(Self.letters(run.text), ruby: run.ruby ?? "", look, to: &parts)
        }
        keepsSpace = Self.needsSpace(parts.map(\.text).joined())
        common = parts.first?.look.shared ?? []
        for part in parts.dropFirst() {
            common.removeAll { !part.look.shared.contains($0) }
        }
        for part in parts { append(part, styles: &styles, agents: &agents) }
    }

    /// Appends a run; a line break has no style and joins the text before it.
    private func add(
        _ letters: String, ruby: String, _ look: TTMLRunLook, to parts: inout [Part]
    ) {
        let ruby = TTMLMarkup.oneLine(Self.letters(ruby))
        let base = TTMLMarkup.oneLine(letters)
        if !ruby.isEmpty, !base.isEmpty {
            parts.append(Part(text: base, ruby: ruby, look: look))
            return
        }
        var rest = letters[...]
        if let last = parts.indices.last, parts[last].ruby.isEmpty {
            let breaks = rest.utf8.prefix { $0 == Byte.lineFeed }.count
            parts[last].text += String(repeating: "\n", count: breaks)
            rest = rest.dropFirst(breaks)
            if parts[last].look == look {
                parts[last].text += rest
                return
            }
        }
        if !rest.isEmpty { parts.append(Part(text: String(rest), ruby: "", look: look)) }
    }

    /// Lines separated by line feeds, tabs made spaces.
    private static func letters(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in unifiedLineEnds(text.utf8) {
            result.append(byte == Byte.tab || byte == 0x0C || byte == 0x0B ? Byte.space : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns `true` if white space would be lost: two spaces, or one at either end of a line.
    private static func needsSpace(_ text: String) -> Bool {
        var last = Byte.lineFeed
        for byte in text.utf8 {
            if byte == Byte.space, last == Byte.space || last == Byte.lineFeed { return true }
            if byte == Byte.lineFeed, last == Byte.space { return true }
            last = byte
        }
        return last == Byte.space
    }

    private mutating func append(
        _ part: Part, styles: inout TTMLStyleTable, agents: inout TTMLAgentTable
    ) {
        let look = part.look
        var attributes = look.shared.filter { !common.contains($0) }
        if let background = look.background { attributes.append(background) }
        var span = ""
        if let name = styles.name(of: attributes) { span += " style=\"\(name)\"" }
        if let voice = look.voice { span += " ttm:agent=\"\(agents.name(of: voice))\"" }
        if let language = look.language {
            span += " xml:lang=\"\(TTMLMarkup.escaped(language))\""
        }
        guard part.ruby.isEmpty else {
            bytes += "<span\(span) tts:ruby=\"container\"><span tts:ruby=\"base\">".utf8
            TTMLMarkup.append(part.text, to: &bytes)
            bytes += "</span><span tts:ruby=\"text\">".utf8
            TTMLMarkup.append(part.ruby, to: &bytes)
            bytes += "</span></span>".utf8
            return
        }
        if !span.isEmpty { bytes += "<span\(span)>".utf8 }
        var isFirst = true
        for line in part.text.split(separator: "\n", omittingEmptySubsequences: false) {
            if !isFirst { bytes += "<br/>".utf8 }
            isFirst = false
            TTMLMarkup.append(line, to: &bytes)
        }
        if !span.isEmpty { bytes += "</span>".utf8 }
    }
}

/// The speakers of a document that is written.
struct TTMLAgentTable {
    private var voices = NumberedValues<String>()

    /// The name of the element for a speaker.
    mutating func name(of voice: String) -> String { "agent\(voices.number(of: voice))" }

    /// `true` if no speaker is named.
    var isEmpty: Bool { voices.values.isEmpty }

    /// Appends the elements.
    func append(to output: inout [UInt8]) {
        for (number, name) in voices.values.enumerated() {
            output +=
                "      <ttm:agent xml:id=\"agent\(number + 1)\" type=\"character\"><ttm:name type=\"alias\">"
                .utf8
            TTMLMarkup.append(name, to: &output)
            output += "</ttm:name></ttm:agent>\n".utf8
        }
    }
}
