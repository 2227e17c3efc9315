package import UndertextCore

/// Writes cues as a TTML document in the text profile of IMSC 1.1.
///
/// A cue is a paragraph; positions become regions and styles become `style` elements, each once. The output is
/// deterministic, and a document that Undertext wrote is reproduced exactly. Styles and regions precede the
/// text, so everything is held back until ``finish(into:)``.
///
/// W3C TTML Profiles for Internet Media Subtitles and Captions 1.1, section 8.
package struct TTMLWriter: CueWriter {
    /// The losses so far.
    package private(set) var losses = ConversionLosses()
    /// Number of cues written so far.
    package private(set) var cueCount = 0
    /// Number of cues left out because one equal to them was written.
    package var mergedCount: Int { duplicates.found }
    private let header: SubtitleHeader
    private let sources: SourceLosses
    private let classes: WebVTTClassColors
    /// `true` if rules of style sheets are lost, which is reported once.
    private var losesRules: Bool
    private var styles = TTMLStyleTable()
    private var regions = TTMLRegionTable()
    private var agents = TTMLAgentTable()
    private var names: Set<String> = []
    private var duplicates = DuplicateFilter()
    private var held: [UInt8] = []

    /// Creates a writer; `header` has the title, the language, style sheets and regions.
    package init(header: SubtitleHeader = SubtitleHeader()) {
        self.header = header
        sources = SourceLosses([.forcedCues, .trailingLines, .anchors], header: header)
        classes = WebVTTClassColors(header.styleSheets)
        losesRules = classes.hasOtherRules
    }

    /// Writes nothing: what precedes the text is known at the end.
    package mutating func begin(into output: inout [UInt8]) {}

    /// Holds a cue back.
    package mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        var lost: LossKinds = []
        if losesRules {
            losesRules = false
            lost.insert(.style)
        }
        if TTMLCueEncoder.hasLetters(cue) {
            append(cue, MillisecondSpan(cue), &lost)
        } else {
            lost.formUnion(composed(cue, area: nil).losses)
        }
        losses.record(lost, of: cue, sources: sources)
    }

    private mutating func composed(_ cue: Cue, area: RGBA?) -> TTMLCueEncoder {
        TTMLCueEncoder(
            cue, area: area, classes: classes, language: language, styles: &styles,
            agents: &agents)
    }

    private var language: String { header.language?.rawValue ?? "" }

    private mutating func append(
        _ cue: Cue, _ span: MillisecondSpan, _ lost: inout LossKinds
    ) {
        var layout = cue.layout
        if let id = layout.region {
            lost.insert(.region)
            if let region = header.regions.last(where: { $0.id == id }) {
                layout.place(in: region)
            }
            layout.region = nil
        }
        let direction = TextDirection(of: cue.plainText ?? "")
        var align = alignment(layout, direction)
        let side = CueBox(layout, direction: direction).side
        var box = TTMLRegionBox(layout, side: side)
        if box.isInexact { lost.insert(.position) }
        if let area = layout.background, !box.fill(area, side: side) {
            lost.insert(.region)
        }
        let (region, otherSide) = regions.number(of: box, side: side, span: span)
        if let otherSide {
            lost.insert(.position)
            if box.background != nil { lost.insert(.region) }
            if otherSide != side { lost.insert(.alignment) }
            align = ["left", "center", "right"][otherSide.rawValue]
        }

        // Text on the color of its region needs no background itself.
        let area = otherSide == nil ? box.background?.color : nil
        let text = composed(cue, area: area)
        lost.formUnion(text.losses)

        var paragraph = Array(" begin=\"".utf8)
        paragraph.appendClock(milliseconds: span.start, separator: Byte.period)
        paragraph += "\" end=\"".utf8
        paragraph.appendClock(milliseconds: span.end, separator: Byte.period)
        paragraph += "\" region=\"\(TTMLRegionTable.name(region))\"".utf8
        var attributes = ["tts:textAlign=\"\(align)\""] + text.common
        if (cue.layout.direction ?? direction) == .rightToLeft {
            attributes.append("tts:direction=\"rtl\"")
        }
        if let style = styles.name(of: attributes) { paragraph += " style=\"\(style)\"".utf8 }
        if cue.isForced { paragraph += " itts:forcedDisplay=\"true\"".utf8 }
        if text.keepsSpace { paragraph += " xml:space=\"preserve\"".utf8 }
        paragraph.append(Byte.greater)
        paragraph += text.bytes

        // Equal values mean an equal appearance on screen.
        var plain = cue
        plain.layout = CueLayout()
        plain.identifier = name(of: cue, &lost)
        guard duplicates.isNew(plain, span: span, text: paragraph) else { return }
        cueCount += 1
        held += "      <p".utf8
        if !plain.identifier.isEmpty {
            names.insert(plain.identifier)
            held += " xml:id=\"\(plain.identifier)\"".utf8
        }
        held += paragraph
        held += "</p>\n".utf8
    }

    /// The identifier of a cue in characters that XML allows.
    private func name(of cue: Cue, _ lost: inout LossKinds) -> String {
        guard !cue.identifier.isEmpty else { return "" }
        if TTMLMarkup.isName(cue.identifier), !names.contains(cue.identifier) {
            return cue.identifier
        }
        lost.insert(.metadata)
        return ""
    }

    /// `tts:textAlign`: where text goes to the left, its start is at the right.
    private func alignment(_ layout: CueLayout, _ direction: TextDirection) -> String {
        switch layout.textAlignment {
        case .start: direction == .rightToLeft ? "right" : "start"
        case .end: direction == .rightToLeft ? "left" : "end"
        case .left: "left"
        case .right: "right"
        case .center: "center"
        }
    }

    /// Writes the document.
    package mutating func finish(into output: inout [UInt8]) {
        output += Self.opening.utf8
        output += " xml:lang=\"\(TTMLMarkup.escaped(language))\">\n  <head>\n".utf8
        let title = TTMLMarkup.oneLine(header.title ?? "")
        if !title.isEmpty || !agents.isEmpty {
            output += "    <metadata>\n".utf8
            if !title.isEmpty {
                output += "      <ttm:title>".utf8
                TTMLMarkup.append(title, to: &output)
                output += "</ttm:title>\n".utf8
            }
            agents.append(to: &output)
            output += "    </metadata>\n".utf8
        }
        if !styles.isEmpty {
            output += "    <styling>\n".utf8
            styles.append(to: &output)
            output += "    </styling>\n".utf8
        }
        if !regions.boxes.isEmpty {
            output += "    <layout>\n".utf8
            regions.append(to: &output)
            output += "    </layout>\n".utf8
        }
        output += "  </head>\n  <body>\n    <div>\n".utf8
        output += held
        held = []
        output += "    </div>\n  </body>\n</tt>\n".utf8
    }

    private static let opening = """
        <?xml version="1.0" encoding="UTF-8"?>
        <tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" \
        xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" \
        xmlns:itts="http://www.w3.org/ns/ttml/profile/imsc1#styling" \
        ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text"
        """
}
