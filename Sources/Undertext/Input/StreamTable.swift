internal import UndertextCore

/// Values by the index of their stream.
///
/// Consecutive packets mostly belong to the same stream, so the latest position is tried before a search.
struct StreamTable<Value> {
    private var entries: [(stream: Int, value: Value)] = []
    private var latest = 0

    /// Creates a table of values whose streams differ.
    init(_ values: [(stream: Int, value: Value)] = []) {
        entries = values.sorted { $0.stream < $1.stream }
    }

    /// The value at a position.
    subscript(position position: Int) -> Value {
        _read { yield entries[position].value }
        _modify { yield &entries[position].value }
    }

    /// Returns the position of the value of a stream, or `nil` if there is none.
    mutating func position(of stream: Int) -> Int? {
        if entries.indices.contains(latest), entries[latest].stream == stream { return latest }
        let place = entries.partitioningIndex { $0.stream >= stream }
        guard place < entries.count, entries[place].stream == stream else { return nil }
        latest = place
        return place
    }

    /// Returns the position of the value of a stream, which is inserted if there is none.
    mutating func position(of stream: Int, inserting value: @autoclosure () -> Value) -> Int {
        if let position = position(of: stream) { return position }
        latest = entries.partitioningIndex { $0.stream >= stream }
        entries.insert((stream, value()), at: latest)
        return latest
    }

    /// Changes each value.
    mutating func changeAll(_ change: (inout Value) -> Void) {
        for index in entries.indices { change(&entries[index].value) }
    }
}
