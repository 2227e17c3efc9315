internal import UndertextCore

/// The start of reading a part of a file.
struct TransportStart {
    /// From here on packets are examined: clocks and tables have to be known before the first one
    /// that matters.
    var offset: UInt64
    /// Packets that start before this offset are not returned.
    var firstPlace: Int64
    /// The references after which times are regarded as wrapped, by program; the beginning of the file decides.
    var references: [Int: PTSWrapReference]
}

/// Finds where reading has to start so that what is on screen at a time is known.
///
/// The clock is looked up at places all over the file. It has to run forward from each to the
/// next; where it does not, parts of the file may have the same times, and only reading from the
/// beginning finds them all.
struct TransportSeek {
    let file: TransportStreamFile
    let chosen: [TransportScan.Choice]
    let judges: [Int: IndexWindow.Judge]
    /// The time whose screen content is needed.
    let time: Timestamp
    /// The number of bytes before acquisition points that are searched for epoch starts.
    var lookBack: UInt64 = 64 << 20

    /// Packets are stored so long before they are shown at most, in ticks of 1/90000 s.
    private static let lead: Int64 = 20 * 90_000
    /// The number of bytes in which the first times are expected.
    private static let headLength: UInt64 = 8 << 20

    /// The offset to start at; `nil` for the beginning of the file.
    func start() throws(UndertextError) -> TransportStart? {
        guard let ticks = time.ticks(in: .mpeg) else { return nil }
        let head = TransportScan(file, chosen)
        guard let references = try head.firstTimes(within: Self.headLength),
            let clockPID = head.clockPIDs.first?.first,
            head.clockPIDs.allSatisfy({ $0.first == clockPID }),
            let program = file.tables.programs.first(where: { $0.clockPID == clockPID }),
            let reference = references[program.number]
        else { return nil }
        let samples = ClockSamples(file: file, clockPID: clockPID, reference: reference)
        let (target, isTooEarly) = ticks.subtractingReportingOverflow(Self.lead)
        guard !isTooEarly, let places = try samples.places(before: target), places.count > 2 else {
            return nil
        }
        return try start(places, references)
    }

    /// The state of a seek for a stream.
    ///
    /// Even if the screen is clear at the time, later display sets may need earlier ones.
    private struct Need {
        /// The offset of the last random access point; `nil` if it was not found yet.
        var entry: Int64?
        /// The position of the last acquisition point.
        var standIn: Int64?
    }

    /// Goes back from place to place until every stream has a packet to start with.
    private func start(
        _ places: [UInt64], _ references: [Int: PTSWrapReference]
    ) throws(UndertextError) -> TransportStart? {
        var needs: [Int: Need] = [:]
        for choice in chosen { needs[choice.index] = Need() }
        // One place is left before the found one for clocks and tables.
        var candidate = places.count - 1
        var end: UInt64?
        var step = 1
        // Every stream had an epoch start or an acquisition point.
        var enough: UInt64?
        while candidate > 0 {
            let place = places[candidate]
            try look(from: place, to: end, references, &needs)
            if enough == nil, needs.values.allSatisfy({ ($0.entry ?? $0.standIn) != nil }) {
                enough = place
            }
            let isSpent = enough.map { $0 > place && $0 - place >= lookBack } ?? false
            let found = needs.values.compactMap { $0.entry ?? (isSpent ? $0.standIn : nil) }
            if found.count == needs.count, let first = found.min() {
                return TransportStart(
                    offset: places[candidate - 1], firstPlace: first, references: references)
            }
            end = places[candidate]
            candidate -= step
            step *= 2
        }
        return nil
    }

    /// Looks at the packets of a part of the file; without an end up to the time.
    private func look(
        from place: UInt64, to end: UInt64?, _ references: [Int: PTSWrapReference],
        _ needs: inout [Int: Need]
    ) throws(UndertextError) {
        let start = TransportStart(offset: place, firstPlace: .min, references: references)
        let scan = TransportScan(file, chosen, from: start)
        var found = needs.filter { $0.value.entry == nil }
        let known = found.compactMapValues(\.standIn)
        while let batch = scan.nextBatch() {
            if let failure = batch.failure { throw failure }
            var isBehind = false
            for packet in batch.packets {
                guard let shown = packet.start, let place = packet.position,
                    var need = found[packet.streamIndex]
                else { continue }
                if shown > time {
                    isBehind = true
                    continue
                }
                if end.map({ place >= $0 }) ?? false { continue }
                note(packet, Int64(clamping: place), &need)
                found[packet.streamIndex] = need
            }
            if let end {
                if batch.position > end + UInt64(PacketScanner.blockLength) { break }
            } else if isBehind || isBehindTime(scan.clock) {
                break
            }
        }
        // Earlier findings are after all of this.
        for (index, need) in found {
            needs[index] = Need(entry: need.entry, standIn: known[index] ?? need.standIn)
        }
    }

    private func note(_ packet: Packet, _ place: Int64, _ need: inout Need) {
        guard let judge = judges[packet.streamIndex] else {
            need.entry = place
            return
        }
        let (isRandomAccessPoint, isAcquisitionPoint, _) = judge(packet)
        if isRandomAccessPoint { need.entry = place }
        if isAcquisitionPoint { need.standIn = place }
    }

    /// Packets are shown no earlier than their program's clock.
    private func isBehindTime(_ clock: Int64?) -> Bool {
        guard let clock, let ticks = time.ticks(in: .mpeg) else { return false }
        return clock - Self.lead > ticks
    }
}
