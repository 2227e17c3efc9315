/// A line of values: the first one in is the first one out.
///
/// Public, not `package`: the compiler does not specialize generic code of another target that is `package`.
public struct FirstInFirstOut<Value> {
    // Inlinable, or each call would go through the metadata of `Value`.
    @usableFromInline var values: [Value?] = []
    @usableFromInline var start = 0

    /// Creates an empty line.
    @inlinable
    public init() {}

    /// `true` if nothing is in it.
    @inlinable public var isEmpty: Bool { start == values.count }
    /// The number of values in it.
    @inlinable public var count: Int { values.count - start }
    /// The one that comes out next.
    @inlinable public var first: Value? { isEmpty ? nil : values[start] }

    /// Puts a value at the end.
    @inlinable
    public mutating func append(_ value: Value) {
        // Removed elements are released as soon as they are the larger part.
        if start > 64, start > values.count / 2 {
            values.removeFirst(start)
            start = 0
        }
        values.append(value)
    }

    /// Removes and returns the first element, or `nil` if there is none.
    @inlinable
    @discardableResult
    public mutating func popFirst() -> Value? {
        guard !isEmpty else { return nil }
        defer { start += 1 }
        return values[start].take()
    }
}

extension FirstInFirstOut: Sendable where Value: Sendable {}
