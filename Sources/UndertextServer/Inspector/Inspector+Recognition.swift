internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

// The recognition of the text of bitmap tracks.
extension Inspector {
    /// Starts or stops the recognition of a track's text.
    func recognize(_ input: InspectedInput, _ request: JSON) throws(UndertextError) {
        guard let stream = request["track"]?.wholeNumber else {
            throw UndertextError(.invalidRequest, "no track is selected")
        }
        if request["stop"]?.flag == true { return input.cancelRecognition(ofTrack: stream) }
        try input.startRecognition(
            ofTrack: stream, languages: request["languages"]?.text ?? "")
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
        var (recognized, doubtful, unreviewed) = (0, 0, 0)
        for entry in track.table.entries where entry.confidence != nil {
            recognized += 1
            if entry.isDoubtful { doubtful += 1 }
            if entry.isDoubtful, !entry.isReviewed { unreviewed += 1 }
        }
        return .object([
            .init("phase", .string(recognition.phase.rawValue)),
            .init("languages", .string(recognition.languages)),
            .init("failure", .optional(recognition.failure)),
            .init("done", .integer(recognition.done)),
            .init("recognized", .integer(recognized)),
            .init("doubtful", .integer(doubtful)),
            .init("unreviewed", .integer(unreviewed)),
        ])
    }
}
