package import UndertextCore

/// Applies the edit lists of tracks to samples that libavformat read.
///
/// libavformat ends a cut sample at the edit, moves the next one to its beginning, and loses samples after an
/// edit without a length. It reports the file offset of each sample, and the sample tables contain the rest.
/// Created by ``MP4File/editingReader(_:for:)``.
package final class MP4EditingReader: PacketReader {
    /// A sample of a table.
    private struct Sample {
        var offset: UInt64
        var time: Int64
        var duration: Int64?
        /// The number of samples read at its position, if it is the first one there.
        var taken = 0
    }

    private struct Edited {
        let track: MP4Track
        /// By their places in the file.
        var samples: [Sample] = []

        /// Returns the presentation times of a sample, each sample once: libavformat repeats those that several
        /// edits show.
        ///
        /// - Returns: `nil` if there is no sample at that offset.
        mutating func take(at offset: UInt64) -> [(start: Int64, duration: Int64?)]? {
            let first = samples.partitioningIndex { $0.offset >= offset }
            guard first < samples.count, samples[first].offset == offset else { return nil }
            let index = first + samples[first].taken
            guard index < samples.count, samples[index].offset == offset else { return [] }
            samples[first].taken += 1
            return track.edits.places(of: samples[index].time, duration: samples[index].duration)
        }

        /// The number of visible samples that are missing.
        var missing: Int {
            var first = 0
            var count = 0
            for (index, sample) in samples.enumerated() {
                if samples[first].offset != sample.offset { first = index }
                guard index - first >= samples[first].taken else { continue }
                let places = track.edits.places(of: sample.time, duration: sample.duration)
                count += places.isEmpty ? 0 : 1
            }
            return count
        }
    }

    private let reader: any PacketReader
    private var tracks: [Int: Edited] = [:]
    private var ready = FirstInFirstOut<Packet>()
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private var isAtEnd = false

    init(
        _ reader: any PacketReader, _ file: MP4File, _ chosen: [(track: MP4Track, stream: Int)],
        _ diagnostics: DiagnosticSink
    ) throws(UndertextError) {
        self.reader = reader
        self.diagnostics = diagnostics.section()
        self.diagnostics.report(file.diagnostics)
        for (track, stream) in chosen {
            var edited = Edited(track: track)
            var table = try MP4SampleTable(track.tables, file.boxes, limits: file.limits)
            while edited.samples.count < file.limits.cues, let sample = table.next() {
                guard sample.size > 0 else { continue }
                edited.samples.append(
                    Sample(
                        offset: sample.offset, time: sample.time, duration: sample.duration))
            }
            // Sorting keeps the order of samples that share a place.
            edited.samples.sort { $0.offset < $1.offset }
            tracks[stream] = edited
        }
    }

    /// The next packet; `nil` at the end.
    ///
    /// - Throws: errors of the packet reader.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while true {
            if let packet = ready.popFirst() { return packet }
            guard !isAtEnd, let packet = try reader.nextPacket() else { break }
            guard let offset = packet.position,
                let places = tracks[packet.streamIndex]?.take(at: offset),
                let base = tracks[packet.streamIndex]?.track.timeBase
            else { return packet }
            for place in places {
                var placed = packet
                placed.pts = place.start
                placed.dts = place.start
                placed.duration = place.duration
                placed.timeBase = base
                ready.append(placed)
            }
        }
        if !isAtEnd { reportMissing() }
        isAtEnd = true
        return nil
    }

    private func reportMissing() {
        for (stream, edited) in tracks.sorted(by: { $0.key < $1.key }) {
            let count = edited.missing
            guard count > 0 else { continue }
            diagnostics.report(
                .error, "missing-samples",
                "\(count) \(count == 1 ? "sample" : "samples") that the edit list shows did not "
                    + "come from libavformat: read it as a file, by its tables",
                streamIndex: stream)
        }
    }
}

extension MP4File {
    /// The numbers of the tracks whose sample tables determine the effect of their edit lists.
    package var editedTracks: [Int64] {
        guard !isFragmented, !isCut else { return [] }
        return tracks.filter { $0.hasEdits && $0.timeBase.isValid }.map(\.id)
    }

    /// Returns the number of packets of the samples in a track's tables; `nil` if the tables cannot be read.
    ///
    /// - Throws: `UndertextError`: `limit` where a table is larger than allowed, or what the source throws.
    package func shownSamples(ofTrack id: Int64) throws(UndertextError) -> Int? {
        guard !isCut, let track = tracks.first(where: { $0.id == id }) else { return nil }
        var table = try MP4SampleTable(track.tables, boxes, limits: limits)
        var count = 0
        var left = limits.cues
        while left > 0, let sample = table.next() {
            left -= 1
            guard sample.size > 0, sample.size <= limits.packetSize else { continue }
            count += track.edits.places(of: sample.time, duration: sample.duration).count
        }
        return count
    }

    /// A reader that puts what `reader` gives of tracks with edit lists where those show it.
    ///
    /// - Parameters:
    ///   - reader: gives the samples of a scan with their places.
    ///   - streams: the tracks by their numbers, each with the index that its packets have.
    ///   - sink: gets what of the edit lists is not shown.
    /// - Returns: the reader; `reader` itself where there are no edit lists.
    /// - Throws: `UndertextError`: `limit` where a table is larger than allowed, or what the source throws.
    package func editingReader(
        _ reader: any PacketReader, for streams: [Int64: Int],
        diagnostics sink: DiagnosticSink = .init()
    ) throws(UndertextError) -> any PacketReader {
        let chosen = tracks.compactMap { track in
            track.hasEdits && track.timeBase.isValid ? streams[track.id].map { (track, $0) } : nil
        }
        guard !chosen.isEmpty else { return reader }
        guard !isFragmented, !isCut else {
            sink.section().report(diagnostics + chosen.compactMap(Self.note))
            return reader
        }
        return try MP4EditingReader(reader, self, chosen, sink)
    }

    /// The diagnostic for a track whose edit list libavformat applies.
    private static func note(_ track: MP4Track, _ stream: Int) -> Diagnostic? {
        // A delay, or one beginning, it applies as we do.
        guard track.edits.count > 1 else { return nil }
        return Diagnostic(
            .warning, "edit-list",
            "the edit list of track \(track.id) has several edits; a scan applies only the first",
            streamIndex: stream, remedy: .omit([.readPath], value: "scan"))
    }
}
