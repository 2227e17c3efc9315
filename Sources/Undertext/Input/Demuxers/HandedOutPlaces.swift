/// The places in the file of packets that came out, by stream.
///
/// A wrong index may name blocks in another order than they lie in, so how far reading has come does not
/// say what has come out.
struct HandedOutPlaces {
    private var byStream: [Int: [UInt64]] = [:]
    private var count = 0
    private var latest: (stream: Int, position: UInt64)?
    /// `true` if there were more than are remembered.
    private(set) var isOverfull = false

    /// Places at most, of eight bytes each: four times what an index may name by default (`Limits.cues`).
    private static let limit = 4_000_000

    /// Remembers a packet; those of one block, which follow one another, lie in one place.
    mutating func insert(_ packet: Packet) {
        guard let position = packet.position,
            latest?.position != position || latest?.stream != packet.streamIndex
        else { return }
        latest = (packet.streamIndex, position)
        guard count < Self.limit else {
            isOverfull = true
            return
        }
        count += 1
        byStream[packet.streamIndex, default: []].append(position)
    }

    /// The same places, ready for ``contains(_:)``.
    consuming func sorted() -> HandedOutPlaces {
        for stream in byStream.keys { byStream[stream]?.sort() }
        return self
    }

    /// `true` if a packet of that place came out.
    func contains(_ packet: Packet) -> Bool {
        guard let position = packet.position, let places = byStream[packet.streamIndex] else {
            return false
        }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low] == position
    }
}
