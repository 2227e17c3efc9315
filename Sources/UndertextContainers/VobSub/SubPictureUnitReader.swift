internal import UndertextCore

/// Assembles sub-picture units from the packs of a .sub file.
struct SubPictureUnitReader {
    /// A unit found at a position.
    struct Unit {
        var bytes: [UInt8]
        /// The number that its packets carry.
        var subPicture: Int
        /// Bytes that are missing at its end.
        var missing: Int
    }

    private let window: SourceWindow
    private let limits: Limits
    /// The remaining number of bytes of other streams that may be skipped, for all units together.
    private var patience: UInt64

    /// Bytes of other streams between the parts of one unit at most.
    private static let longestGap: UInt64 = 4 << 20

    init(_ source: any RandomAccessSource, limits: Limits, cancellation: Cancellation?) {
        window = SourceWindow(source, cancellation: cancellation)
        self.limits = limits
        patience =
            (source.size ?? 0).multipliedReportingOverflow(by: 32).partialValue
            .addingReportingOverflow(16 << 20).partialValue
    }

    /// The unit of stream `number` that begins at `position`.
    ///
    /// - Parameters:
    ///   - position: a file offset, at a pack or a little before one.
    ///   - number: the stream, 0 to 31; if no unit of that stream follows, the first unit is used.
    /// - Returns: the unit; `nil` if there is none.
    /// - Throws: errors of the source.
    mutating func unit(at position: UInt64, number: Int) throws(UndertextError) -> Unit? {
        guard position < window.source.size ?? .max else { return nil }
        var cursor = ProgramStreamCursor(window, at: position)
        var first: ProgramPacket?
        while let packet = try next(&cursor, since: position, of: number) {
            guard let found = packet.subPicture else { continue }
            if found == number { return try collect(packet, cursor) }
            // After the first packet of another stream the asked one may still begin in the
            // next packs, but not after the beginning of the one after.
            if let before = first?.subPicture, before == found, packet.pts != nil { break }
            if first == nil { first = packet }
        }
        guard let first else { return nil }
        return try collect(first, ProgramStreamCursor(window, at: cursorStart(behind: first)))
    }

    /// The offset at which reading continues after a packet that was found earlier.
    private func cursorStart(behind packet: ProgramPacket) throws(UndertextError) -> UInt64 {
        var cursor = ProgramStreamCursor(window, at: packet.position)
        while let next = try cursor.next() {
            if next.position == packet.position, next.subPicture == packet.subPicture { break }
        }
        return cursor.offset
    }

    /// The next packet, as long as that is not too far away; all but those of stream `number` cost
    /// patience.
    private mutating func next(
        _ cursor: inout ProgramStreamCursor, since start: UInt64, of number: Int
    ) throws(UndertextError) -> ProgramPacket? {
        let before = cursor.offset
        guard patience > 0 else { return nil }
        cursor.end = start.addingReportingOverflow(Self.longestGap).partialValue
        let packet = try cursor.next()
        if packet?.subPicture != number { patience -= min(patience, cursor.offset - before) }
        return packet
    }

    /// Appends what follows of the unit that `packet` begins.
    private mutating func collect(
        _ packet: ProgramPacket, _ start: ProgramStreamCursor
    ) throws(UndertextError) -> Unit? {
        guard let number = packet.subPicture else { return nil }
        var cursor = start
        var bytes = Array(packet.payload.dropFirst())
        var last = cursor.offset
        while true {
            let size = Self.size(of: bytes)
            if let size, bytes.count >= size {
                return Unit(bytes: Array(bytes.prefix(size)), subPicture: number, missing: 0)
            }
            let missing = (size ?? 4) - bytes.count
            guard size ?? 0 <= limits.packetSize else { return nil }
            guard let next = try next(&cursor, since: last, of: number) else {
                return Unit(bytes: bytes, subPicture: number, missing: missing)
            }
            guard next.subPicture == number else { continue }
            // A time begins a unit, unless it repeats that of this one.
            if let pts = next.pts, pts != packet.pts {
                return Unit(bytes: bytes, subPicture: number, missing: missing)
            }
            bytes += next.payload.dropFirst()
            last = cursor.offset
        }
    }

    /// The size that a unit states; `nil` if that is not there yet.
    static func size(of bytes: some Collection<UInt8>) -> Int? {
        let head = Array(bytes.prefix(6)).map(Int.init)
        guard head.count >= 2 else { return nil }
        let size = head[0] << 8 | head[1]
        guard size == 0 else { return max(4, size) }
        guard head.count == 6 else { return nil }
        return max(10, head[2] << 24 | head[3] << 16 | head[4] << 8 | head[5])
    }
}
