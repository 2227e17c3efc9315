/// Changes text before it is parsed: characters, spellings, advertisements, markup of a dialect.
///
/// It is called with a whole file, or with each packet of a track as it comes. Two hooks are equal
/// where they were made together.
public struct TextHook: Hashable, Sendable {
    /// What a hook is called with.
    public enum Scope: Hashable, Sendable {
        /// A file from its first to its last character.
        case file
        /// The text of one packet of that codec.
        case packet(CodecID)
    }

    private final class Body: Sendable {
        let change: @Sendable (String, Scope) -> String
        init(_ change: @escaping @Sendable (String, Scope) -> String) { self.change = change }
    }

    private let body: Body

    /// A hook that replaces a text by what `change` gives for it.
    public init(_ change: @escaping @Sendable (_ text: String, _ scope: Scope) -> String) {
        body = Body(change)
    }

    func callAsFunction(_ text: String, _ scope: Scope) -> String { body.change(text, scope) }

    /// `true` if both were made together.
    public static func == (left: TextHook, right: TextHook) -> Bool { left.body === right.body }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(body)) }
}
