extension JSON {
    /// The member of that name, the last one if there are several; `nil` for other values too.
    public subscript(_ key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The members of an object; none for other values.
    public var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The values of an array; none for other values.
    public var elements: [JSON] {
        guard case .array(let values) = self else { return [] }
        return values
    }

    /// A string that is not empty.
    public var text: String? {
        guard case .string(let text) = self, !text.isEmpty else { return nil }
        return text
    }

    /// A string, or the text of a number: servers send identifiers as either.
    public var identifier: String? {
        if case .number(let text) = self { return text }
        return text
    }

    /// A whole number, also one that is written as a string or with decimals of zero.
    public var wholeNumber: Int? {
        guard let text = identifier else { return nil }
        if let number = Int(text) { return number }
        return Double(text).flatMap { Int(exactly: $0) }
    }

    /// A finite number, also one that is written as a string.
    public var fraction: Double? {
        guard let number = identifier.flatMap({ Double($0) }), number.isFinite else { return nil }
        return number
    }

    /// A truth value, also one that is written as 0 or 1.
    public var flag: Bool? {
        if case .bool(let value) = self { return value }
        switch wholeNumber {
        case 0: return false
        case 1: return true
        default: return nil
        }
    }
}
