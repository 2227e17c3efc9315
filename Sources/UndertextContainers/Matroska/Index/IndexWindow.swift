package import UndertextCore

/// The part of a file that the index path is to read, on the file's own clock.
package struct IndexWindow {
    /// Judges a packet for a seek: whether decoding may start with it, whether it may if no better one is
    /// within reach, and whether something is on screen afterwards, `nil` if unknown.
    package typealias Judge = (Packet) -> (
        isRandomAccessPoint: Bool, isAcquisitionPoint: Bool, shows: Bool?
    )

    /// The time window to read.
    package var time: TimeWindow
    /// For streams whose packets build on each other; packets of other streams are independent.
    package var judges: [Int: Judge]
    /// For streams whose packets may state a longer duration than the container: the time before the window at
    /// which they may begin.
    package var reaches: [Int: Duration]

    /// Creates a window.
    package init(
        _ time: TimeWindow, judges: [Int: Judge] = [:], reaches: [Int: Duration] = [:]
    ) {
        self.reaches = reaches
        self.time = time
        self.judges = judges
    }
}

/// Chooses the targets that show what is on screen in a window, and at most a few more.
struct WindowedTargets {
    let window: IndexWindow
    let layout: SegmentLayout
    let limits: Limits
    let source: any RandomAccessSource
    let cancellation: Cancellation?

    /// The blocks that were read to choose the targets.
    private(set) var known: [IndexTarget: KnownBlock] = [:]
    /// The bytes of them.
    private var knownBytes = 0
    /// The bytes of blocks to keep; more are read again.
    private static let mostKnownBytes = 1 << 20
    /// The bytes that a block takes besides its own, at most.
    private static let blockCost = 256
    /// `false` if blocks are read one at a time, because one could not be read.
    private var readsSeveral: Bool
    /// The bytes to request of a block whose length is unknown: most display sets have fewer.
    private static let usualSet = 16 << 10
    /// The number of blocks to look at with one request.
    private static let mostAtOnce = 32

    init(
        window: IndexWindow, layout: SegmentLayout, limits: Limits,
        source: any RandomAccessSource, cancellation: Cancellation?
    ) {
        self.window = window
        self.layout = layout
        self.limits = limits
        self.source = source
        self.cancellation = cancellation
        readsSeveral = source.policy.concurrency > 1
    }

    /// Sets so far after the first one after the window may be needed, too.
    private static let closingTime = Timestamp.seconds(10)

    /// The number of packets before an acquisition point are searched for an epoch start.
    private static let lookBack = 64

    /// Blocks that begin this shortly before the window are read regardless of their indexed duration.
    private static let nearTime = Timestamp.seconds(30)

    /// The `targets` that are needed, in file order.
    mutating func chosen(
        from targets: [IndexTarget], tracks: [UInt64: BlockPacketizer]
    ) throws(UndertextError) -> [IndexTarget] {
        var byTrack: [UInt64: [IndexTarget]] = [:]
        for target in targets { byTrack[target.track, default: []].append(target) }
        var chosen: [IndexTarget] = []
        for (number, maker) in tracks {
            chosen += try self.chosen(from: byTrack[number] ?? [], maker)
        }
        return chosen.sorted { $0.precedes($1) }
    }

    /// The `witnesses` that may concern needed blocks, given the other needed ones in `chosen`.
    func chosen(
        fromWitnesses witnesses: [IndexTarget], besides chosen: [IndexTarget], timeBase: TimeBase
    ) -> [IndexTarget] {
        let reach = (window.reaches.values.max()).map(Timestamp.zero.advanced(by:)) ?? .zero
        let before = max(reach, Self.nearTime).ticks(in: timeBase) ?? 0
        let start = window.time.start.map { $0.ticks(in: timeBase) ?? 0 } ?? 0
        var earliest = UInt64(max(0, start.subtractingReportingOverflow(before).partialValue))
        var latest = window.time.end?.ticks(in: timeBase).map { UInt64(max(0, $0)) } ?? .max
        for target in chosen {
            earliest = min(earliest, target.time)
            latest = max(latest, target.time)
        }
        return witnesses.filter { witness in
            let end = witness.time.addingReportingOverflow(witness.duration ?? 0)
            return witness.time <= latest && (end.overflow || end.partialValue >= earliest)
        }
    }

    /// The targets of one track, in file order.
    private mutating func chosen(
        from targets: [IndexTarget], _ maker: BlockPacketizer
    ) throws(UndertextError) -> [IndexTarget] {
        // The times can be trusted without reading the blocks only if they increase with the positions.
        guard zip(targets, targets.dropFirst()).allSatisfy({ $0.time <= $1.time }) else {
            return targets
        }
        // Times are rounded to ticks, so one more on both sides.
        let start = ticks(window.time.start, maker).map { $0 > 0 ? $0 - 1 : 0 } ?? 0
        let end = ticks(window.time.end, maker).map { $0 < .max ? $0 + 1 : $0 } ?? .max
        guard let judge = window.judges[maker.streamIndex] else {
            // Indexed durations are not trusted for blocks that begin shortly before.
            let reach = window.reaches[maker.streamIndex].map(Timestamp.zero.advanced(by:))
            let near = start - min(start, ticks(max(reach ?? .zero, Self.nearTime), maker) ?? 0)
            // The first one after ends what has no length of its own; where packets say themselves
            // what they show, it may be a later one.
            var next = targets.lazy.map(\.time).filter { $0 >= end }.min() ?? end
            if reach != nil, let more = ticks(Self.closingTime, maker) {
                next += min(more, .max - next)
            }
            // The last one before is read to see that its time is what the index says.
            let last = targets.last { $0.time < near }?.time ?? 0
            return targets.filter { target in
                guard target.time <= next else { return false }
                if target.time >= near || target.time == last { return true }
                // Without an indexed duration, only the block states how long it lasts.
                let length = target.duration ?? .max - target.time
                return target.time.addingReportingOverflow(length).overflow
                    || target.time + length >= start
            }
        }
        // A later display set, possibly not the first one, ends the subtitle on screen at the end.
        var behind = targets.firstIndex { $0.time >= end } ?? targets.count
        if behind < targets.count {
            let time = targets[behind].time
            let reach = ticks(Self.closingTime, maker) ?? 0
            behind =
                targets[behind...].firstIndex { $0.time > time && $0.time - time > reach }
                ?? targets.count
        }
        // A set may be several packets, of which the first has the latest time.
        let first = targets.firstIndex { $0.time > start } ?? targets.count
        let entry =
            window.time.start == nil ? 0 : try self.entry(targets, before: first, judge, maker)
        return entry < behind ? Array(targets[entry..<behind]) : []
    }

    /// Returns the index at which reading must start to decode the content of the screen at `targets[place]`.
    private mutating func entry(
        _ targets: [IndexTarget], before place: Int, _ judge: IndexWindow.Judge,
        _ maker: BlockPacketizer
    ) throws(UndertextError) -> Int {
        var candidate = place
        var standIn: Int?
        // The one on screen and the one that ends it.
        if readsSeveral, place > 0 {
            try read(targets[place - 1...min(place, targets.count - 1)])
        }
        var atOnce = 4
        while candidate > 0 {
            if let standIn, standIn - candidate >= Self.lookBack { return standIn }
            candidate -= 1
            if readsSeveral, known[targets[candidate]] == nil {
                atOnce = min(2 * atOnce, Self.mostAtOnce)
                try read(targets[max(0, candidate + 1 - atOnce)...candidate])
            }
            guard let packet = try packet(at: targets[candidate], maker) else { continue }
            let (isRandomAccessPoint, isAcquisitionPoint, shows) = judge(packet)
            if candidate == place - 1, shows == false {
                // A screen that was cleared needs nothing from before, unless the next set builds on it.
                guard place < targets.count else { return place }
                let next = try self.packet(at: targets[place], maker)
                if next.map({ judge($0).isRandomAccessPoint }) ?? false { return place }
            }
            if isRandomAccessPoint { return candidate }
            if isAcquisitionPoint { standIn = standIn ?? candidate }
        }
        return 0
    }

    private mutating func packet(
        at target: IndexTarget, _ maker: BlockPacketizer
    ) throws(UndertextError) -> Packet? {
        var found = known[target]?.block
        if found == nil {
            var reader = reader([target])
            found = try reader.nextBlock()?.1
            if let found { keep(found, at: target, end: reader.readUntil) }
        }
        guard case .block(let block, let time)? = found else { return nil }
        var maker = maker
        return maker.packets(block, clusterTime: time).packets.first
    }

    private func reader(
        _ targets: [IndexTarget], _ purpose: IndexedBlockReader.Purpose = .all
    ) -> IndexedBlockReader {
        IndexedBlockReader(
            targets, source: source, layout: layout, limits: limits,
            cancellation: cancellation, askedBefore: 0, purpose: purpose)
    }

    /// Reads blocks of which at least one is needed, with as few requests as possible.
    ///
    /// One that cannot be read may not be needed: then each is read when it is.
    private mutating func read(_ targets: ArraySlice<IndexTarget>) throws(UndertextError) {
        let usual = known.values.map(\.byteCount).max() ?? Self.usualSet
        var reader = reader(
            targets.filter { known[$0] == nil }, .choice(bytes: min(usual, Self.usualSet)))
        defer { source.withdraw(reader.announced) }
        do throws(UndertextError) {
            while let (target, found) = try reader.nextBlock() {
                keep(found, at: target, end: reader.readUntil)
                guard knownBytes < Self.mostKnownBytes else {
                    readsSeveral = false
                    break
                }
            }
        } catch {
            let ends: [UndertextError.Code] = [.cancelled, .interrupted, .timeout]
            if ends.contains(error.code) { throw error }
            readsSeveral = false
        }
    }

    private mutating func keep(_ found: FoundBlock, at target: IndexTarget, end: UInt64) {
        guard knownBytes < Self.mostKnownBytes, let block = KnownBlock(found, end: end) else {
            return
        }
        knownBytes += block.byteCount + Self.blockCost
        known[target] = block
    }

    private func ticks(_ time: Timestamp?, _ maker: BlockPacketizer) -> UInt64? {
        time?.ticks(in: maker.timeBase).map { UInt64(max(0, $0)) }
    }
}
