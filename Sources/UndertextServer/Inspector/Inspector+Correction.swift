internal import UndertextCore

// The corrections of the user: of text and times of text tracks, and of recognized text.
extension Inspector {
    /// Takes what the user has changed, or accepted, of a cue.
    ///
    /// - Returns: The cue as it is now.
    func correct(_ input: InspectedInput, _ request: JSON) throws(UndertextError) -> JSON {
        let stream = try Self.track(request)
        let correction = try CueCorrection(request)
        return try change(input, stream) { track throws(UndertextError) in
            try track.correct(correction)
            return .object([.init("cue", record(order: correction.order, of: track))])
        }
    }

    /// Takes back the last change of a track.
    ///
    /// - Returns: The cue as it is now; `null` if there is nothing to take back.
    func undo(_ input: InspectedInput, _ request: JSON) throws(UndertextError) -> JSON {
        try change(input, Self.track(request)) { track throws(UndertextError) in
            let order = track.table.undo()
            // What was exported has the change that was taken back.
            if order != nil { track.unsaved += 1 }
            if !track.isCorrected, !track.isExported { track.unsaved = 0 }
            return .object([
                .init("cue", order.map { record(order: $0, of: track) } ?? .null)
            ])
        }
    }

    /// Notes that the corrections of a track were exported.
    func saved(_ input: InspectedInput, _ stream: Int) {
        input.change(stream) { track in
            track.unsaved = 0
            track.isExported = true
        }
    }

    private static func track(_ request: JSON) throws(UndertextError) -> Int {
        guard let stream = request["track"]?.wholeNumber else {
            throw UndertextError(.invalidRequest, "no track is selected")
        }
        return stream
    }

    private func record(order: Int, of track: InspectedInput.Track) -> JSON {
        let index = track.table.entries.firstIndex { $0.order == order }
        return index.map { record($0, of: track) } ?? .null
    }

    private func change(
        _ input: InspectedInput, _ stream: Int,
        _ body: (inout InspectedInput.Track) throws(UndertextError) -> JSON
    ) throws(UndertextError) -> JSON {
        var answer: Result<JSON, UndertextError> = .failure(
            UndertextError(
                .notFound, "there is no such track", path: input.argument, streamIndex: stream))
        input.change(stream) { track in
            do throws(UndertextError) {
                answer = .success(try body(&track))
            } catch {
                answer = .failure(error)
            }
        }
        return try answer.get()
    }
}

extension InspectedInput.Track {
    /// Takes what the user has changed of a cue.
    ///
    /// - Throws: `UndertextError`: there is no such cue, it cannot be changed, or it would end before it begins.
    fileprivate mutating func correct(_ correction: CueCorrection) throws(UndertextError) {
        let order = correction.order
        guard let entry = table.entry(order: order)?.entry else {
            throw UndertextError(.notFound, "there is no cue \(order)")
        }
        if stream.kind == .bitmap {
            guard correction.start == nil, correction.end == nil else {
                throw UndertextError(
                    .invalidRequest,
                    "the cues of a bitmap track keep their times; shift the whole track")
            }
            guard entry.confidence != nil else {
                throw UndertextError(.notFound, "there is no recognized cue \(order)")
            }
        } else if correction.text != nil, !table.isTextEditable(entry) {
            throw UndertextError(
                .invalidRequest,
                entry.textCount == 0
                    ? "the cue has no text to correct"
                    : "the text of the cue has more than \(CueCorrection.textLimit) characters, which cannot be corrected here"
            )
        }
        let (start, end) = (correction.start ?? entry.start, correction.end ?? entry.end)
        let isTimed = correction.start != nil || correction.end != nil
        guard !isTimed || end >= start.advanced(by: .milliseconds(1)) else {
            throw UndertextError(.invalidRequest, "the cue would end before it begins")
        }
        let revision = table.revision
        guard table.correct(correction) else {
            throw UndertextError(.limit, "the texts of the track take too much memory")
        }
        if table.revision != revision { unsaved += 1 }
    }
}

extension CueList {
    /// Returns `true` if the whole text of a cue is shown, and it had text when it was read.
    func isTextEditable(_ entry: Entry) -> Bool {
        guard entry.imageCount == 0 else { return false }
        if entry.textCount == 0 { return originals[entry.order]?.text.isEmpty == false }
        return entry.textCount <= CueCorrection.textLimit
            || text(of: entry).count <= CueCorrection.textLimit
    }
}
