internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// What exports lose, and the exports.
extension Inspector {
    // MARK: Losses

    /// What each format cannot represent of a track.
    func losses(_ index: Int, _ track: InspectedInput.Track) throws(UndertextError) -> JSON {
        let input = inputs[index]
        let stream = track.stream.index
        let key = LossKey(input: index, track: stream, revision: track.table.revision)
        if let known = losses.with({ $0[key] }) { return known }
        var found: [JSON] = []
        let document = try textDocument(input, track)
        for format in Self.textFormats(of: track) + track.formats {
            var losses = ConversionLosses()
            var diagnostics: [Diagnostic] = []
            if let document, let target = TextFormat(format),
                !track.formats.contains(format)
                    || track.stream.kind == .text
            {
                let encoded = document.encoded(as: target)
                losses = encoded.losses
                diagnostics = encoded.diagnostics
            } else if let target = BitmapFormat(format) {
                losses = try input.onDemand.losses(ofTrack: stream, as: target)
            }
            found.append(
                .object([
                    .init("format", .string(format.name)),
                    .init("title", .string(format.title)),
                    .init("losses", .array(losses.entries.map(Self.loss))),
                    .init(
                        "diagnostics", .array(diagnostics.prefix(20).map(JSONCueRecord.diagnostic))),
                ]))
        }
        let answer = JSON.object([.init("formats", .array(found))])
        losses.with { known in
            if known.count >= Self.keptAnswers { known = [:] }
            known[key] = answer
        }
        return answer
    }

    /// The text of a track, as it is stored or was recognized, with the corrections; `nil` for images.
    func textDocument(
        _ input: InspectedInput, _ track: InspectedInput.Track
    ) throws(UndertextError) -> TextDocument? {
        if track.stream.kind == .text {
            let document = try input.onDemand.document(
                ofTrack: track.stream.index, isKept: track.isCorrected)
            return TextDocument(
                header: document.header, cues: try track.table.corrected(document.cues))
        }
        guard track.recognition != nil else { return nil }
        let table = track.table
        let canvas =
            table.canvas ?? track.header.canvas ?? PixelSize(width: 1920, height: 1080)
        let header = SubtitleHeader(
            codec: .subRip, language: track.stream.language, title: track.stream.title)
        let cues = table.entries.compactMap { entry -> Cue? in
            let text = table.text(of: entry)
            guard !text.isEmpty else { return nil }
            let boxes = table.images(of: entry).map {
                CueLayout.Box(
                    x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height))
            }
            return Cue(
                order: Int(entry.order), start: entry.start, end: entry.end,
                endSource: entry.endSource, isForced: entry.isForced, layer: Int(entry.layer),
                layout: CueLayout(boxes, canvas: canvas), content: .text(StyledText(text)))
        }
        return TextDocument(header: header, cues: cues)
    }

    /// The orders of the cues that a format cannot carry completely.
    func lossyOrders(
        _ index: Int, _ track: InspectedInput.Track, as name: String
    ) throws(UndertextError) -> Set<Int> {
        let format = try SubtitleFormat.output(named: name)
        let input = inputs[index]
        let stream = track.stream.index
        let key = LossyKey(
            track: LossKey(input: index, track: stream, revision: track.table.revision),
            format: format.name)
        if let known = lossyCues.with({ known in known.first { $0.key == key }?.orders }) {
            return known
        }
        var orders: Set<Int> = []
        if let document = try textDocument(input, track), TextFormat(format) != nil {
            orders = Self.lossyOrders(document, as: format)
        } else if let target = BitmapFormat(format) {
            orders = try input.onDemand.lossyOrders(ofTrack: stream, as: target)
        }
        lossyCues.with { known in
            if known.count >= Self.keptAnswers { known.removeFirst() }
            known.append((key, orders))
        }
        return orders
    }

    private static func lossyOrders(_ document: TextDocument, as format: SubtitleFormat) -> Set<Int>
    {
        guard var writer = format.cueWriter(header: document.header) else { return [] }
        var orders: Set<Int> = []
        var bytes: [UInt8] = []
        writer.begin(into: &bytes)
        func count() -> Int { writer.losses.entries.reduce(0) { $0 + $1.count } }
        var before = count()
        for cue in document.cues {
            if case .images = cue.content {
                orders.insert(cue.order)
                continue
            }
            writer.write(cue, into: &bytes)
            bytes.removeAll(keepingCapacity: true)
            let now = count()
            if now > before { orders.insert(cue.order) }
            before = now
        }
        writer.finish(into: &bytes)
        // Formats that are written as a whole state an example of each kind.
        if count() > before { orders.formUnion(writer.losses.entries.map(\.cue)) }
        return orders
    }

    private static func loss(_ entry: ConversionLosses.Entry) -> JSON {
        .object([
            .init("kind", .string(entry.name)), .init("count", .integer(entry.count)),
            .init(
                "example",
                .object([.init("cue", .integer(entry.cue)), .init("start", .seconds(entry.start))])),
        ])
    }

    // MARK: Export

    /// The number of cues that exports leave out or cut because a shift moves them before zero.
    func beforeZero(_ track: InspectedInput.Track, shift: Duration) -> JSON {
        var (lost, cut) = (0, 0)
        for entry in track.table.entries {
            if entry.end.advanced(by: shift) <= .zero {
                lost += 1
            } else if entry.start.advanced(by: shift) < .zero {
                cut += 1
            }
        }
        return .object([.init("lost", .integer(lost)), .init("cut", .integer(cut))])
    }

    /// A track as a file, with its times moved.
    func file(
        _ input: InspectedInput, _ track: InspectedInput.Track, as name: String, shift: Duration
    ) throws(UndertextError) -> (name: String, bytes: [UInt8]) {
        let format = try SubtitleFormat.output(named: name)
        guard
            track.stream.kind == .text || Self.textFormats(of: track).contains(format),
            let target = TextFormat(format), let text = try textDocument(input, track)
        else {
            throw UndertextError(
                .unsupported,
                track.isCorrected
                    ? "\(format.name) cannot contain the corrections; choose a format that is one file of text"
                    : "\(format.name) is not one file of text; save it to a folder")
        }
        let document = SubtitleDocument(header: text.header, cues: text.cues)
            .moved(by: Retiming(shift: shift))
        let bytes = TextDocument(header: document.header, cues: document.cues)
            .encoded(as: target).bytes
        let stem = PathName.stem(input.argument)
        let language = track.stream.language?.rawValue
        let parts = [stem, language].compactMap { $0 }.filter { !stem.hasSuffix(".\($0)") }
        let file = parts.joined(separator: ".") + "." + (format.fileExtensions.first ?? format.name)
        return (PathName.sanitised(file) ?? "subtitles", bytes)
    }

    /// The request to write tracks to a folder.
    struct ExportRequest {
        var tracks: [Int]
        var format: String
        var shift: Duration
        var folder: String
        var replaces: Bool

        /// Reads a request.
        init(_ json: JSON) throws(UndertextError) {
            guard let format = json["format"]?.text, let folder = json["folder"]?.text else {
                throw UndertextError(.invalidRequest, "the format and the folder are missing")
            }
            tracks = (json["tracks"]?.elements ?? []).compactMap(\.wholeNumber)
            guard !tracks.isEmpty else {
                throw UndertextError(.invalidRequest, "no track is selected")
            }
            self.format = format
            self.folder = folder
            shift = Inspector.duration(json["shift"]?.fraction ?? 0)
            replaces = json["replace"]?.flag ?? false
            guard !folder.utf8.contains(0) else {
                throw UndertextError(.invalidRequest, "the folder is not a valid path")
            }
        }
    }

    /// Writes tracks to a folder, as `extract` does.
    ///
    /// - Returns: The report of the extraction.
    func export(
        _ input: InspectedInput, _ request: ExportRequest
    ) throws(UndertextError) -> JSON {
        let format = try? SubtitleFormat.output(named: request.format)
        let listed = request.tracks.compactMap { input.track($0) }
        let isText = listed.contains { track in
            format.map(Self.textFormats(of: track).contains) == true
                || (track.stream.kind == .text && track.isCorrected)
        }
        if isText { return try export(listed, of: input, request) }
        var options = options
        options.retiming = Retiming(shift: request.shift)
        return try input.inputFiles.record { () throws(UndertextError) in
            let media = try Media(input.argument, options: options)
            var extraction = ExtractionOptions()
            extraction.tracks = TrackSelection(alternatives: request.tracks.map { [.index($0)] })
            extraction.format = try FormatRequest(parsing: request.format)
            extraction.destination = .directory(request.folder)
            extraction.replacesOutputs = request.replaces
            let report = try media.extract(extraction)
            return ReportJSON.input(report, .init("complete", .bool(report.isComplete)))
        }
    }

    /// The formats that recognized text is written in.
    static func textFormats(of track: InspectedInput.Track) -> [SubtitleFormat] {
        guard track.stream.kind == .bitmap, track.recognition != nil else { return [] }
        return [.subRip, .webVTT, .ass, .ttml]
    }

    /// Writes text with the corrections; the report has the members of an extraction's that the page shows.
    private func export(
        _ tracks: [InspectedInput.Track], of input: InspectedInput, _ request: ExportRequest
    ) throws(UndertextError) -> JSON {
        try input.inputFiles.record { () throws(UndertextError) in
            InputFiles.note(input.argument)
            try FileSystem.createDirectory(request.folder)
            var reports: [JSON] = []
            var isComplete = tracks.count == request.tracks.count
            var written: Set<String> = []
            for track in tracks {
                var reason: String?
                var outputs: [JSON] = []
                do throws(UndertextError) {
                    let file = try file(input, track, as: request.format, shift: request.shift)
                    var name = file.name
                    // Tracks of one language and one format have the same name.
                    if !written.insert(name).inserted { name = "\(track.stream.index).\(name)" }
                    let path = PathName.joining(request.folder, name)
                    guard request.replaces || !FileSystem.exists(path) else {
                        throw UndertextError(
                            .outputExists, "it already exists; check Replace to replace it",
                            path: path)
                    }
                    let output = try OutputFile(path: path)
                    try output.write(file.bytes[...])
                    try output.commit(replacing: request.replaces)
                    outputs.append(
                        .object([
                            .init("file", .string(path)),
                            .init("bytes", .integer(file.bytes.count)),
                        ]))
                    saved(input, track.stream.index)
                } catch {
                    reason = error.description
                    isComplete = false
                }
                reports.append(
                    .object([
                        .init("track", .integer(track.stream.index)),
                        .init("outputs", .array(outputs)), .init("reason", .optional(reason)),
                    ]))
            }
            return .object([
                .init("complete", .bool(isComplete)), .init("error", .null),
                .init("tracks", .array(reports)),
            ])
        }
    }
}
