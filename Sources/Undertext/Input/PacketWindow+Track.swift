internal import UndertextFormats

extension PacketWindow {
    /// What becomes of a display set.
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
        /// Which of them is the last one that may stand for an entry.
        var standIn: Int?
        /// What becomes of the packets of the set that is being read.
        var fate = Fate.hold
        var hasBegun = false
        /// The start of the first packet or set behind the window.
        var behind: Timestamp?
        /// Whether what was let through last is ended by the next packet or set only.
        var isOpen = false
        /// When what was let through last says itself that it ends.
        var lastEnd: Timestamp?
        /// `true` if nothing more of it is needed.
        var isDone = false

        /// `true` if what it shows may go on in a packet that comes.
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

        /// Gives back what is more than is allowed to be held.
        mutating func makeRoom(limit: Int) -> [Packet] {
            guard heldBytes > limit else { return [] }
            guard let first = standIn, first > 0 else { return release() }
            heldBytes -= held[..<first].reduce(0) { $0 + $1.data.count }
            held.removeFirst(first)
            standIn = 0
            return heldBytes > limit ? release() : []
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
}
