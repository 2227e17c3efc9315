internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

// The recognition of the text of bitmap tracks, its correction and its export.
extension Inspector {
    /// The maximum number of characters of a cue.
    static let textLimit = 4000

    /// Starts or stops the recognition of a track's text.
    func recognize(_ input: InspectedInput, _ request: JSON) throws(UndertextError) {
        guard let stream = request["track"]?.wholeNumber else {
            throw UndertextError(.invalidRequest, "no track is selected")
        }
        if request["stop"]?.flag == true { return input.cancelRecognition(ofTrack: stream) }
        try input.startRecognition(
            ofTrack: stream, languages: request["languages"]?.text ?? "")
    }

    /// Takes the text that a person has entered or accepted for a cue.
    func correct(_ input: InspectedInput, _ request: JSON) throws(UndertextError) -> JSON {
        guard let stream = request["track"]?.wholeNumber, let order = request["cue"]?.wholeNumber,
            let text = request["text"]?.text, text.count <= Self.textLimit
        else {
            throw UndertextError(
                .invalidRequest,
                "a correction needs a track, a cue, and at most \(Self.textLimit) characters"
            )
        }
        // Lines end in line feeds; empty ones at the end and control characters have no place in a cue.
        let lines = text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        }
        var corrected = lines.joined(separator: "\n")
        while corrected.last?.isWhitespace == true { corrected.removeLast() }
        var isTaken = false
        input.change(stream) { track in
            isTaken = track.recognition != nil && track.table.correct(order: order, to: corrected)
            if isTaken { track.recognition?.unsaved += 1 }
        }
        guard isTaken else {
            throw UndertextError(
                .notFound, "there is no recognized cue \(order)", path: input.argument,
                streamIndex: stream)
        }
        return .object([.init("text", .string(corrected))])
    }

    /// Notes that the corrections of a track were exported.
    func saved(_ input: InspectedInput, _ stream: Int) {
        input.change(stream) { $0.recognition?.unsaved = 0 }
    }

    /// The next cue to review, and the number of those that remain.
    func review(
        _ track: InspectedInput.Track, after order: Int?, isBackwards: Bool
    ) -> JSON {
        let found = track.table.unreviewed(after: order, isBackwards: isBackwards)
        return .object([
            .init("cue", found.index.map { record($0, of: track) } ?? .null),
            .init("left", .integer(found.count)),
        ])
    }

    /// The state of a recognition as JSON for the page.
    static func recognition(
        _ recognition: InspectedInput.Recognition, of track: InspectedInput.Track
    ) -> JSON {
        var (recognized, doubtful, unreviewed, corrected) = (0, 0, 0, 0)
        for entry in track.table.entries where entry.confidence != nil {
            recognized += 1
            if entry.isDoubtful { doubtful += 1 }
            if entry.isDoubtful, !entry.isReviewed { unreviewed += 1 }
            if entry.isCorrected { corrected += 1 }
        }
        return .object([
            .init("phase", .string(recognition.phase.rawValue)),
            .init("languages", .string(recognition.languages)),
            .init("failure", .optional(recognition.failure)),
            .init("done", .integer(recognition.done)),
            .init("recognized", .integer(recognized)),
            .init("doubtful", .integer(doubtful)),
            .init("unreviewed", .integer(unreviewed)),
            .init("corrected", .integer(corrected)),
            .init("unsaved", .integer(recognition.unsaved)),
        ])
    }

    // MARK: Export

    /// The formats that recognized text is written in.
    static func textFormats(of track: InspectedInput.Track) -> [SubtitleFormat] {
        guard track.stream.kind == .bitmap, track.recognition != nil else { return [] }
        return [.subRip, .webVTT, .ass, .ttml]
    }

    /// Writes recognized text; the report has the members of an extraction's that the page shows.
    func export(
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
