internal import SubtitleCodecs

/// Lets through the packets that are needed to show what is on screen in a part of the timeline.
///
/// What was on screen before the window begins may still be there: packets that last into it come
/// out, and of display sets that build on each other those from the last entry point on.
struct PacketWindow {
    /// What becomes of a display set.
    private enum Fate {
        case hold
        case pass
        case drop
    }

    private struct Track {
        var rule: EntryRule
        /// Packets from before the window that may be needed.
        var held: [Packet] = []
        var heldBytes = 0
        /// What becomes of the packets of the set that is being read.
        var fate = Fate.hold
        var hasBegun = false
        /// The start of the first packet or set behind the window.
        var behind: Timestamp?
        /// Whether what was let through last is ended by the next packet or set only.
        var isOpen = false
        /// Whether nothing more of it is needed.
        var isDone = false

        mutating func hold(_ packet: Packet) {
            held.append(packet)
            heldBytes += packet.data.count
        }

        mutating func forget() {
            held = []
            heldBytes = 0
        }

        /// Gives what was held; `needed` where the next packet may build on it.
        mutating func release(needed: Bool = false) -> [Packet] {
            defer { forget() }
            hasBegun = true
            if needed { return held }
            // Nothing is left of a screen that was cleared.
            for packet in held.reversed() {
                guard let shows = rule.role(of: packet.data).shows else { continue }
                return shows ? held : []
            }
            return held
        }
    }

    private let window: TimeWindow
    private let limit: Int
    private var tracks: [Int: Track]
    /// Whether nothing more is needed.
    private(set) var isDone = false

    /// Packets of one stream lie so far apart from those of the others at most; a set that does
    /// not change the screen may be followed for that long by the one that does.
    private static let patience = Duration.seconds(10)

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - window: the part, on the clock of the packets.
    ///   - streams: those whose packets come.
    ///   - limit: bytes held back for one stream.
    init(_ window: TimeWindow, streams: [StreamDescription], limit: Int) {
        self.window = window
        self.limit = limit
        tracks = Dictionary(
            uniqueKeysWithValues: streams.map { ($0.index, Track(rule: EntryRule($0))) })
    }

    /// Takes a packet; returns those that may come out now.
    mutating func add(_ packet: Packet) -> [Packet] {
        guard var track = tracks[packet.streamIndex],
            case (let start?, let end) = track.rule.times(of: packet)
        else { return [packet] }
        let result =
            track.rule.isEveryPacketWhole
            ? single(packet, start, end, &track) : member(packet, start, &track)
        tracks[packet.streamIndex] = track
        if let end = window.end {
            isDone =
                start >= end.advanced(by: Self.patience + Self.patience)
                || tracks.values.allSatisfy(\.isDone)
        }
        return result
    }

    /// What was held back at the end of the input.
    mutating func finish() -> [Packet] {
        tracks.keys.sorted().flatMap { tracks[$0]?.release() ?? [] }
    }

    /// A packet that stands alone.
    private func single(
        _ packet: Packet, _ start: Timestamp, _ packetEnd: Timestamp?, _ track: inout Track
    ) -> [Packet] {
        if let end = window.end, start >= end {
            let released = track.release()
            let isFirst = track.behind == nil
            track.behind = track.behind ?? start
            // Text may come out of order.
            track.isDone = track.isDone || start >= end.advanced(by: Self.patience)
            return track.isOpen && isFirst ? released + [packet] : released
        }
        let isOpen = packetEnd == nil || packetEnd == start
        defer { track.isOpen = isOpen }
        guard let first = window.start, start <= first else { return track.release() + [packet] }
        // What was held lasts until this one at most.
        track.forget()
        guard let end = packetEnd, !isOpen else {
            // It lasts until the next one.
            track.hold(packet)
            return []
        }
        return end > first || start == first ? [packet] : []
    }

    /// A packet of a display set, which begins with the one that says what is shown.
    private func member(
        _ packet: Packet, _ start: Timestamp, _ track: inout Track
    ) -> [Packet] {
        let role = track.rule.role(of: packet.data)
        var released: [Packet] = []
        if let shows = role.shows {
            if let end = window.end, start >= end {
                released = track.release()
                let first = track.behind ?? start
                // Once cleared, nothing that was shown before goes on.
                track.isDone =
                    track.isDone
                    || track.behind != nil
                        && (!track.isOpen || start > first.advanced(by: Self.patience))
                track.behind = first
                track.isOpen = shows
                track.fate = track.isDone ? .drop : .pass
            } else if let first = window.start, start <= first, !track.hasBegun {
                if role.isEntry { track.forget() }
                track.fate = .hold
            } else {
                released = track.release(needed: !role.isEntry)
                track.fate = .pass
            }
        }
        switch track.fate {
        case .pass: return released + [packet]
        case .drop: return released
        case .hold:
            track.hold(packet)
            return track.heldBytes > limit ? track.release() : released
        }
    }
}
