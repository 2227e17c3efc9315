package import UndertextCore

/// Makes packets of WebVTT cues out of the samples of a WebVTT track in MP4.
///
/// A sample there holds all cues that are on screen while it lasts, so a cue is cut where another one
/// begins or ends: its pieces are joined. The result equals that of a WebVTT file's reader:
/// cue text with identifier, settings and comments as side data, times within it those of the track.
/// ISO/IEC 14496-30, section 7.
package struct WVTTUnpacker: SampleUnpacker {
    package static var codec: CodecID { .webVTT }
    package static var sampleEntry: String { "wvtt" }

    /// Empty samples fill the gaps, and one sample may hold several cues.
    package static var keepsSampleCount: Bool { false }
    /// Times are put on the clock of the track when a sample is unpacked.
    package static var inlineTimeOrigin: InlineTimeOrigin? { .timeline }

    /// Finds the header of the file, `vttC` (section 7.5).
    package static func description(ofEntry content: [UInt8]) -> SampleEntryDescription {
        SampleEntryDescription(codecPrivate: WVTTSample.header(in: content))
    }

    /// A cue that may continue in the next sample.
    private struct Entry {
        var piece: WVTTSample.Piece
        var packet: Packet
        /// The known end; `nil` = the next sample.
        var end: Int64?
        var isClosed = false
    }

    /// Cues by their start, those that wait for an earlier one included.
    private var entries: [Entry] = []
    private var comments: [UInt8] = []
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// Cues that wait for an earlier one to end.
    private static let waitingAtMost = 1024

    /// Begins with nothing on screen.
    package init(diagnostics: DiagnosticSink = .init()) { self.diagnostics = diagnostics }

    /// Adds a sample; returns the cues that are complete.
    package mutating func add(_ packet: Packet) -> [Packet] {
        guard let start = diagnostics.start(of: packet), let pts = packet.pts else { return [] }
        let sample = WVTTSample(packet.data)
        if sample.isDamaged {
            diagnostics.report(
                .error, "damaged-sample", "a part of a sample is damaged and was left out",
                for: packet)
        }
        if sample.isCut {
            diagnostics.report(
                .error, "too-many-objects", "a sample has too many cues: the rest is left out",
                for: packet)
        }
        for comment in sample.comments {
            if !comments.isEmpty { comments += [0x0A, 0x0A] }
            comments += comment
        }
        for index in entries.indices where entries[index].end == nil {
            entries[index].end = max(pts, entries[index].packet.pts ?? pts)
        }
        var end: Int64?
        if let duration = packet.duration, duration > 0 {
            let sum = pts.addingReportingOverflow(duration)
            end = sum.overflow ? nil : sum.partialValue
        }
        take(sample, of: packet, from: start, until: end)
        return takeFinished()
    }

    /// The cues that are left at the end of the track.
    package mutating func finish() -> [Packet] {
        for index in entries.indices { entries[index].isClosed = true }
        var packets = takeFinished()
        if !comments.isEmpty, !packets.isEmpty {
            packets[packets.count - 1].sideData.append(SideData(.webVTTTrailer, comments))
        }
        comments = []
        return packets
    }

    private mutating func take(
        _ sample: WVTTSample, of packet: Packet, from start: Timestamp, until end: Int64?
    ) {
        let open = entries.indices.filter { !entries[$0].isClosed }
        var isTaken = Set<Int>()
        var fresh: [Entry] = []
        for piece in sample.pieces {
            let earlier = open.first { index in
                !isTaken.contains(index) && piece.continues(entries[index].piece)
                    && touches(entries[index], packet)
            }
            if let earlier {
                isTaken.insert(earlier)
                if let end { entries[earlier].end = max(end, entries[earlier].end ?? end) }
                if end == nil { entries[earlier].end = nil }
            } else {
                fresh.append(entry(of: piece, packet, from: start, until: end))
            }
        }
        for index in open where !isTaken.contains(index) { entries[index].isClosed = true }
        entries += fresh
        // The number of waiting cues is limited, regardless of the file.
        let surplus = entries.count - Self.waitingAtMost
        for index in 0..<max(0, surplus) { entries[index].isClosed = true }
    }

    /// Returns `true` if a sample begins at the end of a cue, to a millisecond or a tick.
    private func touches(_ entry: Entry, _ packet: Packet) -> Bool {
        guard entry.packet.timeBase == packet.timeBase, let pts = packet.pts else { return false }
        guard let end = entry.end else { return true }
        let (gap, overflow) = pts.subtractingReportingOverflow(end)
        let tolerance = max(1, Int64(packet.timeBase.denominator) / 1000)
        return !overflow && gap <= tolerance
    }

    private mutating func entry(
        of piece: WVTTSample.Piece, _ packet: Packet, from start: Timestamp, until end: Int64?
    ) -> Entry {
        var cue = packet
        cue.data = piece.text
        if let time = piece.time {
            cue.data = WebVTTInlineTimestamps.moved(piece.text) {
                start.advanced(by: time.duration(to: $0))
            }
        }
        cue.sideData.removeAll { $0.kind != .segment }
        if !piece.identifier.isEmpty {
            cue.sideData.append(SideData(.webVTTIdentifier, piece.identifier))
        }
        if !piece.settings.isEmpty {
            cue.sideData.append(SideData(.webVTTSettings, piece.settings))
        }
        if !comments.isEmpty {
            cue.sideData.append(SideData(.webVTTComment, comments))
            comments = []
        }
        return Entry(piece: piece, packet: cue, end: end)
    }

    /// The cues at the front that nothing can change any more.
    private mutating func takeFinished() -> [Packet] {
        let count = entries.firstIndex { !$0.isClosed } ?? entries.count
        let packets = entries[..<count].map { entry in
            var packet = entry.packet
            packet.duration = entry.end.flatMap { end in
                let length = end.subtractingReportingOverflow(packet.pts ?? end)
                return length.overflow || length.partialValue <= 0 ? nil : length.partialValue
            }
            return packet
        }
        entries.removeFirst(count)
        return packets
    }
}
