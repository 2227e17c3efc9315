internal import SubtitleCodecs

/// Lets through the packets that are needed to show what is on screen in a part of the timeline.
///
/// What was on screen before the window begins may still be there: packets that last into it come
/// out, and of display sets that build on each other those from the last entry point on.
struct PacketWindow {
    private struct Track {
        var rule: EntryRule
        /// Packets from before the window that may be needed.
        var held: [Packet] = []
        var heldBytes = 0
        var isBehind = false

        mutating func hold(_ packet: Packet) {
            held.append(packet)
            heldBytes += packet.data.count
        }

        mutating func forget() {
            held = []
            heldBytes = 0
        }

        mutating func release() -> [Packet] {
            defer { forget() }
            // Nothing is left of a screen that was cleared.
            if let last = held.last, rule.role(of: last.data).shows == false { return [] }
            return held
        }
    }

    private let window: TimeWindow
    private let limit: Int
    private var tracks: [Int: Track]
    /// Whether nothing more is needed.
    private(set) var isDone = false

    /// Packets of one stream lie so far apart from those of the others at most.
    private static let interleaving = Duration.seconds(10)

    /// - Parameters:
    ///   - window: the part, on the clock of the packets.
    ///   - streams: those whose packets come.
    ///   - limit: bytes held back for one stream.
    init(_ window: TimeWindow, streams: [StreamDescription], limit: Int) {
        self.window = window
        self.limit = limit
        tracks = Dictionary(
            uniqueKeysWithValues: streams.map { ($0.index, Track(rule: EntryRule($0.codec))) })
    }

    /// Takes a packet; returns those that may come out now.
    mutating func add(_ packet: Packet) -> [Packet] {
        guard var track = tracks[packet.streamIndex], let start = packet.start else {
            return [packet]
        }
        defer { tracks[packet.streamIndex] = track }
        if let end = window.end, start >= end {
            let released = track.release()
            // The first one behind ends what is on screen.
            let closes = !track.isBehind && track.rule != .everyPacket
            track.isBehind = true
            isDone =
                start >= end.advanced(by: Self.interleaving)
                || tracks.allSatisfy { $0.key == packet.streamIndex || $0.value.isBehind }
            return closes ? released + [packet] : released
        }
        guard let first = window.start, start <= first else {
            return track.release() + [packet]
        }
        switch track.rule {
        case .everyPacket:
            if let end = packet.end, packet.duration != 0 {
                return end > first || start == first ? [packet] : []
            }
            // It lasts until the next one.
            track.forget()
            track.hold(packet)
        case .presentationGraphics, .dvb:
            if track.rule.role(of: packet.data).isEntry { track.forget() }
            track.hold(packet)
            if track.heldBytes > limit { return track.release() }
        }
        return []
    }

    /// What was held back at the end of the input.
    mutating func finish() -> [Packet] {
        tracks.keys.sorted().flatMap { tracks[$0]?.release() ?? [] }
    }
}
