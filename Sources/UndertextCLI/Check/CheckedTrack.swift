internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextFormats

/// A track that was read to be checked.
struct CheckedTrack {
    let stream: StreamDescription
    private(set) var header = SubtitleHeader()
    private(set) var cues: [CheckedCue] = []
    /// The packets that hold the cues, if each holds at most one; otherwise `nil`.
    private(set) var packets: [StoredCue]? = []
    /// The cues that the reader left out or repaired.
    private(set) var readerFindings: [TrackCheck.ReaderFinding] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// The number of comments in packets without a cue.
    private(set) var lostComments = 0

    /// A packet of a text file with the number of its cue.
    struct StoredCue {
        var packet: Packet
        var number: Int
    }

    /// A packet whose cue has not come yet.
    private struct PendingPacket {
        var packet: Packet
        var line: Int?
    }

    /// Reads a track to its end.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - keepsPackets: `true` if ``packets`` are needed.
    ///   - lines: Finds lines in the text of a text file; `nil` for other inputs.
    ///   - console: Stops the reading on a signal.
    ///   - bar: Shows the progress.
    /// - Throws: `UndertextError` if reading fails.
    init(
        _ track: SubtitleTrack, keepsPackets: Bool, lines: LineFinder?, console: Console,
        bar: ProgressBar
    ) throws(UndertextError) {
        stream = track.stream
        let isText = SubtitleFormat.hasTextPackets(track.stream)
        let hasFileLines = [CodecID.subRip, .webVTT].contains(track.codec)
        // Cues of the same start come in the order of their packets.
        var pending: [Timestamp: FirstInFirstOut<PendingPacket>] = [:]
        var found: [Diagnostic] = []
        var read: [CheckedCue] = []
        var stored: [StoredCue]? = keepsPackets && isText ? [] : nil
        let size = track.stream.size
        header = try track.decodePackets(
            cancellation: console.cancellation, progress: { bar.update($0) },
            diagnostics: { found.append($0) },
            body: { step in
                if isText, let packet = step.packet, let start = step.start {
                    var kept = packet
                    if !keepsPackets { kept.data = [] }
                    let line = packet.position.flatMap { lines?.line(at: $0) }
                    pending[start, default: .init()].append(PendingPacket(packet: kept, line: line))
                }
                for cue in step.cues {
                    let place = isText ? pending[cue.start]?.popFirst() : nil
                    if pending[cue.start]?.isEmpty == true { pending[cue.start] = nil }
                    let offset = place?.packet.position ?? (isText ? nil : step.packet?.position)
                    read.append(
                        CheckedCue(
                            cue, canvas: size, line: place?.line, hasFileLines: hasFileLines,
                            offset: offset))
                    guard stored != nil else { continue }
                    if let place {
                        stored?.append(StoredCue(packet: place.packet, number: cue.order + 1))
                    } else {
                        stored = nil
                    }
                }
            })
        cues = read
        packets = stored
        diagnostics = found
        readerFindings = found.compactMap(Self.finding)
        // Text of tags alone is no cue.
        let beforeZero = found.contains { $0.code == "before-zero" }
        for queue in pending.values where !beforeZero {
            var queue = queue
            while let empty = queue.popFirst() {
                lostComments += empty.packet.commentCount
                readerFindings.append(
                    .init(rule: .emptyCue, line: empty.line, message: "a cue has no text"))
            }
        }
    }

    /// The finding that a diagnostic of a reader is; `nil` for other diagnostics.
    static func finding(_ diagnostic: Diagnostic) -> TrackCheck.ReaderFinding? {
        let rule: CheckRule
        switch (diagnostic.code, diagnostic.severity) {
        case ("empty-cue", .info): rule = .emptyCue
        case ("empty-cue", .warning), ("empty-event", .warning), ("zero-duration", _),
            ("negative-duration", _), ("never-shown", _):
            rule = .duration
        case ("time-order", _): rule = .order
        default: return nil
        }
        // Readers of text files begin their messages with the place.
        let parts = diagnostic.message.split(separator: ": ", maxSplits: 1)
        let place = parts.first?.split(whereSeparator: { " ,".contains($0) }) ?? []
        guard parts.count == 2, place.count == 4, place[0] == "line", place[2] == "column",
            let line = Int(place[1])
        else { return .init(rule: rule, line: nil, message: diagnostic.message) }
        return .init(rule: rule, line: line, message: String(parts[1]))
    }
}

/// Finds the lines of a text by their offsets.
struct LineFinder {
    private let ends: [Int]

    /// Creates a finder of lines that end with a line feed, a carriage return, or both.
    init(_ text: [UInt8]) {
        var ends: [Int] = []
        for (index, byte) in text.enumerated() {
            let isEnd =
                byte == 0x0A
                || byte == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A)
            if isEnd { ends.append(index) }
        }
        self.ends = ends
    }

    /// The number of the line with a byte, from 1.
    func line(at offset: UInt64) -> Int {
        ends.partitioningIndex { UInt64($0) >= offset } + 1
    }
}
