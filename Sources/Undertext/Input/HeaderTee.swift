/// A pipe whose beginning is kept, so that our own header readers can look at it too.
final class HeaderTee: SequentialSource {
    /// Track headers precede fonts and media data; more would delay the first cue of a live pipe.
    private static let kept = 256 << 10

    let name: String
    /// The beginning of the input, as a source of its own.
    let head: MemorySource
    /// Whether that is all there is.
    let isWhole: Bool

    private let pipe: any SequentialSource
    private var replay: ArraySlice<UInt8>

    /// Reads the beginning, or all there is.
    init(_ pipe: any SequentialSource) throws(MediaError) {
        self.pipe = pipe
        name = pipe.name
        var bytes: [UInt8] = []
        while bytes.count < Self.kept {
            let next = try pipe.read(upTo: Self.kept - bytes.count)
            if next.isEmpty { break }
            bytes += next
        }
        guard !bytes.isEmpty else {
            throw MediaError(
                .empty, "the input is empty; nothing can be extracted from it", path: pipe.name)
        }
        isWhole = bytes.count < Self.kept
        head = MemorySource(bytes, name: pipe.name)
        replay = bytes[...]
    }

    func read(upTo count: Int) throws(MediaError) -> [UInt8] {
        guard !replay.isEmpty else { return try pipe.read(upTo: count) }
        defer { replay = replay.dropFirst(count) }
        return Array(replay.prefix(count))
    }
}
