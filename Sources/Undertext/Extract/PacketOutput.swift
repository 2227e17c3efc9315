internal import SubtitleCodecs
internal import SubtitleFormats
internal import SystemIO

/// Packets of a track written as they are stored.
final class PacketOutput: TrackOutput {
    private var writer: any PacketWriter
    private let format: OutputFormat
    private let mapping: TimelineMapping
    private let targets: OutputTargets
    private let stream: StreamDescription
    private var files: [OutputTarget]?
    private var buffers: [[UInt8]]

    /// Changes the times within the text of a packet; `nil` where there are none, or they stay.
    private let changeInlineTimes: ((Packet) -> Packet)?

    init(
        writer: any PacketWriter, format: OutputFormat, mapping: TimelineMapping,
        targets: OutputTargets, stream: StreamDescription
    ) {
        changeInlineTimes = mapping.inlineChange(for: stream)
        self.writer = writer
        self.format = format
        self.mapping = mapping
        self.targets = targets
        self.stream = stream
        buffers = writer.fileExtensions.map { _ in [] }
        self.writer.begin(into: &buffers)
    }

    func consume(_ packet: Packet, _ report: inout TrackReport) throws(OutputError) {
        let before = writer.cueCount
        guard let moved = mapping.mapped(packet) else {
            report.record([
                Diagnostic(
                    .warning, "before-zero",
                    "a packet that ends before the timeline starts is left out",
                    streamIndex: packet.streamIndex, time: packet.start.map(mapping.mapped),
                    byteOffset: packet.position)
            ])
            return
        }
        if let note = mapping.cutEvent(packet, of: stream) { report.record([note]) }
        if packet.sideData(.webVTTHeader) != nil {
            report.record([.lateStyles(ofStream: packet.streamIndex, at: moved.start)])
        }
        writer.write(changeInlineTimes?(moved) ?? moved, into: &buffers)
        report.record(writer.takeDiagnostics())
        if let spans = writer.takeSpans() {
            for span in spans { report.count(start: span.start, end: span.end) }
        } else if writer.cueCount > before, let start = moved.start {
            for _ in before..<writer.cueCount {
                report.count(start: start, end: moved.end ?? start)
            }
        }
        try drain()
    }

    func finish(_ report: inout TrackReport) throws(OutputError) -> [OutputRecord] {
        writer.finish(into: &buffers)
        for span in writer.takeSpans() ?? [] { report.count(start: span.start, end: span.end) }
        report.record(writer.takeDiagnostics())
        try drain()
        guard let files else { return [] }
        return try targets.commit(files, format: format)
    }

    func abandon() { for file in files ?? [] { file.abandon() } }

    /// Hands on what was written.
    ///
    /// A track without cues makes no file, so nothing is opened before
    /// the first cue.
    private func drain() throws(OutputError) {
        guard writer.cueCount > 0 else { return }
        if files == nil { files = try targets.open() }
        guard let sinks = files else { return }
        for (index, sink) in sinks.enumerated() where !buffers[index].isEmpty {
            try sink.write(buffers[index])
            buffers[index].removeAll(keepingCapacity: true)
        }
    }
}

extension TimelineMapping {
    /// Tells of an event of a script whose beginning is cut off while times within it count from there.
    fileprivate func cutEvent(_ packet: Packet, of stream: StreamDescription) -> Diagnostic? {
        guard view == .player, !isIdentity, [.ass, .ssa].contains(stream.codec),
            let start = packet.start.map(mapped), start < .zero,
            packet.stretchingScriptTimes(by: TimeBase(2, 1)).data != packet.data
        else { return nil }
        return Diagnostic(
            .warning, "cut-event",
            "an event begins before the timeline does and is cut there: its syllables, fades and "
                + "movements come late by what is missing",
            streamIndex: packet.streamIndex, time: start, byteOffset: packet.position)
    }

    /// What becomes of the times within the text of a stream's packets.
    fileprivate func inlineChange(for stream: StreamDescription) -> ((Packet) -> Packet)? {
        if [.ass, .ssa].contains(stream.codec), retiming.isStretching {
            let speed = retiming.speed
            return { $0.stretchingScriptTimes(by: speed) }
        }
        return inlineMove(for: stream).map { move in
            { packet in
                var moved = packet
                moved.data = WebVTTInlineTimestamps.moved(packet.data, by: move)
                return moved
            }
        }
    }

    /// What becomes of the times within the text of a WebVTT stream's packets.
    fileprivate func inlineMove(for stream: StreamDescription) -> ((Timestamp) -> Timestamp)? {
        guard stream.codec == .webVTT, !isIdentity else { return nil }
        let origin = WebVTTInlineTimestamps.origin(
            stated: stream.inlineTimeOrigin, header: stream.codecPrivate)
        switch origin {
        case .timeline: return mapped
        case .packet:
            // They go along with the packet; only stretching changes them.
            guard retiming.isStretching else { return nil }
            let stretching = Retiming(speed: retiming.speed)
            return { stretching.applied(to: $0) }
        }
    }

    /// The packet with its times on this view's clock; `nil` if it ends before the clock starts.
    func mapped(_ packet: Packet) -> Packet? {
        guard !isIdentity else { return packet }
        func place(_ ticks: Int64) -> Int64? {
            Timestamp(ticks: ticks, timeBase: packet.timeBase).map(mapped)?
                .ticks(in: packet.timeBase)
        }
        var moved = packet
        moved.pts = packet.pts.flatMap(place)
        moved.dts = packet.dts.flatMap(place)
        if retiming.isStretching, let duration = packet.duration, let pts = packet.pts,
            let end = place(pts &+ duration), let start = moved.pts
        {
            moved.duration = end - start
        }
        guard view == .player, let start = moved.pts, start < 0 else { return moved }
        guard let duration = moved.duration, start + duration > 0 else { return nil }
        moved.pts = 0
        moved.dts = moved.dts.map { max(0, $0) }
        moved.duration = start + duration
        return moved
    }
}
