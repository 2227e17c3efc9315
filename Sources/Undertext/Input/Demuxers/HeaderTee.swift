/// A pipe whose beginning is kept, so that our own header readers can look at it too.
///
/// What libavformat reads to describe the input may be recorded, for the reader of packets that comes after it.
final class HeaderTee: SequentialSource {
    /// Track headers precede fonts and media data; more would delay the first cue of a live pipe.
    private static let kept = 256 << 10
    /// libavformat reads 5 MB to describe an input, and the rest of a packet.
    private static let recordedAtMost = 64 << 20

    let name: String
    /// The beginning of the input, as a source of its own.
    let head: MemorySource
    /// `true` if that is all there is.
    let isWhole: Bool
    /// What was read of the pipe.
    private(set) var statistics = ReadStatistics()

    /// `true` if the pipe has ended within a box of an MP4 file.
    var isCutWithinBox: Bool { hasEnded && boxes?.isWithinBox == true }

    private let pipe: any SequentialSource
    private var hasEnded: Bool
    private var boxes: BoxBoundaries?
    private var replay: ArraySlice<UInt8>
    /// The offset of the next byte that is handed out.
    private var position: UInt64 = 0
    /// What was handed out from ``recordStart`` on.
    private var recorded: [UInt8] = []
    /// `nil` where nothing is recorded.
    private var recordStart: UInt64?

    /// Reads the beginning, or all there is.
    init(_ pipe: any SequentialSource) throws(UndertextError) {
        self.pipe = pipe
        name = pipe.name
        var bytes: [UInt8] = []
        var requests: UInt64 = 0
        while bytes.count < Self.kept {
            let next = try pipe.read(upTo: Self.kept - bytes.count)
            requests += 1
            if next.isEmpty { break }
            bytes += next
        }
        guard !bytes.isEmpty else {
            throw UndertextError(
                .empty, "the input is empty; nothing can be extracted from it", path: pipe.name)
        }
        isWhole = bytes.count < Self.kept
        hasEnded = bytes.count < Self.kept
        boxes = BoxBoundaries(bytes)
        head = MemorySource(bytes, name: pipe.name)
        replay = bytes[...]
        statistics = ReadStatistics(bytesRead: UInt64(bytes.count), requests: requests)
    }

    func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        let bytes: [UInt8]
        if replay.isEmpty {
            bytes = try pipe.read(upTo: count)
            statistics.requests += 1
            statistics.bytesRead += UInt64(bytes.count)
            hasEnded = bytes.isEmpty && count > 0
            boxes?.pass(bytes)
        } else {
            bytes = Array(replay.prefix(count))
            replay = replay.dropFirst(count)
        }
        record(bytes)
        position += UInt64(bytes.count)
        return bytes
    }

    /// Keeps what is handed out from `offset` on, which was not handed out yet.
    func record(from offset: UInt64) { recordStart = offset }

    private func record(_ bytes: [UInt8]) {
        guard let recordStart, position + UInt64(bytes.count) > recordStart else { return }
        recorded += bytes.dropFirst(Int(clamping: recordStart - min(recordStart, position)))
        guard recorded.count > Self.recordedAtMost else { return }
        self.recordStart = nil
        recorded = []
    }

    /// Everything from where the recording began, or from where the reading is if that is earlier.
    ///
    /// `nil` if nothing is recorded, or too much was. Afterwards nobody else may read from here.
    func takeRecorded() -> (stream: any SequentialSource, offset: UInt64)? {
        guard let start = recordStart else { return nil }
        defer { recorded = [] }
        recordStart = nil
        return (ReplayedStream(recorded, self), min(start, position))
    }
}

/// Some bytes, then those of a stream.
private final class ReplayedStream: SequentialSource {
    private var bytes: ArraySlice<UInt8>
    private let rest: any SequentialSource

    init(_ bytes: [UInt8], _ rest: any SequentialSource) {
        self.bytes = bytes[...]
        self.rest = rest
    }

    var name: String { rest.name }

    func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        guard !bytes.isEmpty else { return try rest.read(upTo: count) }
        defer { bytes = bytes.count > count ? bytes.dropFirst(count) : [] }
        return Array(bytes.prefix(count))
    }
}
