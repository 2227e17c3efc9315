internal import UndertextCore

/// Decodes packets of TTI blocks, one subtitle each.
struct EBUSTLDecoder: SubtitleDecoder {
    /// The header of the track.
    let header: SubtitleHeader
    private let information: EBUSTLHeader
    private let reader: TextPacketReader
    private var hasReportedCode = false

    /// The sink of diagnostics.
    var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`, whose private data is the GSI block.
    init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        information = EBUSTLHeader(stream.codecPrivate)
        header = SubtitleHeader(
            codec: .ebuSTL, language: stream.language, title: stream.title,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of a subtitle; none if it has no text.
    mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        guard let block = EBUSTLBlock(packet.data[...]) else {
            diagnostics.report(
                .error, "truncated", "a subtitle is shorter than a block", for: packet)
            return []
        }
        var bytes: [UInt8] = []
        var rest = packet.data[...]
        while let block = EBUSTLBlock(rest) {
            bytes += block.text
            rest = rest.dropFirst(EBUSTLBlock.size)
        }
        let field = EBUSTLTextField(
            bytes, characters: information.characters ?? .latin,
            isTeletext: information.isTeletext)
        report(field, of: packet)
        guard !field.text.isEmpty else { return [] }
        let cue = DecodedCue(
            start: timing.start, end: timing.end, layout: layout(of: block, field),
            content: .text(field.text))
        return [reader.event(cue)]
    }

    /// Nothing is held back.
    mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    mutating func reset() {}

    private mutating func report(_ field: EBUSTLTextField, of packet: Packet) {
        if field.invalidCount > 0 {
            diagnostics.report(
                .error, "invalid-character",
                "\(field.invalidCount) invalid \(field.invalidCount == 1 ? "character" : "characters") "
                    + "became U+FFFD", for: packet)
        }
        guard let code = field.ignoredCode, !hasReportedCode else { return }
        hasReportedCode = true
        diagnostics.report(
            .info, "ignored-code",
            "the control code 0x\(zeroPadded(code, to: 2, radix: 16)) and similar codes are ignored",
            for: packet)
    }

    /// The rows of the screen as a layout; rows are counted from 1.
    private func layout(of block: EBUSTLBlock, _ field: EBUSTLTextField) -> CueLayout {
        var layout = CueLayout()
        switch block.justification {
        case 1:
            layout.textAlignment = .left
            layout.position = EBUSTLScreen.safeArea.lowerBound
        case 3:
            layout.textAlignment = .right
            layout.position = EBUSTLScreen.safeArea.upperBound
        default: break
        }
        let screen = EBUSTLScreen(rows: information.rows)
        let top = max(0, Int(block.verticalPosition) - 1) + field.emptyRows
        let bottom = top + field.rows
        // The last rows are where players show subtitles without a position.
        guard bottom < information.rows - 1 else { return layout }
        let isUpper = top + bottom < information.rows
        layout.snapToLines = false
        layout.line = screen.percent(ofRow: isUpper ? top : bottom)
        layout.lineAlignment = isUpper ? .start : .end
        return layout
    }
}

/// The rows of a screen within the safe area.
struct EBUSTLScreen {
    /// The part of the video that rows and columns divide, in percent.
    static let safeArea = 10.0...90.0

    /// The number of rows.
    let rows: Int

    /// The upper edge of a row, counted from 0, in percent of the video.
    func percent(ofRow row: Int) -> Double {
        let percent = Self.safeArea.lowerBound + Double(row) * height
        return (percent * 100).rounded() / 100
    }

    /// The row whose upper edge is at a percentage.
    func row(atPercent percent: Double) -> Double { (percent - Self.safeArea.lowerBound) / height }

    private var height: Double {
        (Self.safeArea.upperBound - Self.safeArea.lowerBound) / Double(rows)
    }
}
