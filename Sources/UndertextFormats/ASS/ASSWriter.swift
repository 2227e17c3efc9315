package import UndertextCore

/// Writes cues as an ASS or SSA script: UTF-8 without a byte order mark, lines ended by line feeds.
///
/// Cues from a script keep their event, and its header stays. Between ASS and SSA, styles are translated. All
/// other cues are written from their styled text: cues with equal styles share a style, override tags state
/// differences within a cue, positions become `\an` with margins, or `\pos` for a point. The canvas is that of
/// the cues, otherwise 1920 × 1080.
///
/// Times are rounded to centiseconds. Events are in the order of the cues.
///
/// Styles must precede the first event, but the needed styles are known only after the last: events are held
/// back until ``finish(into:)``, or until they take 64 MiB. A script that is kept has its styles already. With
/// `streaming`, each event is written immediately, in the style Default or, on a box, Box, with override tags
/// for everything else.
package struct ASSWriter: CueWriter {
    /// The script to write.
    package enum Kind: Hashable, Sendable {
        /// Advanced SubStation Alpha, v4.00+.
        case ass
        /// SubStation Alpha, v4.00.
        case ssa
    }

    /// The losses so far.
    package private(set) var losses = ConversionLosses()
    /// Number of events written so far.
    package private(set) var cueCount = 0
    private let kind: Kind
    private var isStreaming: Bool
    private let header: SubtitleHeader
    /// The script that is kept; `nil` where a new one is made.
    private let script: ASSSourceScript?
    private let resolver: ASSStyleResolver
    private var styles: ASSStyleTable
    /// `true` if rules of style sheets are lost, which is reported once.
    private var losesRules: Bool
    private var held: [UInt8] = []

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - kind: the type of script.
    ///   - header: the canvas, title, language and style sheets, and the source script of the cues.
    ///   - streaming: `true` to write each event immediately.
    package init(
        _ kind: Kind = .ass, header: SubtitleHeader = SubtitleHeader(), streaming: Bool = false
    ) {
        self.kind = kind
        self.header = header
        script = ASSSourceScript(header, target: kind)
        isStreaming = streaming || script != nil
        let classes = WebVTTClassColors(header.styleSheets)
        losesRules = classes.hasOtherRules
        let canvas = script?.canvas ?? Self.canvas(header.canvas)
        let standard =
            script?.standard(canvas: canvas)
            ?? ASSResolvedStyle(font: "Arial", size: max(1, canvas.height / 18) * 1000)
        resolver = ASSStyleResolver(
            standard: standard, canvas: canvas, allowsBoxes: script == nil,
            classes: classes)
        styles = ASSStyleTable(
            isSSA: kind == .ssa, standard: standard,
            margins: script?.margins ?? ASSMargins(canvas: canvas),
            mayGrow: script == nil && !streaming)
    }

    private static func canvas(_ stated: PixelSize?) -> PixelSize {
        guard let stated, (1...100_000).contains(stated.width),
            (1...100_000).contains(stated.height)
        else { return PixelSize(width: 1920, height: 1080) }
        return stated
    }

    /// Writes the known part of the script's header.
    package mutating func begin(into output: inout [UInt8]) {
        if let script {
            output += script.header.beforeEvents
            return
        }
        appendInfo(to: &output)
        if isStreaming { appendStyles(to: &output) }
    }

    /// Writes an event, or holds it back.
    package mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        guard let event = event(cue) else { return }
        let span = CentisecondSpan(cue)
        cueCount += 1
        let line = event.line(
            start: span.start, end: span.end,
            columns: script?.header.columns ?? (kind == .ssa ? .ssa : .ass),
            lineEnd: script?.header.lineEnd ?? [Byte.lineFeed])
        guard !isStreaming else {
            output += line
            return
        }
        held += line
        if held.count > heldAtMost { stopHolding(into: &output) }
    }

    /// Writes what is held back, and each further event at once.
    private mutating func stopHolding(into output: inout [UInt8]) {
        styles.close()
        appendStyles(to: &output)
        output += held
        held = []
        isStreaming = true
    }

    /// Writes styles and events that were held back, and what follows them.
    package mutating func finish(into output: inout [UInt8]) {
        if !isStreaming { stopHolding(into: &output) }
        if let script { output += script.header.afterEvents }
    }

    // MARK: Events

    private mutating func event(_ cue: Cue) -> ASSPacketEvent? {
        if let script, case .ass(let line) = cue.source,
            let stored = ASSPacketEvent(Array(line.utf8)[...])
        {
            let (event, lost) = script.translated(stored)
            for kind in lost { losses.record(kind, in: cue) }
            return event
        }
        guard case .text(let text) = cue.content else {
            losses.record(.image, in: cue)
            return nil
        }
        var lost: LossKinds = []
        if losesRules {
            losesRules = false
            lost.insert(.style)
        }
        // The features of an event that is not kept, because the cue was changed.
        if case .ass(let line) = cue.source {
            lost.formUnion(LossKinds(ASSEvent.features(of: line).lossKinds))
        }
        let placement = ASSPlacement(
            cue.layout, regions: header.regions, canvas: resolver.canvas, margins: styles.margins)
        let composed = ASSCueEncoder(
            text, placement: placement, span: CentisecondSpan(cue), resolver: resolver,
            styles: &styles)
        if !composed.bytes.isEmpty {
            lost.formUnion(composed.losses)
            lost.formUnion(placement.losses)
            if kind == .ssa, cue.layer != 0 { lost.insert(.metadata) }
            if !cue.identifier.utf8.allSatisfy(\.isDigit) { lost.insert(.metadata) }
            if cue.isForced, !header.isForced { lost.insert(.metadata) }
        }
        for kind in lost { losses.record(kind, in: cue) }
        guard !composed.bytes.isEmpty else { return nil }
        return ASSPacketEvent(
            layer: kind == .ssa ? "Marked=0" : "\(cue.layer)",
            fields: [
                composed.style, composed.name, "\(placement.marginLeft)",
                "\(placement.marginRight)", "\(placement.marginVertical)", "",
            ].map { Array($0.utf8) } + [composed.bytes])
    }

    // MARK: Header

    private func appendInfo(to output: inout [UInt8]) {
        var lines = ["[Script Info]"]
        if let title = header.title.map(Self.oneLine), !title.isEmpty {
            lines.append("Title: \(title)")
        }
        lines += [
            "ScriptType: v4.00\(kind == .ssa ? "" : "+")",
            "WrapStyle: \(ASSWrapping(header.codec).rawValue)",
            "ScaledBorderAndShadow: yes", "PlayResX: \(resolver.canvas.width)",
            "PlayResY: \(resolver.canvas.height)",
        ]
        if let language = header.language { lines.append("Language: \(language)") }
        output += lines.joined(separator: "\n").utf8
        output += "\n\n".utf8
    }

    private static func oneLine(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < Byte.space ? Byte.space : $0 }, as: UTF8.self)
    }

    private func appendStyles(to output: inout [UInt8]) {
        styles.append(to: &output)
        let columns = kind == .ssa ? ASSEventColumns.ssa : .ass
        output += "\n[Events]\n\(columns.formatLine)\n".utf8
    }
}
