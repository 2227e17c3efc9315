internal import UndertextCore

/// Reads a source with minimal requests: it buffers the latest bytes and requests only missing ones.
final class SourceWindow {
    /// The underlying source.
    let source: any RandomAccessSource
    /// The end of the source; of a source that comes in order it is known when it is reached.
    private(set) var end: UInt64
    /// The source where it can be read in order only.
    private let forward: ForwardSource?
    private let cancellation: Cancellation?
    private var start: UInt64 = 0
    private var held: [UInt8] = []
    /// The number of bytes requested from the source so far.
    private(set) var asked: UInt64 = 0
    /// Asked at once at most, so that no allocation rests on a value from the file alone.
    private static let chunk = 8 << 20

    init(_ source: any RandomAccessSource, cancellation: Cancellation?) {
        self.source = source
        self.cancellation = cancellation
        forward = source as? ForwardSource
        end = source.size ?? .max
    }

    /// `true` if the source can be read in order only.
    var isForward: Bool { forward != nil }

    /// Makes sure that bytes from `offset` on can be read again.
    func keep(from offset: UInt64) { forward?.mark = offset }

    /// `true` if a look at `offset` leaves the bytes at `start` in reach.
    func canReturn(from offset: UInt64, to start: UInt64) -> Bool {
        forward == nil || offset < start || offset - start <= ForwardSource.lookBack
    }

    /// Bytes from `offset` to the end of the source; the largest number if that is unknown.
    func remaining(at offset: UInt64) -> UInt64 {
        guard let size = source.size else { return .max - offset }
        return size > offset ? size - offset : 0
    }

    /// `count` bytes at `offset`, fewer only at the end of the source.
    ///
    /// If the source must be read, at least `ahead` bytes from `offset` are requested. The caller has checked
    /// `count` against a limit.
    func bytes(
        at offset: UInt64, count: Int, ahead: Int = 0
    ) throws(UndertextError) -> ArraySlice<UInt8> {
        if let place = place(of: offset), held.count - place >= count {
            return held[place..<place + count]
        }
        if let cancellation, cancellation.isCancelled {
            throw UndertextError(.cancelled, "The job was stopped.", path: source.name)
        }
        // Do not wait needlessly for bytes that have not arrived.
        let ahead = forward.map { min(ahead, $0.buffered(at: offset)) } ?? ahead
        var fresh: [UInt8] = []
        if let place = place(of: offset) { fresh = Array(held[place...]) }
        let wanted = Int(clamping: min(UInt64(max(count, ahead)), remaining(at: offset)))
        while fresh.count < wanted {
            let asked = min(Self.chunk, wanted - fresh.count)
            let next = try source.read(at: offset + UInt64(fresh.count), count: asked)
            self.asked += UInt64(asked)
            // One read is the rule; its bytes need no second copy.
            if fresh.isEmpty { fresh = next } else { fresh += next }
            if next.count < asked {
                if let size = forward?.size { end = size }
                break
            }
        }
        start = offset
        held = fresh
        return fresh.prefix(count)
    }

    /// Returns the number of bytes at `offset` that are in memory.
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
    ) throws(UndertextError) -> ElementHeader? {
        guard offset < end else { return nil }
        let room = Int(clamping: end - offset)
        guard let prefix = try prefix(at: offset, room: room, ahead: min(ahead, room)) else {
            return nil
        }
        let dataStart = offset + UInt64(prefix.length)
        if let size = prefix.size, size > .max - dataStart { return nil }
        return ElementHeader(
            id: prefix.id, start: offset, dataStart: dataStart, size: prefix.size)
    }

    /// The prefix of the element at `offset`; a forward-only source waits for no more bytes than the prefix
    /// has.
    private func prefix(
        at offset: UInt64, room: Int, ahead: Int
    ) throws(UndertextError) -> ElementPrefix? {
        let most = min(ElementPrefix.maximumLength, room)
        if let place = place(of: offset), held.count - place >= most {
            let held = held
            return ElementPrefix(held.span, at: place, end: place + most)
        }
        guard let forward else {
            return ElementPrefix(try bytes(at: offset, count: most, ahead: ahead))
        }
        var count = min(most, max(2, held(at: offset), forward.buffered(at: offset)))
        while true {
            let bytes = try bytes(at: offset, count: count, ahead: ahead)
            let prefix = ElementPrefix(bytes)
            guard prefix == nil, bytes.count == count, count < most else { return prefix }
            count += 1
        }
    }
}
