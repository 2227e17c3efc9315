internal import UndertextCore

/// Finds the cues of an `index.json` in one pass: of a document, and of JSON Lines.
///
/// Anybody may have rewritten it, so neither lines nor the order of members count. It ends where the JSON is damaged.
struct ImageIndexScanner {
    /// A cue: its times, and the names of its files that are ours to give.
    struct Entry: Hashable {
        var start: Timestamp?
        var end: Timestamp?
        var files: [String] = []
    }

    private var parser: JSONParser
    private var entry = Entry()
    /// How deep the object is whose times are known.
    private var entryDepth: Int?

    /// Calls `handler` with each object that has times.
    static func scan(_ bytes: [UInt8], _ handler: (Entry) -> Void) {
        var scanner = ImageIndexScanner(parser: JSONParser(bytes))
        try? scanner.run(handler)
    }

    private init(parser: JSONParser) { self.parser = parser }

    private mutating func run(_ handler: (Entry) -> Void) throws(UndertextError) {
        while let token = try parser.next() {
            if token == .name {
                try member()
            } else if token == .objectEnd || token == .arrayEnd, entryDepth == parser.depth + 1 {
                handler(entry)
                entry = Entry()
                entryDepth = nil
            }
        }
    }

    /// Reads the value of a member that counts.
    private mutating func member() throws(UndertextError) {
        let name = parser.text
        guard ["start", "end", "file"].contains(name) else { return }
        let token = try parser.next()
        if token == .number, name != "file", let time = Timestamp(clock: parser.text) {
            if name == "start" { entry.start = time } else { entry.end = time }
            entryDepth = parser.depth
        } else if token == .string, name == "file", ImageIndex.isOurs(parser.text) {
            entry.files.append(parser.text)
        }
    }
}
