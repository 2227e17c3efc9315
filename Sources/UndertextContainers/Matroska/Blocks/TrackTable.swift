/// Values by TrackNumber, without hashing for common numbers.
struct TrackTable<Value> {
    private(set) var values: [(track: UInt64, value: Value)] = []
    /// The places of the values of numbers below 64; -1 for none.
    private var small = [Int](repeating: -1, count: 64)
    private var large: [UInt64: Int] = [:]

    /// The value at a place.
    subscript(place: Int) -> Value {
        _read { yield values[place].value }
        _modify { yield &values[place].value }
    }

    /// The place of the value of a track; `nil` if it has none.
    func place(of track: UInt64) -> Int? {
        guard track < 64 else { return large[track] }
        let place = small[Int(track)]
        return place < 0 ? nil : place
    }

    /// The place of the value of a track, which gets `value` if it has none.
    mutating func place(of track: UInt64, inserting value: @autoclosure () -> Value) -> Int {
        if let place = place(of: track) { return place }
        if track < 64 { small[Int(track)] = values.count } else { large[track] = values.count }
        values.append((track, value()))
        return values.count - 1
    }
}

extension TrackTable {
    /// Creates a table of these values.
    init(_ values: [UInt64: Value]) {
        for (track, value) in values { _ = place(of: track, inserting: value) }
    }
}

extension TrackTable: Sendable where Value: Sendable {}
