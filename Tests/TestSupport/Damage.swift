internal import Glibc

/// A small generator with a seed (SplitMix64): the same numbers on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    }
}

/// The share of damaged copies that tests try: 1 for all, 10 for every tenth.
///
/// A run under a sanitizer is ten times slower and checks for other faults; it sets `UNDERTEXT_DAMAGE_SHARE`.
public let damageShare: Int = {
    guard let value = unsafe getenv("UNDERTEXT_DAMAGE_SHARE") else { return 1 }
    return max(1, unsafe Int(String(cString: value)) ?? 1)
}()

/// The factor by which tests that support it try more damaged copies; 1 for as few as fit into every run.
///
/// `UNDERTEXT_DAMAGE_FACTOR` sets it, for measurements.
public let damageFactor: Int = {
    guard let value = unsafe getenv("UNDERTEXT_DAMAGE_FACTOR") else { return 1 }
    return min(10_000, max(1, unsafe Int(String(cString: value)) ?? 1))
}()

/// Every prefix of `bytes`, from the empty one to all but the last byte.
///
/// - Parameters:
///   - bytes: well-formed input.
///   - step: the distance of the lengths, for large inputs.
/// - Returns: the prefixes, created lazily.
public func truncations(of bytes: [UInt8], step: Int = 1) -> some Sequence<[UInt8]> {
    stride(from: 0, to: bytes.count, by: step * damageShare).lazy.map { Array(bytes[..<$0]) }
}

/// Copies of `bytes` with a few bits flipped: one to eight, by a seeded generator.
///
/// - Parameters:
///   - bytes: well-formed input; an empty one has no copies.
///   - count: the number of copies.
///   - seed: the seed, which makes the copies repeatable.
/// - Returns: the copies, created lazily.
public func bitFlips(
    of bytes: [UInt8], count: Int, seed: UInt64 = 1
) -> some Sequence<[UInt8]> {
    stride(from: 0, to: bytes.isEmpty ? 0 : count, by: damageShare).lazy.map { index in
        var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 0x1_0001)
        var damaged = bytes
        for _ in 0...Int.random(in: 0..<8, using: &generator) {
            let position = Int.random(in: 0..<damaged.count, using: &generator)
            damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
        return damaged
    }
}
