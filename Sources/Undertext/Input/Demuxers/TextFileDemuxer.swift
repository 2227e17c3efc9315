internal import UndertextFFmpeg
internal import UndertextIO

/// A text file, which is read as a whole.
final class TextFileDemuxer: Demuxer {
    private let text: TextInput
    private let access: InputAccess

    private init(_ text: TextInput, _ access: InputAccess) {
        self.text = text
        self.access = access
    }

    /// Opens an input whose beginning, or claimed format, is that of a text file.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        let access = candidate.access
        let text =
            if let pipe = candidate.pipe {
                try TextInput.open(pipe, access.options, &candidate.textRefusals)
            } else {
                try TextInput.open(access.source, access.options, &candidate.textRefusals)
            }
        return text.map { TextFileDemuxer($0, access) }
    }

    var description: ContainerDescription { text.description }
    var diagnostics: [Diagnostic] { text.diagnostics }
    var isSubtitleFile: Bool { true }
    var isTextFile: Bool { true }
    /// Its text has been decoded.
    var hasUnicodeText: Bool { true }
    var charset: TextCharset? { text.charset }

    func readPlan(
        for streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        var plan = ReadPlan(streams, of: description, in: window, access)
        plan.add(.file) { [text, access] record in
            record.others.append { text.pipeStatistics }
            let reader = text.packetReader(folder: access.localPath.map(PathName.directoryName))
            return window.isAll && text.description.streams.count == 1
                ? reader : TextWindow(reader, window, streams)
        }
        return plan
    }

    func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        guard let bytes = text.data(of: attachment) else {
            throw UndertextError(
                .unsupported, "the attachment has no stream", path: access.input.argument)
        }
        return bytes
    }

    /// libavformat sees one stream, whatever languages there are.
    func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription {
        guard description.streams.count == 1 else { return description }
        var found: ContainerDescription
        do throws(UndertextError) {
            found = try access.demuxer(depth: deep ? .full : .headers, inMemory: text.bytes)
                .description
        } catch {
            guard error.code != .cancelled, error.code != .timeout else { throw error }
            // It cannot read all that we can.
            return description
        }
        guard found.streams.count == 1 else { return description }
        found.streams[0].language = found.streams[0].language ?? description.streams[0].language
        found.attachments = description.attachments
        return found
    }
}
