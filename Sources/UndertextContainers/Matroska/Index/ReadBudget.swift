internal import UndertextCore

/// Chooses how much to request if the length of a block is unknown.
///
/// Blocks of a track have similar lengths. Guessing saves requests and wastes at most a tenth of the needed
/// bytes.
struct ReadBudget: Sendable {
    /// Bytes of header and index.
    private let before: UInt64
    private var needed: UInt64 = 0
    private var spent: UInt64 = 0
    /// The usual length of a track's blocks.
    private var usual = TrackTable<Int>()

    /// Guesses stay below: larger blocks are worth a second read.
    private static let longestGuess = 512
    /// The start of a block up to its time, with that of its group.
    private static let blockStart = 32

    /// Creates a budget after `askedBefore` bytes have been requested for header and index.
    init(askedBefore: UInt64) { before = askedBefore }

    /// Adds `count` requested bytes.
    mutating func spent(_ count: UInt64) { spent += count }

    /// Records that `count` bytes besides blocks were needed.
    mutating func needed(_ count: UInt64) { needed += count }

    /// Records the length of a block.
    mutating func read(_ length: UInt64, track: UInt64) {
        needed += length
        let length = Int(clamping: min(length, UInt64(Self.longestGuess)))
        let place = usual.place(of: track, inserting: length)
        usual[place] = (usual[place] * 3 + length) / 4
    }

    /// The number of bytes to request from the start of a block.
    func guess(_ target: IndexTarget) -> Int {
        guard !target.isWitness else { return Self.blockStart }
        let wasted = spent > needed ? spent - needed : 0
        guard wasted < (needed + before) / 10 else { return ElementPrefix.maximumLength }
        // A quarter more than usual: text of the same track varies about that much.
        let usual = usual.place(of: target.track).map { self.usual[$0] } ?? 48
        return min(max(usual + usual / 4 + 16, 32), Self.longestGuess)
    }
}
