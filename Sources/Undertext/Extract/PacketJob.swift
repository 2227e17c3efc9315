internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// A track whose packets are written as they are stored.
final class PacketJob: TrackJob {
    private var writer: any PacketWriter
    /// The diagnostics of the writer.
    private let found: DiagnosticSink
    private let mapping: TimelineMapping
    private let isIdentity: Bool
    private let files: TrackFiles
    private var buffers: [[UInt8]]

    /// The rule of times within the packets; `nil` if there are none.
    private let inlineTimes: (any InlineTimeRule)?
    /// Changes the times within a packet; `nil` if they stay.
    private let changeInlineTimes: ((Packet) -> Packet)?

    init(
        _ report: TrackReport, writer: any PacketWriter, found: DiagnosticSink,
        mapping: TimelineMapping, files: TrackFiles
    ) {
        inlineTimes = SubtitleFormat(codec: report.stream.codec)?.inlineTimes
        changeInlineTimes = inlineTimes?.change(of: report.stream, by: mapping.change)
        self.writer = writer
        self.found = found
        self.mapping = mapping
        isIdentity = mapping.isIdentity
        self.files = files
        buffers = writer.fileExtensions.map { _ in [] }
        self.writer.begin(into: &buffers)
        super.init(report, isActive: true)
    }

    override func write(
        _ step: CueReader.Step, finishing cues: [Cue], _ reader: CueReader
    ) throws(UndertextError) {
        guard case .packet(let packet) = step else { return }
        if isIdentity {
            try add(packet, movedTo: packet)
        } else {
            let mapped = mapping.mapped(packet)
            if let note = mapped.note { report.record([note]) }
            guard let moved = mapped.packet else { return }
            if let note = mapping.cutEvent(packet, inlineTimes) { report.record([note]) }
            try add(packet, movedTo: moved)
        }
    }

    /// Writes a packet, given with its times on the clock of the output.
    private func add(
        _ packet: Packet, movedTo moved: Packet
    ) throws(UndertextError) {
        if !packet.sideData.isEmpty, packet.sideData(.webVTTHeader) != nil {
            report.record([.lateStyles(ofStream: packet.streamIndex, at: moved.start)])
        }
        let written: WrittenPacket
        if mapping.dependsOnEvent {
            let change = packet.start.flatMap { start in
                inlineTimes?.change(of: report.stream, by: mapping.change(ofEventAt: start))
            }
            written = writer.add(change?(moved) ?? moved, into: &buffers)
        } else if let changeInlineTimes {
            written = writer.add(changeInlineTimes(moved), into: &buffers)
        } else {
            written = writer.add(moved, into: &buffers)
        }
        report.record(found.take())
        if let spans = written.spans {
            for span in spans { report.count(start: span.start, end: span.end) }
        } else if written.cues.new > 0, let start = moved.start {
            report.count(written.cues.new, start: start, end: moved.end ?? start)
        }
        guard written.cues.total > 0 else { return }
        if !files.isOpen { try files.open() }
        try files.gather(&buffers)
    }

    override func finishOutputs(_ reader: CueReader) throws(UndertextError) -> [OutputRecord] {
        writer.finish(into: &buffers)
        for span in writer.takeSpans() ?? [] { report.count(start: span.start, end: span.end) }
        report.record(found.take())
        // A track without cues makes no file.
        guard writer.cueCount > 0 else { return [] }
        try files.write(&buffers)
        return try files.commit()
    }

    override func abandonOutputs() { files.abandon() }
}

extension TimelineMapping {
    /// Reports an event whose beginning is cut off while times within it count from there.
    fileprivate func cutEvent(
        _ packet: Packet, _ rule: (any InlineTimeRule)?
    ) -> Diagnostic? {
        guard let rule, view == .player, !isIdentity, let start = packet.start.map({ mapped($0) }),
            start < .zero, rule.isLateIfCut(packet)
        else { return nil }
        return Diagnostic(
            .warning, "cut-event",
            "an event that begins before the timeline is cut there: its syllables, fades and movements "
                + "are late by the missing part",
            streamIndex: packet.streamIndex, time: start, byteOffset: packet.position)
    }

    /// The packet with its times on this view's clock.
    ///
    /// - Returns: The packet, or `nil` if it ends before the clock starts or begins after the last
    ///   representable time; and a diagnostic, if any.
    func mapped(_ packet: Packet) -> (packet: Packet?, note: Diagnostic?) {
        guard !isIdentity, let pts = packet.pts else { return (packet, nil) }
        let base = packet.timeBase
        let stored = packet.start
        func place(_ ticks: Int64) -> Int64? {
            Timestamp(ticks: ticks, timeBase: base)
                .map { mapped($0, inEventAt: stored ?? $0) }?.ticks(in: base)
        }
        let time = stored.map { mapped($0) }
        guard let time, !isBeyond(time), let start = place(pts) else {
            let note = Diagnostic.timeOverflow(
                "a packet", isLost: true, streamIndex: packet.streamIndex, time: packet.start,
                byteOffset: packet.position)
            return (nil, note)
        }
        var moved = packet
        moved.pts = start
        moved.dts = packet.dts.flatMap(place)
        var note: Diagnostic?
        if let duration = packet.duration {
            // One tick less, since the last time is no whole number of ticks.
            let latest = Timestamp.distantFuture.ticks(in: base).map { $0 - 1 } ?? .max
            let end = mappedEnd(of: packet, from: start, duration).flatMap {
                $0 <= latest ? $0 : nil
            }
            let length = Int128(end ?? max(latest, start)) - Int128(start)
            moved.duration = Int64(clamping: length)
            if end == nil {
                note = .timeOverflow(
                    "a packet", isLost: false, streamIndex: packet.streamIndex, time: time,
                    byteOffset: packet.position)
            }
        }
        guard view == .player, start < 0 else { return (moved, note) }
        let rest = moved.duration.map { start.addingReportingOverflow($0) }
        guard let rest, !rest.overflow, rest.partialValue > 0 else {
            let note = Diagnostic(
                .warning, "before-zero",
                "a packet that ends before the timeline starts is left out",
                streamIndex: packet.streamIndex, time: time, byteOffset: packet.position)
            return (nil, note)
        }
        moved.pts = 0
        moved.dts = moved.dts.map { max(0, $0) }
        moved.duration = rest.partialValue
        return (moved, note)
    }

    /// Returns the end of a packet in its own ticks on this view's clock; `nil` if it is unknown.
    private func mappedEnd(of packet: Packet, from start: Int64, _ duration: Int64) -> Int64? {
        if retiming.isStretching {
            let stored = packet.end.map { mapped($0, inEventAt: packet.start ?? $0) }
            guard let end = stored, end != .distantFuture else { return nil }
            return end.ticks(in: packet.timeBase)
        }
        let (end, overflow) = start.addingReportingOverflow(duration)
        return overflow ? nil : end
    }
}
