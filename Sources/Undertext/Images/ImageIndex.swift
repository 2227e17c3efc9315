internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The images that an existing folder's `index.json` lists: what a new folder may replace.
enum ImageIndex {
    /// JSON cues.
    static let name = "index.json"
    /// BDN XML.
    static let xmlName = "index.xml"
    /// The review page.
    static let pageName = "index.html"

    private static let sizeAtMost = 256 << 20

    /// Returns the files in `folder` that belong to it: those in the index, and with an index the files beside it.
    ///
    /// Without an index, `index.html` belongs to another program; but in object storage, where folders do not appear as a
    /// whole, it is that of an upload that did not end, as are images.
    static func ownNames(in folder: String) throws(UndertextError) -> [String] {
        let index = PathName.joining(folder, name)
        if let bytes = try contents(of: index) {
            return names(in: bytes) + [name, xmlName, pageName]
        }
        guard S3Location.isLocation(folder) else { return [name] }
        let present = try OutputStore.names(in: folder, limit: mostObjects)
        return present.filter { isOurs($0) || $0 == xmlName || $0 == pageName } + [name]
    }

    private static let mostObjects = 1_000_000

    /// The bytes of an index; none if it cannot be read, `nil` if there is none.
    private static func contents(of index: String) throws(UndertextError) -> [UInt8]? {
        do throws(UndertextError) {
            return try OutputStore.contents(of: index, limit: sizeAtMost)
        } catch {
            // What an unreadable file lists is not known, and may not be replaced.
            guard !S3Location.isLocation(index) else { throw error }
            return []
        }
    }

    private static func names(in index: [UInt8]) -> [String] {
        var names: [String] = []
        ImageIndexScanner.scan(index) { names += $0.files }
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
/// Another program may have rewritten it, so neither lines nor the order of members count. It ends where the
/// JSON is damaged.
struct ImageIndexScanner {
    /// A cue: its times, and the names of its images.
    struct Entry: Hashable {
        var start: Timestamp?
        var end: Timestamp?
        var files: [String] = []
    }

    private var parser: JSONParser
    private var entry = Entry()
    /// The nesting depth of the object whose times are being read.
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

/// The times of an `index.json` beside an `index.xml`: BDN XML counts frames, JSON has nanoseconds.
struct ImageTimes {
    private struct Span: Hashable {
        var start: Timestamp
        var end: Timestamp
    }

    /// The times of each image's cue, by the name of its file.
    private let spans: [String: Span]
    /// A Boolean value that indicates whether an image is listed that the XML does not name.
    private let hasForeignImage: Bool

    /// Reads an index that Undertext wrote; other files have no effect.
    ///
    /// Only images of `document` are kept; other entries of the index are ignored.
    init(_ index: [UInt8], of document: BDNDocument) {
        let named = Set(document.events.lazy.flatMap { $0.graphics.lazy.map(\.file) })
        var found: [String: Span] = [:]
        var isForeign = false
        ImageIndexScanner.scan(index) { entry in
            guard let start = entry.start, let end = entry.end else { return }
            for name in entry.files {
                if named.contains(name) {
                    found[name] = Span(start: start, end: end)
                } else {
                    isForeign = true
                }
            }
        }
        spans = found
        hasForeignImage = isForeign
    }

    /// The events of a BDN XML with these times.
    ///
    /// - Returns: The events; `nil` if the two lists of images differ, or if a time differs by more than
    ///   rounding to frames. The XML has then been edited and takes precedence.
    func applied(to document: BDNDocument) -> [BDNDocument.Event]? {
        guard !hasForeignImage else { return nil }
        var seen: Set<String> = []
        seen.reserveCapacity(spans.count)
        var events = document.events
        // A start is rounded to a frame; an end is at least one frame later.
        let frame = Timestamp.zero.duration(to: document.frameRate.time(ofFrame: 1))
        for (index, event) in document.events.enumerated() {
            guard let first = event.graphics.first, let span = spans[first.file],
                event.graphics.dropFirst().allSatisfy({ spans[$0.file] == span }),
                span.end > span.start,
                Self.areNear(span.start, event.start, frame),
                Self.areNear(span.end, event.end, frame + frame)
            else { return nil }
            for graphic in event.graphics { seen.insert(graphic.file) }
            (events[index].start, events[index].end) = (span.start, span.end)
        }
        guard seen.count == spans.count else { return nil }
        return events
    }

    private static func areNear(
        _ one: Timestamp, _ other: Timestamp, _ limit: Duration
    ) -> Bool {
        one < other ? one.duration(to: other) <= limit : other.duration(to: one) <= limit
    }
}
