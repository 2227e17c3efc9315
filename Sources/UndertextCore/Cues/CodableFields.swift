/// The name of a member.
struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A value within a cue, whose stored form is that of the cue alone.
protocol CodedField {
    init(from decoder: any Decoder) throws
    func encode(to encoder: any Encoder) throws
}

extension Array: CodedField where Element: CodedField {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self = []
        while !container.isAtEnd { append(try container.decode(Coded<Element>.self).value) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(Coded(value: element)) }
    }
}

/// A field as the containers of encoders take it.
private struct Coded<Value: CodedField>: Codable {
    let value: Value

    init(value: Value) { self.value = value }
    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// The members of an object that is read.
struct Fields {
    /// No number is larger, so that sums and products of a few of them fit.
    static let largest = 1_000_000_000

    private let container: KeyedDecodingContainer<FieldName>

    init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: FieldName.self)
    }

    func value<Value: Decodable>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: FieldName(name))
    }

    func required<Value: Decodable>(_ name: String) throws -> Value {
        try container.decode(Value.self, forKey: FieldName(name))
    }

    func value<Value: CodedField>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Coded<Value>.self, forKey: FieldName(name))?.value
    }

    func required<Value: CodedField>(_ name: String) throws -> Value {
        try container.decode(Coded<Value>.self, forKey: FieldName(name)).value
    }

    func integer(_ name: String, in range: ClosedRange<Int> = -largest...largest) throws -> Int? {
        guard let number: Int = try value(name) else { return nil }
        guard range.contains(number) else { throw error(name, "it is too large") }
        return number
    }

    func finite(_ name: String) throws -> Double? {
        guard let number: Double = try value(name) else { return nil }
        guard number.magnitude <= Double(Self.largest) else { throw error(name, "it is too large") }
        return number
    }

    func error(_ name: String, _ message: String) -> DecodingError {
        .dataCorruptedError(
            forKey: FieldName(name), in: container, debugDescription: message)
    }
}

/// The members of an object that is written.
struct FieldWriter {
    private var container: KeyedEncodingContainer<FieldName>

    init(_ encoder: any Encoder) { container = encoder.container(keyedBy: FieldName.self) }

    mutating func write(_ name: String, _ value: some Encodable) throws {
        try container.encode(value, forKey: FieldName(name))
    }

    mutating func write(_ name: String, _ value: some CodedField) throws {
        try container.encode(Coded(value: value), forKey: FieldName(name))
    }

    mutating func write<Value: CodedField & Equatable>(
        _ name: String, _ value: Value, unless usual: Value
    ) throws {
        if value != usual { try write(name, value) }
    }

    mutating func write<Value: CodedField & Equatable>(
        _ name: String, _ value: Value?, unless usual: Value?
    ) throws {
        if let value, value != usual { try write(name, value) }
    }

    mutating func write<Value: Encodable & Equatable>(
        _ name: String, _ value: Value, unless usual: Value
    ) throws {
        if value != usual { try container.encode(value, forKey: FieldName(name)) }
    }
}
