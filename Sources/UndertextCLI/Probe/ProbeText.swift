internal import Undertext
internal import UndertextCore

/// A human-readable description of an input: a block for the container and one for each stream.
struct ProbeText {
    private let report: ProbeReport
    private let width: Int
    private let color: Bool
    private var container: ContainerDescription { report.container }

    init(_ report: ProbeReport, width: Int, color: Bool) {
        self.report = report
        self.width = width
        self.color = color
    }

    /// The description's lines, each terminated by a line feed.
    var text: String {
        let digits = String(container.streams.map(\.index).max() ?? 0).utf8.count
        let indent = String(repeating: " ", count: digits + 2)
        var output = ColumnText(width: width, labelWidth: digits + 2 + 12, color: color)
        output.heading(report.input)
        for (label, value) in containerFields { output.field(indent + label, value) }
        for stream in report.streams where !isListedAttachment(stream) {
            output.blank()
            let number = "#\(stream.index)"
            let padding = String(repeating: " ", count: max(1, indent.count - number.count))
            let block = StreamText(stream, facts: report.facts[stream.index], in: container)
            output.field(
                number + padding + stream.kind.rawValue, block.summary, isHeading: true)
            for (label, value) in block.fields { output.field(indent + label, value) }
            if let captions = report.captions[stream.index], !captions.isEmpty {
                output.field(
                    indent + "captions",
                    captions.joined(separator: ", ") + " (closed captions)")
            }
            if report.unsearched.contains(stream.index) {
                output.field(indent + "captions", "not searched; --deep searches all of the video")
            }
            let variants =
                report.content.streams.first { $0.id == stream.index }?.variantLines ?? []
            // Only streaming presentations have variants.
            guard report.content.fileFormat == .hls || report.content.fileFormat == .dash else {
                continue
            }
            for (position, line) in variants.enumerated() {
                output.field(indent + (position == 0 ? "variants" : ""), line)
            }
        }
        addChapters(to: &output, indent: indent)
        addAttachments(to: &output, indent: indent)
        return output.text
    }

    private var containerFields: [(String, String)] {
        var fields = [("format", container.formatLongName ?? container.formatName)]
        if let duration = report.content.totalPlayTime {
            fields.append(("duration", clockText(duration)))
        }
        if let size = container.size { fields.append(("size", sizeText(size))) }
        if let title = container.tags.first(where: { $0.key.lowercased() == "title" })?.value {
            fields.append(("title", title))
        }
        if let protection = report.content.drmInfo {
            fields.append(("protected", protection.scheme ?? "yes"))
        }
        if report.content.isJunkContent { fields.append(("index", "damaged")) }
        if report.streams.isEmpty { fields.append(("streams", "none")) }
        for program in container.programs {
            let name = program.tags.first { $0.key == "service_name" }?.value
            let streams = program.streams.map { "#\($0)" }.joined(separator: " ")
            let parts = ["\(program.id)", name, streams.isEmpty ? nil : streams]
            fields.append(("program", parts.compactMap { $0 }.joined(separator: ", ")))
        }
        return fields
    }

    private func addChapters(to output: inout ColumnText, indent: String) {
        guard !container.chapters.isEmpty else { return }
        output.blank()
        for (position, chapter) in container.chapters.enumerated() {
            let start = Duration(ticks: chapter.start, timeBase: chapter.timeBase)
            let title = chapter.tags.first { $0.key.lowercased() == "title" }?.value
            let parts = [start.map(clockText) ?? "unknown", title].compactMap { $0 }
            let label = position == 0 ? "chapters" : ""
            output.field(
                indent + label, parts.joined(separator: "  "), isHeading: position == 0)
        }
    }

    private func addAttachments(to output: inout ColumnText, indent: String) {
        guard !container.attachments.isEmpty else { return }
        output.blank()
        for (position, attachment) in container.attachments.enumerated() {
            let number = attachment.streamIndex.map { "#\($0)" }
            let name = attachment.fileName.isEmpty ? "without a name" : attachment.fileName
            let type = attachment.mimeType.isEmpty ? nil : attachment.mimeType
            let size = sizeText(UInt64(max(0, attachment.size)))
            let label = position == 0 ? "attachments" : ""
            output.field(
                indent + label,
                [number, name, type, size].compactMap { $0 }.joined(separator: ", "),
                isHeading: position == 0)
        }
    }

    private func isListedAttachment(_ stream: StreamDescription) -> Bool {
        stream.kind == .attachment
            && container.attachments.contains { $0.streamIndex == stream.index }
    }
}

/// Formats a size in decimal units with three significant digits, rounded down.
func sizeText(_ bytes: UInt64) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var unit: UInt64 = 1000
    var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    while names.count > 1, bytes / unit >= 1000 {
        unit *= 1000
        names = names.dropFirst()
    }
    let hundredths = bytes / (unit / 100)
    let whole = String(hundredths / 100)
    let decimals = max(0, 3 - whole.utf8.count)
    let fraction = String(100 + hundredths % 100).dropFirst().prefix(decimals)
    return whole + (fraction.isEmpty ? "" : ".\(fraction)") + " " + (names.first ?? "")
}
