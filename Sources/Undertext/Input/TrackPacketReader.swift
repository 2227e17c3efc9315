internal import UndertextContainers
package import UndertextCore
internal import UndertextFormats

/// Reads the packets of some tracks by the first of several paths that works; if that path fails later, the
/// next one continues.
///
/// The next path skips packets that were already returned, so callers notice no change.
package final class TrackPacketReader: PacketReader {
    /// The path by which packets are found now; a wrong index turns it into a walk on the way.
    package private(set) var path: ReadPath
    /// The paths that were refused or abandoned, with the reasons.
    package private(set) var refused: [ReadSummary.Refusal]

    private let plan: ReadPlan
    private var reader: any PacketReader
    private var later: ArraySlice<ReadPlan.Path>
    /// The packets that earlier paths returned.
    private var handedOut = HandedOutPlaces()
    /// The packets returned so far, as long as another path may follow.
    private var given = HandedOutPlaces()

    /// `nil` for text files, whose cues may come in any order.
    private var watch: TimestampDiscontinuityDetector?
    private var window: PacketWindow?
    /// Returns `true` as long as packets after the window are needed to end what is on screen in it.
    var needsMore: () -> Bool = { false }
    /// Packets that the window lets through.
    private var ready = FirstInFirstOut<Packet>()
    private let preparation: PacketTextPreparation?
    /// The indices of the text streams.
    private let texts: Set<Int>
    private var hasEnded = false
    private let diagnostics: DiagnosticSink
    /// The readers of the paths, then the preparation report after this reader.
    private let (ofPaths, ofPreparation): (DiagnosticSink, DiagnosticSink)

    /// Opens the first path of a plan that works; the error of the last one is thrown.
    init(
        _ plan: ReadPlan, window: PacketWindow?, streams: [StreamDescription],
        preparation: PacketTextPreparation?, isOrdered: Bool
    ) throws(UndertextError) {
        diagnostics = DiagnosticSink()
        ofPaths = diagnostics.section()
        ofPreparation = diagnostics.section()
        self.plan = plan
        self.window = window
        self.preparation = preparation
        texts = Set(streams.filter { $0.kind == .text }.map(\.index))
        watch = isOrdered ? TimestampDiscontinuityDetector(streams) : nil
        refused = plan.refused
        later = plan.paths
        do throws(UndertextError) {
            (path, reader) = try Self.open(&later, &refused, ofPaths)
        } catch {
            throw plan.explained(error)
        }
    }

    private static func open(
        _ later: inout ArraySlice<ReadPlan.Path>, _ refused: inout [ReadSummary.Refusal],
        _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> (ReadPath, any PacketReader) {
        while let next = later.popFirst() {
            let found = diagnostics.section()
            do throws(UndertextError) {
                return (next.path, try next.open(found))
            } catch {
                // Diagnostics of a path that is not taken are dropped.
                _ = found.take()
                // With a window the index is read, and may be found wrong, before the first packet.
                let mayGoOn = error.code == .unsupported || error.code == .indexMismatch
                guard mayGoOn, !later.isEmpty else { throw error }
                refused.append(.init(path: next.path, reason: error.message))
            }
        }
        throw UndertextError(.unsupported, "there is no way to read it")
    }

    /// The proof that the index is complete, or `nil` if no index is read.
    package var proof: String? { path == .index ? plan.proof : nil }

    /// The bytes, the requests and the paths of the reading so far.
    package var summary: ReadSummary {
        ReadSummary(path: path, proof: proof, refused: refused, statistics: plan.statistics)
    }

    /// Returns the next packet, or `nil` at the end of the input.
    ///
    /// - Throws: `UndertextError`: reading failed.
    package func nextPacket() throws(UndertextError) -> Packet? {
        guard var packet = try nextInWindow() else {
            if !hasEnded { diagnostics.report(plan.losses(isWhole: window?.isDone != true)) }
            hasEnded = true
            return nil
        }
        if let jump = watch?.check(packet) { diagnostics.report(jump) }
        if packet.hasNegativeLength, watch != nil, texts.contains(packet.streamIndex) {
            packet.duration = nil
            diagnostics.report(
                .warning, "negative-duration",
                "a packet ends before it starts: it lasts until the next one", for: packet)
        }
        if packet.isCorrupt {
            diagnostics.report(
                .error, "corrupt-packet", "a packet is cut off or damaged", for: packet)
        }
        guard let preparation else { return packet }
        return preparation.prepared(packet, diagnostics: ofPreparation)
    }

    private func nextInWindow() throws(UndertextError) -> Packet? {
        guard window != nil else { return try nextOfPath() }
        while true {
            if let packet = ready.popFirst() { return packet }
            guard window?.isDone == false || needsMore(), let packet = try nextOfPath() else {
                break
            }
            for packet in window?.add(packet) ?? [] { ready.append(packet) }
        }
        for packet in window?.finish() ?? [] { ready.append(packet) }
        return ready.popFirst()
    }

    private func nextOfPath() throws(UndertextError) -> Packet? {
        while true {
            do throws(UndertextError) {
                guard let packet = try reader.nextPacket() else { return nil }
                if handedOut.contains(packet) { continue }
                if path == .index, !later.isEmpty { given.insert(packet) }
                return packet
            } catch {
                guard error.code == .indexMismatch, !later.isEmpty, !given.isOverfull else {
                    throw error
                }
                refused.append(.init(path: path, reason: error.message))
                handedOut = given.sorted()
                given = HandedOutPlaces()
                (path, reader) = try Self.open(&later, &refused, ofPaths)
            }
        }
    }

    /// Returns cues that need no decoding, or `nil` if the next packet is to be taken.
    func nextPlainCues() -> PlainCues? {
        guard window == nil, preparation == nil else { return nil }
        return (reader as? any PlainCueReader)?.nextPlainCues(atMost: Self.plainCuesAtOnce)
    }

    /// Some tens of kilobytes, which stay in the processor's cache.
    private static let plainCuesAtOnce = 1024

    /// The diagnostics since the last call, without having ended the reading.
    package func takeDiagnostics() -> [Diagnostic] { diagnostics.take() }
}

/// The file offsets of returned packets, by stream.
///
/// A wrong index may name blocks in another order than that of the file, so the position of reading does not
/// determine which packets were returned.
struct HandedOutPlaces {
    private var byStream = StreamTable<[UInt64]>()
    private var count = 0
    private var latest: (stream: Int, position: UInt64)?
    /// `true` if there were more than are remembered.
    private(set) var isOverfull = false

    /// Places at most, of eight bytes each: four times what an index may name by default (`Limits.cues`).
    private static let limit = 4_000_000

    /// Records a packet; consecutive packets of one block have the same offset.
    mutating func insert(_ packet: Packet) {
        guard let position = packet.position,
            latest?.position != position || latest?.stream != packet.streamIndex
        else { return }
        latest = (packet.streamIndex, position)
        guard count < Self.limit else {
            isOverfull = true
            return
        }
        count += 1
        let place = byStream.position(of: packet.streamIndex, inserting: [])
        byStream[position: place].append(position)
    }

    /// The same offsets, sorted for ``contains(_:)``.
    consuming func sorted() -> HandedOutPlaces {
        byStream.changeAll { $0.sort() }
        return self
    }

    /// `true` if a packet of that offset was returned.
    mutating func contains(_ packet: Packet) -> Bool {
        guard count > 0, let position = packet.position,
            let place = byStream.position(of: packet.streamIndex)
        else { return false }
        let places = byStream[position: place]
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low] == position
    }
}

/// Notices when the clock of a stream jumps back, as joined transport streams do.
struct TimestampDiscontinuityDetector {
    /// The nanoseconds up to which a step back is reordering, not a jump.
    private static let tolerance: Int64 = 10_000_000_000

    private struct Clock {
        /// The rule of the stream, if its packets are parts of display sets.
        let rule: (any RandomAccessRule)?
        /// `true` if there is a rule, which is more expensive to copy.
        let hasRule: Bool
        var latest: Timestamp?

        init(rule: (any RandomAccessRule)? = nil) {
            self.rule = rule
            hasRule = rule != nil
        }
    }

    private var clocks: StreamTable<Clock>

    init(_ streams: [StreamDescription]) {
        clocks = StreamTable(
            streams.map { stream in
                let rule = SubtitleFormat.randomAccess(of: stream)
                return (
                    stream: stream.index, value: Clock(rule: rule.isTimedByFirstPacket ? rule : nil)
                )
            })
    }

    /// A diagnostic if `packet` lies far before what its stream has shown already.
    mutating func check(_ packet: Packet) -> Diagnostic? {
        guard let start = packet.start else { return nil }
        let place = clocks.position(of: packet.streamIndex, inserting: Clock())
        // Only a display set's first segment has to have its time right, and in some files no other has.
        if clocks[position: place].hasRule, let rule = clocks[position: place].rule,
            rule.role(of: packet.data).shows == nil
        {
            return nil
        }
        let before = clocks[position: place].latest
        clocks[position: place].latest = start
        guard let before, before > start else { return nil }
        let (step, overflow) = before.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        guard overflow || step > Self.tolerance else { return nil }
        return Diagnostic(
            .warning, "time-jump",
            "the clock jumps back by "
                + "\(decimalSeconds(Timestamp.zero.advanced(by: start.duration(to: before)))) s; cues "
                + "after the jump keep their stored times",
            streamIndex: packet.streamIndex, time: start, byteOffset: packet.position)
    }
}
