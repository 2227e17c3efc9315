internal import MediaCore

/// Reads a source tightly: what was read last is kept, and only what is missing is asked for.
final class SourceWindow {
    /// What is read.
    let source: any ByteSource
    private let cancellation: Cancellation?
    private var start: UInt64 = 0
    private var held: [UInt8] = []
    /// Bytes asked of the source so far.
    private(set) var asked: UInt64 = 0
    /// Asked at once at most, so that no allocation rests on a value from the file alone.
    private static let chunk = 8 << 20

    init(_ source: any ByteSource, cancellation: Cancellation?) {
        self.source = source
        self.cancellation = cancellation
    }

    /// Bytes from `offset` to the end of the source; the largest number if that is unknown.
    func remaining(at offset: UInt64) -> UInt64 {
        guard let size = source.size else { return .max - offset }
        return size > offset ? size - offset : 0
    }

    /// `count` bytes at `offset`, fewer only at the end of the source.
    ///
    /// Where something has to be asked of the source, `ahead` bytes from `offset` are asked for
    /// if that is more. The caller has checked `count` against a limit.
    func bytes(
        at offset: UInt64, count: Int, ahead: Int = 0
    ) throws(MediaError) -> ArraySlice<UInt8> {
        if let place = place(of: offset), held.count - place >= count {
            return held[place..<place + count]
        }
        if let cancellation, cancellation.isCancelled {
            throw MediaError(.cancelled, "The job was stopped.", path: source.name)
        }
        var fresh: [UInt8] = []
        if let place = place(of: offset) { fresh = Array(held[place...]) }
        let wanted = Int(clamping: min(UInt64(max(count, ahead)), remaining(at: offset)))
        while fresh.count < wanted {
            let asked = min(Self.chunk, wanted - fresh.count)
            let next = try source.read(at: offset + UInt64(fresh.count), count: asked)
            self.asked += UInt64(asked)
            // One read is the rule; its bytes need no second copy.
            if fresh.isEmpty { fresh = next } else { fresh += next }
            if next.count < asked { break }
        }
        start = offset
        held = fresh
        return fresh.prefix(count)
    }

    /// How many bytes at `offset` are there without asking the source.
    func held(at offset: UInt64) -> Int {
        place(of: offset).map { held.count - $0 } ?? 0
    }

    private func place(of offset: UInt64) -> Int? {
        guard offset >= start, offset - start <= UInt64(held.count) else { return nil }
        return Int(offset - start)
    }

    /// The element at `offset` whose parent ends at `end`; `nil` where there is no whole prefix.
    ///
    /// The element may claim to reach beyond `end`: the caller decides what that means.
    func element(
        at offset: UInt64, before end: UInt64, ahead: Int = 0
    ) throws(MediaError) -> ElementHeader? {
        guard offset < end else { return nil }
        let room = Int(clamping: end - offset)
        let count = min(ElementPrefix.maximumLength, room)
        let bytes = try bytes(at: offset, count: count, ahead: min(ahead, room))
        guard let prefix = ElementPrefix(bytes) else { return nil }
        let dataStart = offset + UInt64(prefix.length)
        if let size = prefix.size, size > .max - dataStart { return nil }
        return ElementHeader(
            id: prefix.id, start: offset, dataStart: dataStart, size: prefix.size)
    }
}
