internal import UndertextCore

/// Walks over the packets of a file and stops only at those that are wanted.
///
/// Of all others it looks at no more than the four bytes of their header.
struct PacketScanner {
    /// The treatment of a PID's packets.
    enum Interest {
        /// Skipped.
        static let none: UInt8 = 0
        /// Wanted if they have an adaptation field, for the sake of its clock.
        static let clock: UInt8 = 1
        /// Wanted.
        static let all: UInt8 = 2
        /// Wanted if a PES packet begins in them, or if packets before them are missing.
        static let starts: UInt8 = 3
    }

    /// The reason why the scanner stopped.
    enum Stop {
        /// A wanted packet: its header and the block it lies in.
        case packet(TransportHeader, block: [UInt8], offset: UInt64)
        /// Another block was read; nothing was found yet.
        case block
        /// Bytes that are no packets were skipped.
        case garbage(from: UInt64, count: UInt64)
        /// The end of the file; `remainder` bytes of a truncated packet are left.
        case end(remainder: Int)
    }

    /// The layout of packets in the file.
    private(set) var layout: PacketLayout
    /// An ``Interest`` for each of the 8192 PIDs.
    private var interests = [UInt8](repeating: Interest.none, count: 8192)
    /// The last continuity counter of each PID of whose packets only starts are wanted.
    private var continuities = [UInt8](repeating: 0, count: 8192)

    /// Bytes of a block: they stay in the processor's cache while they are examined.
    static let blockLength = 256 << 10
    /// The block size for sources with slow requests.
    private static let remoteBlockLength = 4 << 20

    private let source: any RandomAccessSource
    private let cancellation: Cancellation?
    private let blockLength: Int
    /// Memory that all blocks go through, and where the current one lies in it.
    private var block: [UInt8] = []
    private var held = 0..<0
    /// `true` if the block reached the end of the file.
    private var isLast = false
    /// The distance over which the search for packets looks ahead.
    private static let reach = 2 * (PacketLayout.distances.max() ?? 0) + 1
    /// The offset of the block in the file.
    private var blockOffset: UInt64
    /// The next packet, within the memory.
    private var next: Int

    /// Starts at the beginning of the source, of which `head` was read.
    init(
        _ source: any RandomAccessSource, layout: PacketLayout, head: [UInt8],
        cancellation: Cancellation?
    ) {
        self.init(
            source, layout: layout, at: 0, blockLength: Self.length(for: source),
            cancellation: cancellation)
        block = head
        held = 0..<head.count
        isLast = head.count < Self.length(for: source)
        next = layout.lead
    }

    /// Starts at `offset`, where the sync byte of a packet should be.
    init(
        _ source: any RandomAccessSource, layout: PacketLayout, at offset: UInt64,
        blockLength: Int? = nil, cancellation: Cancellation?
    ) {
        self.source = source
        self.cancellation = cancellation
        self.layout = layout
        self.blockLength = blockLength ?? Self.length(for: source)
        blockOffset = offset
        next = 0
    }

    /// The length of a block that is read well from `source`.
    static func length(for source: any RandomAccessSource) -> Int {
        source.policy.concurrency > 1
            ? remoteBlockLength
            : max(blockLength, min(source.policy.blockSize, remoteBlockLength))
    }

    /// Makes the packets of all PIDs uninteresting.
    mutating func clearInterests() {
        interests = [UInt8](repeating: Interest.none, count: interests.count)
    }

    /// Sets the treatment of packets of some PIDs.
    mutating func setInterest(_ interest: UInt8, for pids: [Int]) {
        for pid in pids where interests.indices.contains(pid) { interests[pid] = interest }
    }

    /// Skips the packets of a PID up to the next start of a PES packet, after one with that continuity counter.
    mutating func skipToStart(of pid: Int, after continuity: UInt8) {
        interests[pid] = Interest.starts
        continuities[pid] = continuity
    }

    /// Ends the skipping; returns the continuity counter of the last packet that was skipped, if any was to be.
    mutating func endSkipping(of pid: Int) -> UInt8? {
        guard interests[pid] == Interest.starts else { return nil }
        interests[pid] = Interest.all
        return continuities[pid]
    }

    /// The position of the scanner in the file in bytes.
    var position: UInt64 { blockOffset + UInt64(next - held.lowerBound) }

    /// Goes on to the next stop.
    mutating func advance() throws(UndertextError) -> Stop {
        // Not copied: the block is borrowed, and with it everything else here.
        var counters: [UInt8] = []
        swap(&counters, &continuities)
        next = Self.nextStop(
            block.span, from: next, until: held.upperBound, layout.distance, interests.span,
            &counters)
        swap(&counters, &continuities)
        guard next + PacketLayout.packetLength <= held.upperBound else {
            return try load() ? .block : .end(remainder: max(0, held.upperBound - next))
        }
        guard block[next] == PacketLayout.syncByte else { return try resynchronize() }
        let header = TransportHeader(block, at: next)
        defer { next += layout.distance }
        return .packet(header, block: block, offset: position)
    }

    /// The first packet from `start` on that is wanted or lacks its sync byte, or that is cut off.
    @inline(__always)
    private static func nextStop(
        _ bytes: borrowing Span<UInt8>, from start: Int, until end: Int, _ distance: Int,
        _ interests: borrowing Span<UInt8>, _ continuities: inout [UInt8]
    ) -> Int {
        var place = start
        let last = end - PacketLayout.packetLength
        while place <= last {
            guard bytes[place] == PacketLayout.syncByte else { return place }
            let pid = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
            let interest = interests[pid]
            if interest == Interest.starts {
                let (second, fourth) = (bytes[place + 1], bytes[place + 3])
                let counter = fourth & 0x0F
                // A packet may be sent twice; one without a payload does not count.
                if fourth & 0x10 != 0, counter != continuities[pid] {
                    let isNext = counter == (continuities[pid] + 1) & 0x0F
                    if second & 0x40 != 0 || !isNext { return place }
                    continuities[pid] = counter
                }
            } else if interest != Interest.none,
                interest == Interest.all || bytes[place + 3] & 0x20 != 0
            {
                return place
            }
            place += distance
        }
        return place
    }

    /// Checks for cancellation during long work between two blocks.
    ///
    /// - Throws: ``UndertextCore/UndertextError`` with code `cancelled` if the job was cancelled.
    func checkCancellation() throws(UndertextError) {
        if let cancellation, cancellation.isCancelled {
            throw UndertextError(.cancelled, "The job was stopped.", path: source.name)
        }
    }

    /// Reads the block that starts with the next packet; `false` at the end of the file.
    private mutating func load() throws(UndertextError) -> Bool {
        try checkCancellation()
        let offset = position
        // A block that was not full was the last one, unless the file has grown.
        held = try source.read(at: offset, count: blockLength, into: &block)
        isLast = held.count < blockLength
        blockOffset = offset
        next = held.lowerBound
        return held.count >= PacketLayout.packetLength
    }

    /// Looks for the next packet after bytes that are none.
    ///
    /// A sync byte counts if another one follows at the distance; so a single packet with a
    /// damaged first byte costs itself only. Where another distance holds, it is taken from there.
    private mutating func resynchronize() throws(UndertextError) -> Stop {
        let start = position
        try loadIfNearEnd()
        if hasSync(next + layout.distance) {
            next += layout.distance
            return .garbage(from: start, count: UInt64(layout.distance))
        }
        while true {
            let end = isLast ? held.upperBound : held.upperBound - Self.reach
            while next < end {
                if block[next] == PacketLayout.syncByte, let layout = layoutHolding() {
                    self.layout = layout
                    return .garbage(from: start, count: position - start)
                }
                next += 1
            }
            if isLast { return .garbage(from: start, count: position - start) }
            _ = try load()
        }
    }

    /// Makes sure of the bytes that the search looks at, without reading the same ones again and
    /// again: what is damaged throughout must not take longer than what is whole.
    private mutating func loadIfNearEnd() throws(UndertextError) {
        if !isLast, next + Self.reach > held.upperBound { _ = try load() }
    }

    /// The layout that holds for the sync byte at the current place.
    private func layoutHolding() -> PacketLayout? {
        let following = next + layout.distance
        if hasSync(following) || (isLast && following >= held.upperBound) { return layout }
        return PacketLayout.distances.first {
            hasSync(next + $0) && hasSync(next + 2 * $0)
        }.map(PacketLayout.init(distance:))
    }

    private func hasSync(_ place: Int) -> Bool {
        place < held.upperBound && block[place] == PacketLayout.syncByte
    }
}
