internal import UndertextCore
internal import UndertextIO

/// The images that an existing folder's `index.json` lists: what a new folder may replace.
enum ImageIndex {
    /// JSON cues.
    static let name = "index.json"
    /// BDN XML.
    static let xmlName = "index.xml"
    /// The page to look at.
    static let pageName = "index.html"

    private static let sizeAtMost = 256 << 20

    /// Every file of ours in `folder`: what the index lists, and with an index the files beside it.
    ///
    /// Without an index an `index.html` is somebody else's.
    static func ownNames(in folder: String) -> [String] {
        guard FileSystem.exists(PathName.joining(folder, name)) else { return [name] }
        return names(in: folder) + [name, xmlName, pageName]
    }

    /// File names from the index of `folder`; none if there is no readable index.
    static func names(in folder: String) -> [String] {
        guard
            let bytes = try? FileSystem.contents(
                of: PathName.joining(folder, name), limit: sizeAtMost, isInput: false)
        else { return [] }
        var names: [String] = []
        ImageIndexScanner.scan(bytes) { names += $0.files }
        return names
    }

    /// `true` if it is a name that we give: `0001.png`, `0001-2.png`.
    ///
    /// An index may be planted.
    static func isOurs(_ name: String) -> Bool {
        let stem = name.utf8.dropLast(4)
        return name.utf8.count >= 8 && name.hasSuffix(".png")
            && stem.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
            && stem.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

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
