/// Decides how much to ask for at once, so that little is asked for in vain.
///
/// One read a block is the aim, but its length is not known before. A guess that is too long
/// wastes bytes, one that is too short costs a second read; guesses are made only while the
/// waste is below a tenth of what was needed.
struct ReadBudget: Sendable {
    private let askedBefore: UInt64
    private var needed: UInt64 = 0
    /// The usual length of a track's blocks.
    private var usual: [UInt64: Int] = [:]

    /// Guesses stay below: larger blocks are worth a second read.
    private static let longestGuess = 512
    /// Blocks that lie closer than this are read together.
    private static let smallGap: UInt64 = 512
    private static let longestRead = 8192

    /// Starts after `askedBefore` bytes were asked for header and index.
    init(askedBefore: UInt64) { self.askedBefore = askedBefore }

    /// Notes that `count` bytes besides blocks were needed.
    mutating func needed(_ count: UInt64) { needed += count }

    /// Notes the length of a block.
    mutating func read(_ length: UInt64, track: UInt64) {
        needed += length
        let length = Int(clamping: min(length, UInt64(Self.longestGuess)))
        usual[track] = ((usual[track] ?? length) * 3 + length) / 4
    }

    /// How many bytes to ask for from the start of `targets[place]`.
    func ahead(for targets: [IndexTarget], at place: Int, asked: UInt64) -> Int {
        let spent = asked - askedBefore
        let wasted = spent > needed ? spent - needed : 0
        guard wasted < (needed + askedBefore) / 10 else { return ElementPrefix.maximumLength }
        let target = targets[place]
        var reach = guess(target)
        var follower = place + 1
        while follower < targets.count, targets[follower].cluster == target.cluster {
            let distance = targets[follower].relative - target.relative
            guard distance <= UInt64(reach) + Self.smallGap, distance < Self.longestRead else {
                break
            }
            reach = max(reach, Int(distance) + guess(targets[follower]))
            follower += 1
        }
        return reach
    }

    private func guess(_ target: IndexTarget) -> Int {
        // A quarter more than usual: text of the same track varies about that much.
        let usual = usual[target.track] ?? 48
        return min(max(usual + usual / 4 + 16, 32), Self.longestGuess)
    }
}
