internal import Foundation
public import Testing

/// A JSON value of the expected results in the corpus.
public enum CorpusJSON: Decodable, Equatable, Sendable {
    case object([String: CorpusJSON])
    case array([CorpusJSON])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    /// A value from a decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([CorpusJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: CorpusJSON].self))
        }
    }

    /// The value of a corpus file.
    public static func load(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CorpusJSON {
        let bytes = try #require(
            fileBytes(Repository.corpus + "/" + name), "\(name)", sourceLocation: sourceLocation)
        return try JSONDecoder().decode(CorpusJSON.self, from: Data(bytes))
    }

    /// A member of an object.
    public subscript(_ key: String) -> CorpusJSON? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    /// The text of a string.
    public var string: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The values of an array; empty for others.
    public var elements: [CorpusJSON] {
        if case .array(let values) = self { return values }
        return []
    }

    /// The members of an object; empty for others.
    public var members: [String: CorpusJSON] {
        if case .object(let members) = self { return members }
        return [:]
    }
}
