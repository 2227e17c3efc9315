import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

/// Cues of one second at every even second, called `NAME 0`, `NAME 2` and so on.
func documentOfSeconds(_ name: String, count: Int = 100) -> SubtitleDocument {
    SubtitleDocument(
        header: SubtitleHeader(codec: .subRip),
        cues: (0..<count).map { index in
            Cue(
                order: index, start: .seconds(Int64(index) * 2),
                end: .seconds(Int64(index) * 2 + 1),
                content: .text(StyledText("\(name) \(index * 2)")))
        })
}

/// An info with cues at hand.
func documentInfo(
    _ id: String, language: String? = nil, disposition: Disposition = [], count: Int = 100
) -> SubtitleInfo {
    SubtitleInfo(
        id: id, name: id, language: language.flatMap { LanguageTag($0) },
        disposition: disposition, origin: .document(documentOfSeconds(id, count: count)))
}

/// A source that does what a test says.
final class TestSource: SearchableSubtitleDataSource {
    let name: String
    let listed: Result<[SubtitleInfo], UndertextError>
    let found: Result<[SubtitleInfo], UndertextError>
    let fetched: Result<SubtitleContent, UndertextError>
    /// The number of calls of each function.
    let calls = Counter()

    init(
        _ name: String, listed: Result<[SubtitleInfo], UndertextError> = .success([]),
        found: Result<[SubtitleInfo], UndertextError> = .success([]),
        fetched: Result<SubtitleContent, UndertextError> = .failure(
            UndertextError(.notFound, "nothing is there"))
    ) {
        self.name = name
        self.listed = listed
        self.found = found
        self.fetched = fetched
    }

    func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        calls.add("list")
        calls.add("charset \(options.charset ?? "none")")
        return try listed.get()
    }

    func search(
        _ query: SubtitleQuery, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        calls.add("search")
        calls.add("charset \(options.charset ?? "none")")
        return try found.get()
    }

    func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        calls.add("fetch")
        calls.add("charset \(options.charset ?? "none")")
        return try fetched.get()
    }
}

extension Duration {
    /// Longer than anything takes on a busy machine.
    static let patience = Duration.seconds(120)
}

extension SubtitleModel {
    /// The texts on screen at a time, once they are known.
    func texts(at time: Timestamp, second: Bool = false) -> [String] {
        _ = subtitle(currentTime: time)
        guard waitUntilReady(timeout: .patience) else { return ["not ready"] }
        return (second ? secondParts : parts).compactMap { $0.text?.plainText }
    }

    /// Waits, two minutes at most, until all of the first choice is loaded.
    func waitUntilComplete() -> Bool {
        for _ in 0..<24_000 {
            if loadedTrack?.isComplete == true { return waitUntilReady(timeout: .patience) }
            pause(milliseconds: 5)
        }
        return false
    }

    /// An info of the list by its id.
    func info(_ id: String) throws -> SubtitleInfo {
        try #require(subtitleInfos.first { $0.id == id })
    }
}
