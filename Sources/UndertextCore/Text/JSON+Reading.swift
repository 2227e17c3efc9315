extension JSON {
    /// Accesses the last member with a name, or `nil` if there is none or the value is not an object.
    public subscript(_ key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The members of an object; empty for other values.
    public var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The values of an array; empty for other values.
    public var elements: [JSON] {
        guard case .array(let values) = self else { return [] }
        return values
    }

    /// The string, or `nil` if it is empty or not a string.
    public var text: String? {
        guard case .string(let text) = self, !text.isEmpty else { return nil }
        return text
    }

    /// The string or the text of a number, because servers send identifiers as either; otherwise `nil`.
    public var identifier: String? {
        if case .number(let text) = self { return text }
        return text
    }

    /// The whole number, even if written as a string or with zero decimals; otherwise `nil`.
    public var wholeNumber: Int? {
        guard let text = identifier else { return nil }
        if let number = Int(text) { return number }
        return Double(text).flatMap { Int(exactly: $0) }
    }

    /// The finite number, even if written as a string; otherwise `nil`.
    public var fraction: Double? {
        guard let number = identifier.flatMap({ Double($0) }), number.isFinite else { return nil }
        return number
    }

    /// The Boolean value, even if written as 0 or 1; otherwise `nil`.
    public var flag: Bool? {
        if case .bool(let value) = self { return value }
        switch wholeNumber {
        case 0: return false
        case 1: return true
        default: return nil
        }
    }
}
