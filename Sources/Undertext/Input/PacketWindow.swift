internal import UndertextCore
internal import UndertextFormats

/// Selects the packets that are needed to show the subtitles within a part of the timeline.
///
/// Packets that last into the window are included,
/// and for display sets that build on each other, all those since the latest random access point. Of captions, all packets
/// before the end of the window come.
struct PacketWindow {
    let window: TimeWindow
    let limit: Int
    private var tracks: [Int: Track]
    /// `true` if nothing more is needed.
    private(set) var isDone = false

    /// The maximum distance between packets of different streams, and the time after a set without changes in
    /// which a set with changes may follow.
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
            uniqueKeysWithValues: streams.map {
                ($0.index, Track(rule: SubtitleFormat.randomAccess(of: $0)))
            })
    }

    /// Adds a packet; returns those that are due.
    mutating func add(_ packet: Packet) -> [Packet] {
        // Removed, so that the packets held back are not copied for each further one.
        guard var track = tracks.removeValue(forKey: packet.streamIndex) else { return [packet] }
        let times = track.rule.times(of: packet)
        guard let start = times.start else {
            defer { tracks[packet.streamIndex] = track }
            return withoutChange(packet, &track)
        }
        let result =
            track.rule.buildsOnAllBefore
            ? [packet]
            : track.rule.mayContinue
                ? document(packet, times.end, start, &track)
                : track.rule.isEveryPacketWhole
                    ? single(packet, times, start, &track) : member(packet, start, &track)
        tracks[packet.streamIndex] = track
        if let end = window.end {
            // A packet may say itself that it begins later; the next one may come earlier.
            let now = min(start, packet.start ?? start)
            let patience = Self.patience + Self.patience
            isDone =
                now >= end.advanced(by: patience)
                && !tracks.values.contains { $0.mayGoOn(after: now.advanced(by: .zero - patience)) }
                || tracks.values.allSatisfy(\.isDone)
        }
        return result
    }

    /// Returns the packets held back at the end of the input.
    mutating func finish() -> [Packet] {
        tracks.keys.sorted().flatMap { tracks[$0]?.release() ?? [] }
    }

    /// A packet that does not change the screen: damage, or a part of one.
    ///
    /// It keeps its position among the others.
    private func withoutChange(_ packet: Packet, _ track: inout Track) -> [Packet] {
        guard track.rule.mayLeaveScreen else { return [packet] }
        var isEarly = false
        if let first = window.start, let start = packet.start { isEarly = start <= first }
        guard isEarly && !track.hasBegun || !track.held.isEmpty else {
            return track.isDone ? [] : [packet]
        }
        track.hold(packet)
        return track.makeRoom(limit: limit)
    }

    /// A packet that is complete in itself.
    private func single(
        _ packet: Packet, _ times: PacketTimes, _ start: Timestamp, _ track: inout Track
    ) -> [Packet] {
        if let end = window.end, start >= end {
            let released = track.release()
            let isFirst = track.behind == nil
            track.behind = track.behind ?? start
            // Text may be out of order.
            let stamp = min(start, packet.start ?? start)
            track.isDone = track.isDone || stamp >= end.advanced(by: Self.patience)
            // It may end or continue the content on screen.
            let isNext = track.isOpen || track.lastEnd == start
            return isNext && isFirst ? released + [packet] : released
        }
        let isOpen = times.end.map { $0 <= start } ?? true
        defer {
            track.isOpen = isOpen || !times.isFinal
            track.lastEnd = track.rule.isReplacedByNext ? times.end : nil
        }
        guard let first = window.start, start <= first else { return track.release() + [packet] }
        // The packets held back end here at the latest.
        track.forget()
        guard let end = times.end, !isOpen else {
            // It lasts until the next one.
            track.hold(packet)
            return []
        }
        return end > first || start == first ? [packet] : []
    }

    /// A packet of a display set, which begins with the packet that describes the screen.
    private func member(
        _ packet: Packet, _ start: Timestamp, _ track: inout Track
    ) -> [Packet] {
        let role = track.rule.role(of: packet.data)
        var released: [Packet] = []
        if let shows = role.shows {
            if let end = window.end, start >= end {
                released = track.release()
                let first = track.behind ?? start
                // After a clear, nothing on screen continues.
                track.isDone =
                    track.isDone
                    || track.behind != nil
                        && (!track.isOpen || start > first.advanced(by: Self.patience))
                track.behind = first
                track.isOpen = shows
                track.fate = track.isDone ? .drop : .pass
            } else if let first = window.start, start <= first, !track.hasBegun {
                if role.isRandomAccessPoint { track.forget() }
                if role.isAcquisitionPoint { track.standIn = track.held.count }
                track.fate = .hold
            } else {
                released = track.release(needed: !role.isRandomAccessPoint)
                track.fate = .pass
            }
        }
        switch track.fate {
        case .pass: return released + [packet]
        case .drop: return released
        case .hold:
            track.hold(packet)
            return track.heldBytes > limit ? track.makeRoom(limit: limit) : released
        }
    }
}

extension PacketWindow {
    /// The treatment of a display set.
    enum Fate {
        case hold
        case pass
        case drop
    }

    struct Track {
        var rule: any RandomAccessRule
        /// Packets from before the window that may be needed.
        var held: [Packet] = []
        var heldBytes = 0
        /// The index of the last acquisition point.
        var standIn: Int?
        /// The treatment of the packets of the current set.
        var fate = Fate.hold
        var hasBegun = false
        /// The start of the first packet or set after the window.
        var behind: Timestamp?
        /// `true` if only the next packet or set ends the last one that was passed on.
        var isOpen = false
        /// The end that the last returned packet states itself.
        var lastEnd: Timestamp?
        /// `true` if nothing more of it is needed.
        var isDone = false

        /// `true` if its content may continue in a later packet.
        func mayGoOn(after time: Timestamp) -> Bool {
            rule.mayContinue && !isDone && lastEnd.map { $0 >= time } ?? false
        }

        mutating func hold(_ packet: Packet) {
            held.append(packet)
            heldBytes += packet.data.count
        }

        mutating func forget() {
            held = []
            heldBytes = 0
            standIn = nil
        }

        /// Returns held packets above the limit.
        mutating func makeRoom(limit: Int) -> [Packet] {
            guard heldBytes > limit else { return [] }
            guard let first = standIn, first > 0 else { return release() }
            heldBytes -= held[..<first].reduce(0) { $0 + $1.data.count }
            held.removeFirst(first)
            standIn = 0
            return heldBytes > limit ? release() : []
        }

        /// Returns the held packets; `needed` if the next packet may depend on them.
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
}

extension PacketWindow {
    /// Processes a document: its content may begin in earlier documents and continue in later ones.
    ///
    /// A window therefore returns the same cues as reading everything. Nothing continues across an empty
    /// document or a time without one.
    /// shows nothing, or a time without one.
    func document(
        _ packet: Packet, _ end: Timestamp?, _ start: Timestamp, _ track: inout Track
    ) -> [Packet] {
        let goesOn = track.lastEnd == start
        let earlier = track.lastEnd
        let shows = track.rule.role(of: packet.data).shows ?? true
        track.lastEnd = shows ? end : nil
        if let last = window.end, start >= last {
            let isNext = track.isOpen && track.behind == nil
            track.behind = track.behind ?? start
            let isNeeded = !track.isDone && (goesOn && shows || isNext)
            track.isOpen = false
            track.isDone = !isNeeded
            return isNeeded ? track.release() + [packet] : track.release()
        }
        // One without a length lasts until the next one.
        track.isOpen = end.map { $0 <= start } ?? true
        guard let first = window.start, start <= first else {
            let reaches = earlier.map { $0 > (window.start ?? $0) } ?? true
            if !goesOn, !reaches { track.forget() }
            return track.release() + [packet]
        }
        if !goesOn { track.forget() }
        guard shows else {
            track.forget()
            return []
        }
        track.hold(packet)
        return track.makeRoom(limit: limit)
    }
}
