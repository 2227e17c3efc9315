internal import UndertextCore

/// The pieces of several streams that are not fetched yet, by their beginning.
final class PieceQueue {
    private var lists: [Int: PieceList] = [:]
    /// The start of the latest piece that was ever in the queue.
    private(set) var latestStart: Timestamp?

    /// The unavailable pieces and those requested after them, by stream.
    private var held: [Int: [TextPiece]] = [:]
    /// The index of the location that last served the pieces of a stream.
    private var places: [Int: Int] = [:]

    func append(_ pieces: [TextPiece]) {
        for (stream, own) in Dictionary(grouping: pieces, by: \.stream) {
            lists[stream, default: PieceList([])].append(own)
            latestStart = own.map(\.start).reduce(latestStart) { max($0 ?? $1, $1) }
        }
    }

    func popFirst() -> TextPiece? {
        var best: (stream: Int, start: Timestamp)?
        for (stream, list) in lists where held[stream] == nil {
            guard let first = list.first else { continue }
            if best == nil
                || (first.start, stream) < (best?.start ?? first.start, best?.stream ?? stream)
            {
                best = (stream, first.start)
            }
        }
        return best.flatMap { lists[$0.stream]?.popFirst() }
    }

    /// Forgets the pieces of a stream; how many there were.
    func removeAll(ofStream stream: Int) -> Int {
        let waiting = held.removeValue(forKey: stream)?.count ?? 0
        return waiting + (lists.removeValue(forKey: stream)?.count ?? 0)
    }

    /// Forgets all pieces; how many there were.
    func removeAll() -> Int {
        Set(lists.keys).union(held.keys).reduce(0) { $0 + removeAll(ofStream: $1) }
    }

    // MARK: Pieces that are not there yet

    /// `true` if a stream waits for a piece.
    func isHeld(_ stream: Int) -> Bool { held[stream] != nil }

    /// `true` if any stream does.
    var holdsAny: Bool { !held.isEmpty }

    /// Keeps a piece of a stream, and all after it, until ``release()``: pieces have to come in order.
    func hold(_ piece: TextPiece) { held[piece.stream, default: []].append(piece) }

    /// Requests the held pieces again.
    func release() {
        for (stream, pieces) in held { lists[stream, default: PieceList([])].prepend(pieces) }
        held = [:]
    }

    // MARK: Places

    /// The location of a stream that is tried first.
    func place(ofStream stream: Int) -> Int { places[stream] ?? 0 }

    /// Records the location that served a piece.
    func prefer(_ place: Int, ofStream stream: Int) { places[stream] = place }
}

/// The pieces of a stream that are not fetched yet.
struct PieceList {
    private var pieces: ArraySlice<TextPiece>

    init(_ pieces: [TextPiece]) { self.pieces = pieces[...] }

    /// The next one.
    var first: TextPiece? { pieces.first }

    mutating func popFirst() -> TextPiece? { pieces.popFirst() }

    /// The number of pieces.
    var count: Int { pieces.count }

    /// Puts back what was taken out.
    mutating func prepend(_ earlier: [TextPiece]) { pieces = ArraySlice(earlier + Array(pieces)) }

    /// Adds new pieces.
    mutating func append(_ more: [TextPiece]) { pieces = ArraySlice(Array(pieces) + more) }
}
