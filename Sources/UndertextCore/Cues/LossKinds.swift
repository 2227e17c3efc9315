/// Some of the kinds of loss: a word of bits, since writers make one for each cue.
package struct LossKinds: Hashable, Sendable, SetAlgebra, Sequence {
    private var bits: UInt32 = 0

    /// None.
    package init() {}

    private init(bits: UInt32) { self.bits = bits }

    private static func bit(_ kind: ConversionLosses.Kind) -> UInt32 { 1 << place(of: kind) }

    /// Hashing a kind would hash its name.
    private static func place(of kind: ConversionLosses.Kind) -> UInt32 {
        switch kind {
        case .position: 0
        case .alignment: 1
        case .color: 2
        case .background: 3
        case .font: 4
        case .size: 5
        case .style: 6
        case .karaoke: 7
        case .drawing: 8
        case .animation: 9
        case .rotation: 10
        case .clip: 11
        case .ruby: 12
        case .region: 13
        case .voice: 14
        case .metadata: 15
        case .image: 16
        case .timing: 17
        case .text: 18
        }
    }

    /// `true` if nothing is lost.
    package var isEmpty: Bool { bits == 0 }

    /// `true` if `kind` is among them.
    package func contains(_ kind: ConversionLosses.Kind) -> Bool { bits & Self.bit(kind) != 0 }

    /// Adds a kind.
    @discardableResult
    package mutating func insert(
        _ kind: ConversionLosses.Kind
    ) -> (inserted: Bool, memberAfterInsert: ConversionLosses.Kind) {
        let isNew = !contains(kind)
        bits |= Self.bit(kind)
        return (isNew, kind)
    }

    /// Removes a kind, or returns `nil` if it is not in the set.
    @discardableResult
    package mutating func remove(_ kind: ConversionLosses.Kind) -> ConversionLosses.Kind? {
        guard contains(kind) else { return nil }
        bits &= ~Self.bit(kind)
        return kind
    }

    /// Adds a kind; returns the existing member if there is one.
    @discardableResult
    package mutating func update(with kind: ConversionLosses.Kind) -> ConversionLosses.Kind? {
        insert(kind).inserted ? nil : kind
    }

    /// Adds those of `other`.
    package mutating func formUnion(_ other: LossKinds) { bits |= other.bits }

    /// Keeps those that `other` has, too.
    package mutating func formIntersection(_ other: LossKinds) { bits &= other.bits }

    /// Keeps those that only one of both has.
    package mutating func formSymmetricDifference(_ other: LossKinds) { bits ^= other.bits }

    /// Returns the kinds of both sets.
    package func union(_ other: LossKinds) -> LossKinds { LossKinds(bits: bits | other.bits) }

    /// Returns the kinds that are in both sets.
    package func intersection(_ other: LossKinds) -> LossKinds {
        LossKinds(bits: bits & other.bits)
    }

    /// Returns the kinds that are in only one of the sets.
    package func symmetricDifference(_ other: LossKinds) -> LossKinds {
        LossKinds(bits: bits ^ other.bits)
    }

    /// The kinds in the order of their declaration.
    package func makeIterator() -> AnyIterator<ConversionLosses.Kind> {
        var rest = ConversionLosses.Kind.allCases.filter(contains)[...]
        return AnyIterator { rest.popFirst() }
    }
}
