import Undertext

/// Parses a subtitle file into a document, and prints the number of its cues: PlayerBenchmark FILE.
enum DocumentCase {
    static func run(_ path: String) throws {
        guard let track = try Media(path).subtitleTracks.first else { return print(0) }
        print(try track.textDocument().cues.count)
    }
}
