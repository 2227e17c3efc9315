internal import UndertextFormats

extension PacketWindow {
    /// A document: what it shows may have begun in earlier ones, and go on in later ones.
    ///
    /// So a window gives the cues that reading everything gives. Nothing goes on across a document that
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
