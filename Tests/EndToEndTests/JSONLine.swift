import UndertextCore

/// The value of a member of a JSON record, at any depth: a string, or a number as written.
///
/// The first member of that name counts. A line of a document may end with a comma.
func jsonValue(_ key: String, in line: Substring) -> String? {
    let record = line.last == "," ? line.dropLast() : line
    return (try? JSON(parsing: record.utf8)).flatMap { firstValue(key, in: $0) }
}

private func firstValue(_ key: String, in record: JSON) -> String? {
    for member in record.members {
        if member.key == key {
            switch member.value {
            case .string(let text), .number(let text): return text
            case .bool(let value): return "\(value)"
            case .null: return "null"
            case .array, .object: continue
            }
        }
        if let value = firstValue(key, in: member.value) { return value }
    }
    return record.elements.lazy.compactMap { firstValue(key, in: $0) }.first
}

/// A time in seconds of a JSON record, in milliseconds.
func jsonMilliseconds(_ key: String, in line: Substring) -> Int {
    Int(((jsonValue(key, in: line).flatMap(Double.init) ?? -1) * 1000).rounded())
}
