internal import UndertextCore

/// The header of an ASS or SSA script, split where its events belong.
///
/// Matroska keeps the script up to its events in CodecPrivate; sections that followed them, such
/// as `[Fonts]`, may stand there too.
struct ASSFileHeader {
    /// What precedes the events, its last line ended.
    let beforeEvents: [UInt8]
    /// What follows them; empty if nothing does.
    let afterEvents: [UInt8]
    /// How lines end.
    let lineEnd: [UInt8]
    /// The columns of an event.
    let columns: ASSEventColumns
    /// Whether anything had to be added to the stored header.
    let wasCompleted: Bool

    /// Splits the header of a script.
    ///
    /// - Parameters:
    ///   - script: the script up to its events, and what may follow them.
    ///   - isSSA: `true` if a missing `Format:` line is that of SSA.
    init(_ script: ASSScript, isSSA: Bool) {
        let newLine = script.lineEnd
        lineEnd = newLine
        func line(_ text: String) -> [UInt8] { Array(text.utf8) + newLine }
        func ended(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            guard let last = bytes.last else { return [] }
            let isEnded = last == Byte.lineFeed || last == Byte.carriageReturn
            return Array(bytes) + (isEnded ? [] : newLine)
        }
        let stored = script.text
        let standard = isSSA ? ASSEventColumns.ssa : .ass
        let formatLine = line(standard.formatLine)
        guard let section = script.sections.first(where: { $0.name == .events }) else {
            var head = ended(stored[...])
            if head.isEmpty {
                head = line("[Script Info]") + line("ScriptType: v4.00\(isSSA ? "" : "+")")
            }
            beforeEvents = head + newLine + line("[Events]") + formatLine
            afterEvents = []
            columns = standard
            wasCompleted = true
            return
        }
        // Empty lines before the next section belong to that one.
        let last = script.lines[..<section.lines.upperBound].last { $0.kind != .blank }
        let end = last?.next ?? section.range.upperBound
        afterEvents = Array(stored[end...])
        let format = script.lines[section.lines].first { $0.kind == .format }
        let stated = format.flatMap { Self.columns(script.value(of: $0)) }
        columns = stated ?? standard
        wasCompleted = stated == nil
        if let format, stated == nil {
            // Columns that a reader could not tell apart: the usual ones take their place.
            beforeEvents =
                stored[..<format.range.lowerBound] + formatLine + ended(stored[format.next..<end])
        } else {
            beforeEvents = ended(stored[..<end]) + (stated == nil ? formatLine : [])
        }
    }

    /// The columns of a `Format:` line; `nil` if one is unknown or the text is not last.
    private static func columns(_ value: ArraySlice<UInt8>) -> ASSEventColumns? {
        guard let columns = ASSEventColumns(value), columns.fields.last == .text,
            !columns.fields.contains(where: { $0 == nil || $0 == .marginT || $0 == .marginB })
        else { return nil }
        return columns
    }
}
