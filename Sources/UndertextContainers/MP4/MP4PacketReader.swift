package import UndertextCore

/// Reads the samples of selected tracks of an MP4 file, and none of the others.
///
/// Samples are in file order, and those of a track in the order of its table; edit lists are applied. In
/// fragmented files, the headers of all fragments are read. Created by ``MP4File/packetReader(for:window:)``.
package final class MP4PacketReader: PacketReader {
    /// A track that packets are wanted of.
    private struct Wanted {
        let track: MP4Track
        let stream: Int
        var table: MP4SampleTable?
        var next: MP4Sample?
        /// Samples of the table that may still be looked at.
        var room: Int
        /// The sample entry of the packets.
        var entry = 0
    }

    private let file: MP4File
    private let window: TimeWindow
    private let size: UInt64
    private var wanted: [Wanted]
    private var fragments: [Int64: MP4FragmentTrack] = [:]
    private var ready = FirstInFirstOut<(track: Int, sample: MP4Sample)>()
    private var packets = FirstInFirstOut<Packet>()
    /// The offset at which the next fragment is searched for; `nil` if there are none.
    private var nextBox: UInt64?
    /// Boxes after `moov` that are still looked at.
    private var boxesLeft: Int
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private var missing: [Int: Int] = [:]
    private var isAtEnd = false
    /// The number of sample bytes that may still be returned.
    private var roomForBytes: UInt64

    /// The number of samples that are announced to the source at once.
    private static let ahead = 256

    init(
        _ file: MP4File, _ tracks: [(track: MP4Track, stream: Int)], window: TimeWindow,
        boxesAtMost: Int, diagnostics: DiagnosticSink
    ) throws(UndertextError) {
        self.diagnostics = diagnostics.section(capacity: 1000)
        self.file = file
        boxesLeft = boxesAtMost
        self.window = window
        size = file.source.size ?? .max
        roomForBytes = MP4ScanReader.bytesAtMost(ofFile: size)
        wanted = []
        for (track, stream) in tracks {
            var table = try MP4SampleTable(track.tables, file.boxes, limits: file.limits)
            var entry = Wanted(track: track, stream: stream, room: file.limits.cues)
            entry.next = table.next()
            entry.table = table
            wanted.append(entry)
            var state = MP4FragmentTrack(room: file.limits.cues)
            state.defaults = file.defaults[track.id] ?? MP4FragmentDefaults()
            fragments[track.id] = state
        }
        if file.isFragmented { nextBox = file.behindMovie }
        self.diagnostics.report(file.diagnostics)
    }

    /// The next packet of a chosen track; `nil` at the end.
    ///
    /// - Throws: `UndertextError` with code `io` or `cancelled`.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while !isAtEnd {
            if let packet = packets.popFirst() { return packet }
            if let (track, sample) = ready.popFirst() {
                try read(sample, of: track)
            } else if try !fill() {
                finish()
            }
        }
        return packets.popFirst()
    }

    // MARK: Finding samples

    /// Makes samples ready; `false` where there are no more.
    private func fill() throws(UndertextError) -> Bool {
        if file.cancellation?.isCancelled == true { throw UndertextError(.cancelled, "stopped") }
        var found = takeFromTables()
        while found.isEmpty, let box = try nextFragment() { found = try samples(of: box) }
        guard !found.isEmpty else { return nextBox != nil }
        let ranges = found.filter { isWanted($0.sample, of: $0.track) }.map { entry -> ByteRange in
            let rest = Int(clamping: size - min(size, entry.sample.offset))
            return ByteRange(
                offset: entry.sample.offset, count: min(entry.sample.size, rest))
        }
        file.source.prepare(ranges, first: false)
        for entry in found { ready.append(entry) }
        return true
    }

    /// The next samples that tables list, by their places.
    private func takeFromTables() -> [(track: Int, sample: MP4Sample)] {
        var found: [(track: Int, sample: MP4Sample)] = []
        while found.count < Self.ahead {
            var first: (track: Int, offset: UInt64)?
            for index in wanted.indices {
                guard let next = wanted[index].next else { continue }
                if first.map({ next.offset < $0.offset }) ?? true { first = (index, next.offset) }
            }
            guard let track = first?.track, let sample = wanted[track].next else { break }
            found.append((track, sample))
            wanted[track].room -= 1
            if wanted[track].room > 0 {
                wanted[track].next = wanted[track].table?.next()
            } else {
                wanted[track].next = nil
                reportTooMany(track)
            }
            guard wanted[track].next == nil else { continue }
            wanted[track].table = nil
            // Fragments continue at the end of the table.
            let end = sample.decodeTime.addingReportingOverflow(sample.duration ?? 0)
            fragments[wanted[track].track.id]?.nextTime = end.overflow ? 0 : end.partialValue
        }
        return found
    }

    /// The next `moof`; `nil` after the last one.
    private func nextFragment() throws(UndertextError) -> MP4Box? {
        while let offset = nextBox, boxesLeft > 0 {
            boxesLeft -= 1
            if file.cancellation?.isCancelled == true {
                throw UndertextError(.cancelled, "stopped")
            }
            guard let box = try file.boxes.box(at: offset, before: size) else {
                if offset < size {
                    diagnostics.report(
                        .error, "damaged-container", "there is no box at the expected offset",
                        byteOffset: offset)
                }
                break
            }
            nextBox = box.end
            guard box.type == "moof" else { continue }
            guard !box.isCut, box.end - box.start <= UInt64(max(0, file.limits.headerSize)) else {
                diagnostics.report(
                    .error, "damaged-container", "a fragment is cut off, or larger than allowed",
                    byteOffset: offset)
                continue
            }
            return box
        }
        nextBox = nil
        return nil
    }

    private func samples(
        of box: MP4Box
    ) throws(UndertextError) -> [(track: Int, sample: MP4Sample)] {
        let content = try file.boxes.all(of: box.content, limit: file.limits.headerSize, "moof")[
            ...]
        let fragment = MP4Fragment(content, at: box.start, in: size, tracks: &fragments)
        if fragment.isCut { reportTooMany(nil) }
        for (track, count) in fragment.missing {
            guard let index = wanted.firstIndex(where: { $0.track.id == track }) else { continue }
            missing[wanted[index].stream, default: 0] += count
        }
        return fragment.samples.compactMap { entry in
            wanted.firstIndex { $0.track.id == entry.track }.map { ($0, entry.sample) }
        }
    }

    private func reportTooMany(_ track: Int?) {
        diagnostics.report(
            .error, "too-many-samples",
            "a track, or a fragment, has more samples than allowed; the rest is left out",
            streamIndex: track.map { wanted[$0].stream })
    }

    // MARK: Reading samples

    private func isWanted(_ sample: MP4Sample, of track: Int) -> Bool {
        guard sample.size > 0, sample.size <= file.limits.packetSize else { return false }
        guard !window.isAll else { return true }
        let base = wanted[track].track.timeBase
        return wanted[track].track.edits.places(of: sample.time, duration: sample.duration)
            .contains { place in
                guard let start = Timestamp(ticks: place.start, timeBase: base) else { return true }
                guard let duration = place.duration, duration > 0,
                    let end = Timestamp(ticks: place.start &+ duration, timeBase: base)
                else { return true }
                return window.overlaps(from: start, until: end)
            }
    }

    private func read(_ sample: MP4Sample, of index: Int) throws(UndertextError) {
        guard isWanted(sample, of: index) else {
            if sample.size > file.limits.packetSize {
                diagnostics.report(
                    .error, "packet-too-large",
                    "a packet of \(sample.size) bytes is larger than allowed and was left out",
                    streamIndex: wanted[index].stream, byteOffset: sample.offset)
            }
            return
        }
        let places = wanted[index].track.edits.places(of: sample.time, duration: sample.duration)
        guard !places.isEmpty else { return }
        guard UInt64(sample.size) <= roomForBytes else {
            if roomForBytes > 0 {
                diagnostics.report(
                    .repeatedSamples(stream: wanted[index].stream, at: sample.offset))
            }
            roomForBytes = 0
            return
        }
        roomForBytes -= UInt64(sample.size)
        let data = try file.source.read(at: sample.offset, count: sample.size)
        guard !data.isEmpty else {
            missing[wanted[index].stream, default: 0] += 1
            return
        }
        var sideData: [SideData] = []
        if !sample.parts.isEmpty {
            var bytes: [UInt8] = []
            for part in sample.parts { bytes.appendBigEndian(part) }
            sideData.append(SideData(.subsampleSizes, bytes))
        }
        if sample.entry != wanted[index].entry {
            wanted[index].entry = sample.entry
            let entries = wanted[index].track.entries
            if entries.indices.contains(sample.entry) {
                sideData.append(SideData(.newExtradata, entries[sample.entry].body))
            }
        }
        for place in places {
            packets.append(
                Packet(
                    streamIndex: wanted[index].stream, pts: place.start, dts: place.start,
                    duration: place.duration, timeBase: wanted[index].track.timeBase,
                    isCorrupt: data.count < sample.size, position: sample.offset, data: data,
                    sideData: sideData))
        }
    }

    private func finish() {
        isAtEnd = true
        for (stream, count) in missing.sorted(by: { $0.key < $1.key }) {
            diagnostics.report(
                .error, "missing-samples",
                "\(count) \(count == 1 ? "sample is" : "samples are") beyond the end of the file",
                streamIndex: stream, byteOffset: size)
        }
    }
}

extension MP4File {
    /// A reader for the samples of selected tracks.
    ///
    /// - Parameters:
    ///   - streams: the track numbers, each with the stream index of its packets.
    ///   - window: the part of the timeline; samples outside of it are skipped.
    ///   - boxesAtMost: the maximum number of boxes after `moov` in which fragments are searched.
    ///   - diagnostics: the sink for damage.
    /// - Returns: the reader.
    /// - Throws: `UndertextError`: `unsupported` if a track's samples cannot be read, `limit` if a table is
    ///   larger than allowed, or errors of the source.
    package func packetReader(
        for streams: [Int64: Int], window: TimeWindow = .all, boxesAtMost: Int = .max,
        diagnostics: DiagnosticSink = .init()
    ) throws(UndertextError) -> MP4PacketReader {
        var chosen: [(track: MP4Track, stream: Int)] = []
        for (id, stream) in streams.sorted(by: { $0.value < $1.value }) {
            if let reason = refusal(ofTrack: id) {
                throw UndertextError(.unsupported, reason, path: source.name, streamIndex: stream)
            }
            chosen += tracks.filter { $0.id == id }.prefix(1).map { ($0, stream) }
        }
        return try MP4PacketReader(
            self, chosen, window: window, boxesAtMost: boxesAtMost, diagnostics: diagnostics)
    }
}
