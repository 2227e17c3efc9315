import Undertext
import UndertextPlayback

/// Measures seeks of a player: from the call with the new time until the cue of that time is known.
///
/// The track of images is not read ahead as far as a seek goes, so each one opens a reader at another place.
enum SeekCase {
    private static let rounds = 8
    /// Seek targets in seconds, farther apart than the two minutes that are read ahead.
    private static let places = [148, 300, 452]

    static func run(_ input: String) async throws {
        Media.silenceFFmpeg()
        var times = Timings()
        var missing = 0.0
        for round in 0..<rounds {
            let model = SubtitleModel()
            try await model.addSubtitles(of: EmbeddedSubtitles(of: file(input)))
            guard let info = model.subtitleInfos.first(where: \.isBitmap) else {
                throw Failure.noImages
            }
            try await model.select(info)
            for place in places {
                // A cue is on screen in the first half of each period of four seconds.
                let start = Timestamp.seconds(Double(place + round * 4) + 1.2)
                times.measure {
                    if !shows(model, start) { missing += 1 }
                }
            }
        }
        times.tell("seek", missing)
    }

    private static func file(_ input: String) -> MediaInput {
        input.hasPrefix("http") ? .url(input) : .file(input)
    }

    private enum Failure: Error { case noImages }

    /// Waits for the cue of a time, or the next one.
    private static func shows(_ model: SubtitleModel, _ start: Timestamp) -> Bool {
        let end = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < end {
            _ = model.subtitle(currentTime: start)
            if !model.parts.isEmpty { return true }
        }
        return false
    }
}
