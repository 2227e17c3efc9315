/// Finds the cues of an `index.json` in one pass: of a document, and of one record a line as it was once.
///
/// Anybody may have written it anew, so neither lines nor the order of members count.
struct ImageIndexScanner {
    /// A cue: its times, and the names of its files that are ours to give.
    struct Entry: Hashable {
        var start: Timestamp?
        var end: Timestamp?
        var files: [String] = []
    }

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var entry = Entry()
    /// How deep the object lies whose times are known.
    private var entryDepth: Int?

    /// Calls `handler` with each object that has times.
    static func scan(_ bytes: [UInt8], _ handler: (Entry) -> Void) {
        var scanner = ImageIndexScanner(bytes: bytes)
        scanner.run(handler)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run(_ handler: (Entry) -> Void) {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if entryDepth == depth {
                    handler(entry)
                    entry = Entry()
                    entryDepth = nil
                }
                depth -= 1
            case UInt8(ascii: "\""): member(named: string())
            default: break
            }
        }
    }

    /// Takes the value after a string, if that is the name of a member that counts.
    private mutating func member(named name: ArraySlice<UInt8>) {
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return }
        position += 1
        skipBlanks()
        if name.elementsEqual("start".utf8), let time = time() {
            entry.start = time
            entryDepth = depth
        } else if name.elementsEqual("end".utf8), let time = time() {
            entry.end = time
            entryDepth = depth
        } else if name.elementsEqual("file".utf8), position < bytes.count,
            bytes[position] == UInt8(ascii: "\"")
        {
            position += 1
            let file = string()
            if ImageIndex.isOurs(file) {
                entry.files.append(String(decoding: file, as: UTF8.self))
            }
        }
    }

    /// The bytes up to the quotation mark that ends a string, escapes and all.
    private mutating func string() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, bytes.count)
        position = end + 1
        return bytes[start..<end]
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    /// Seconds; a number of ours has at most 24 digits.
    private func time() -> Timestamp? {
        let digits = bytes[min(position, bytes.count)...].prefix(24)
            .prefix { $0 == 0x2E || (0x30...0x39).contains($0) }
        return Timestamp(clock: String(decoding: digits, as: UTF8.self))
    }
}
