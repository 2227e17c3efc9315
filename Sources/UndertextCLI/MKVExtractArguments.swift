internal import ArgumentParser
internal import UndertextCore

/// The arguments of mkvextract's mode `tracks`: `FILE tracks ID:OUTPUT …`, or in the order of its first versions
/// `tracks FILE ID:OUTPUT …`.
struct MKVExtractArguments: Hashable {
    /// A track and the file that it becomes.
    struct Track: Hashable {
        /// The position of the track in the file, from 0: mkvextract's and FFmpeg's number of it.
        var id: Int
        var output: String
    }

    /// The media file.
    var input: String
    /// The tracks, in the order of the arguments.
    var tracks: [Track] = []

    /// Modes of mkvextract that Undertext does not have, and what to do instead.
    private static let otherModes = [
        "attachments": "use 'undertext extract --attachments DIR'",
        "chapters": "use 'undertext probe --json'", "tags": "use 'undertext probe --json'",
        "cuesheet": "use mkvextract", "timestamps_v2": "use mkvextract",
        "timecodes_v2": "use mkvextract", "cues": "use mkvextract",
    ]

    init(_ words: [String]) throws(ValidationError) {
        var words = words
        if words.count > 1, words[0] == "tracks" { words.swapAt(0, 1) }
        for word in words.prefix(2) {
            guard let advice = Self.otherModes[word] else { continue }
            throw ValidationError(
                "--mkvextract has the mode 'tracks' only, not '\(word)'; \(advice)")
        }
        guard words.count > 2, words[1] == "tracks" else {
            throw ValidationError(
                "--mkvextract: specify FILE tracks ID:OUTPUT, for example movie.mkv tracks 2:movie.srt"
            )
        }
        input = words[0]
        for word in words[2...] {
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let digits = parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard digits, let id = Int(parts[0]) else {
                throw ValidationError(
                    "--mkvextract: '\(escapedForTerminal(word))' is not ID:OUTPUT, for example 2:movie.srt"
                )
            }
            guard parts.count == 2, !parts[1].isEmpty, parts[1] != "-" else {
                throw ValidationError(
                    "--mkvextract: '\(escapedForTerminal(word))' names no file; use for example \(id):movie.srt"
                )
            }
            tracks.append(Track(id: id, output: String(parts[1])))
        }
        guard Set(tracks.map(\.output)).count == tracks.count else {
            throw ValidationError("--mkvextract: each track needs a file of its own")
        }
    }
}
