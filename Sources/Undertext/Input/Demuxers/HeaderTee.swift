internal import UndertextCore

/// A pipe whose beginning is buffered, so that our own header readers can examine it too.
///
/// It can record the bytes that libavformat reads to describe the input, for the packet reader that follows.
final class HeaderTee: SequentialSource {
    /// Track headers precede fonts and media data; more would delay the first cue of a live pipe.
    private static let kept = 256 << 10
    /// libavformat reads 5 MB to describe an input, and the rest of a packet.
    private static let recordedAtMost = 64 << 20

    let name: String
    /// The beginning of the input as a source.
    let head: MemorySource
    /// `true` if that is all there is.
    let isWhole: Bool
    /// The statistics of reading the pipe.
    private(set) var statistics = ReadStatistics()

    /// `true` if the pipe has ended within a box of an MP4 file.
    var isCutWithinBox: Bool { hasEnded && boxes?.isWithinBox == true }

    private let pipe: any SequentialSource
    private var hasEnded: Bool
    private var boxes: BoxBoundaries?
    private var replay: ArraySlice<UInt8>
    /// The offset of the next byte to return.
    private var position: UInt64 = 0
    /// The bytes returned since ``recordStart``.
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
                .empty, "the input is empty", path: pipe.name)
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

    /// Keeps bytes that are returned from `offset` on, which must not have been returned yet.
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
    /// Returns the recorded bytes followed by the rest; `nil` if nothing or too much was recorded. The tee must
    /// not be read afterwards.
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

/// Follows the boxes of an MP4 file that comes in order, to see whether it ends between two of them.
///
/// libavformat takes the end of a pipe for the end of the file, wherever it is.
struct BoxBoundaries {
    /// The beginning of a box whose size is not known yet.
    private var header: [UInt8] = []
    /// Bytes of the box that have not come yet.
    private var left: UInt64 = 0
    /// `true` if the last box extends to the end of the file, or is not a box.
    private var isOpen = false

    /// `true` if the bytes so far end within a box; a few stray bytes after the last box hold no sample.
    var isWithinBox: Bool { !isOpen && left > 0 }

    /// Follows the boxes of a file that begins with `head`; `nil` if it does not begin as MP4 files do.
    init?(_ head: [UInt8]) {
        let types = ["ftyp", "styp", "moov", "moof", "mdat", "sidx", "free", "skip", "wide"]
        guard head.count >= 8, types.contains(String(decoding: head[4..<8], as: UTF8.self)) else {
            return nil
        }
        pass(head)
    }

    /// Adds the next bytes.
    mutating func pass(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, !isOpen {
            guard left == 0 else {
                let count = Int(clamping: min(left, UInt64(rest.count)))
                rest = rest.dropFirst(count)
                left -= UInt64(count)
                continue
            }
            guard let byte = rest.popFirst() else { return }
            header.append(byte)
            open()
        }
    }

    /// Begins the box of ``header`` as soon as its size is known (ISO/IEC 14496-12, section 4.2).
    private mutating func open() {
        guard header.count == 8 || header.count == 16 else { return }
        let short: UInt64 = header[..<4].reduce(0) { $0 << 8 | UInt64($1) }
        if header.count == 8, short == 1 { return }
        let long: UInt64 = header[8...].reduce(0) { $0 << 8 | UInt64($1) }
        let size = header.count == 8 ? short : long
        isOpen = size < UInt64(header.count)
        left = isOpen ? 0 : size - UInt64(header.count)
        header = []
    }
}
