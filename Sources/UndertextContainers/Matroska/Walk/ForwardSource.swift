internal import UndertextCore

/// Bytes that come once and in order, read by their offsets.
///
/// Only bytes after the mark can be read again, at most ``lookBack``. Reading earlier bytes returns nothing, as
/// at the end of a source.
final class ForwardSource: RandomAccessSource {
    /// The distance from the mark after which the bytes at the mark are discarded.
    ///
    /// After damage the walk looks that far ahead for an element before it searches byte by byte.
    static let lookBack: UInt64 = 16 << 20

    private let stream: any SequentialSource
    /// The buffered bytes, which begin at the offset ``start``.
    private var held: [UInt8] = []
    private var dropped = 0
    private var start: UInt64
    private var hasEnded = false
    private(set) var statistics = ReadStatistics()
    /// Bytes from here on are kept; only those that were not passed yet if it is `nil`.
    var mark: UInt64?

    /// The maximum size of a request, which the stream answers with the available bytes.
    private static let chunk = 256 << 10

    /// Reads a stream whose next byte lies at the offset `start`.
    init(_ stream: any SequentialSource, start: UInt64) {
        self.stream = stream
        self.start = start
    }

    var name: String { stream.name }
    /// Known at the end of the stream.
    var size: UInt64? { hasEnded ? heldEnd : nil }
    private var heldCount: Int { held.count - dropped }
    private var heldEnd: UInt64 { start + UInt64(heldCount) }

    /// The number of bytes at `offset` that are available without waiting for the stream.
    func buffered(at offset: UInt64) -> Int {
        offset >= start && offset < heldEnd ? Int(heldEnd - offset) : 0
    }

    func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        guard count > 0, offset >= start else { return [] }
        let kept = mark.map { min($0, offset) } ?? offset
        try drop(before: offset - kept <= Self.lookBack ? kept : offset)
        let (target, overflow) = offset.addingReportingOverflow(UInt64(count))
        while !hasEnded, heldEnd < (overflow ? .max : target) { try fill() }
        guard offset < heldEnd, offset >= start else { return [] }
        let place = dropped + Int(offset - start)
        return Array(held[place..<min(held.count, place + count)])
    }

    /// Discards bytes before `offset`, and skips those that have not arrived.
    private func drop(before offset: UInt64) throws(UndertextError) {
        while heldEnd <= offset, !hasEnded {
            start = heldEnd
            held.removeAll(keepingCapacity: true)
            dropped = 0
            guard start < offset else { return }
            try fill()
        }
        guard offset > start, offset <= heldEnd else { return }
        dropped += Int(offset - start)
        start = offset
        // Moving the rest costs no more than the dropped bytes did.
        guard dropped > held.count / 2 else { return }
        held.removeFirst(dropped)
        dropped = 0
    }

    private func fill() throws(UndertextError) {
        let next = try stream.read(upTo: Self.chunk)
        statistics.requests += 1
        statistics.bytesRead += UInt64(next.count)
        hasEnded = next.isEmpty
        if held.isEmpty { held = next } else { held += next }
    }
}

/// Reads a random access source sequentially, for sources whose requests cost more than the skipped bytes.
final class StreamedSource: SequentialSource {
    private let source: any RandomAccessSource
    private var position: UInt64

    init(_ source: any RandomAccessSource, from position: UInt64) {
        self.source = source
        self.position = position
    }

    var name: String { source.name }

    func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        let bytes = try source.read(at: position, count: count)
        position += UInt64(bytes.count)
        return bytes
    }
}
