internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats

/// A Matroska or WebM file: read by its index, by the headers of all blocks, or by a scan.
final class MatroskaDemuxer: ScanningDemuxer {
    private let file: MatroskaFile
    private let bytes: any RandomAccessSource

    private init(
        _ file: MatroskaFile, _ source: any RandomAccessSource, _ access: InputAccess
    ) throws(UndertextError) {
        self.file = file
        bytes = source
        try super.init(Found(access: access, description: file.description))
    }

    /// Opens a Matroska file.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        guard let source = candidate.access.source else { return nil }
        let (file, damage) = try file(in: source, candidate.access.options)
        guard let file else {
            candidate.refusal = damage?.message ?? candidate.refusal
            return nil
        }
        return try MatroskaDemuxer(file, source, candidate.access)
    }

    /// Reads the headers of an input that begins as EBML does, or says why they cannot be used.
    static func file(
        in source: any RandomAccessSource, _ options: Media.Options
    ) throws(UndertextError) -> (MatroskaFile?, UndertextError?) {
        guard try source.read(at: 0, count: 4) == [0x1A, 0x45, 0xDF, 0xA3] else {
            return (nil, nil)
        }
        do throws(UndertextError) {
            let file = try MatroskaFile(
                source: source, limits: options.limits,
                cancellation: options.cancellation ?? Cancellation())
            return (file, nil)
        } catch {
            // Inputs that exceed our limits are not passed on to libavformat.
            let ends: [UndertextError.Code] = [.cancelled, .io, .timeout, .nestedOpen, .limit]
            if ends.contains(error.code) { throw error }
            return (nil, error)
        }
    }

    /// Adds to libavformat's description the BCP 47 languages and the codecs that it has no name for.
    static func complete(
        _ description: inout ContainerDescription, by own: ContainerDescription
    ) {
        guard own.streams.count == description.streams.count else { return }
        for (index, stream) in own.streams.enumerated() {
            description.streams[index].language = stream.language
            description.streams[index].codec = stream.codec
            description.streams[index].kind = stream.kind
            description.streams[index].codecPrivate = stream.codecPrivate
            description.streams[index].packetCount = stream.packetCount
        }
    }

    override var diagnostics: [Diagnostic] { file.diagnostics }
    override var isSubtitleFile: Bool { false }
    override var isBeyondLimits: Bool { file.isBeyondLimits }
    override var readsVideo: Bool { false }

    override func addNativePaths(to plan: inout ReadPlan) throws(UndertextError) {
        let isOfVideo = description.streams.contains {
            $0.kind == .video && plan.streams.contains($0.index)
        }
        if isOfVideo {
            plan.refuse(.index, "captions are in every block of the video")
        } else if plan.allows(.index) {
            try addIndex(to: &plan)
        }
        if plan.allows(.walk) { addWalk(to: &plan) }
        // Comparing what libavformat reads would take every byte twice.
        if plan.allows(.scan), file.isDearToWalk {
            plan.add(.scan) { [file, plan] (_, diagnostics) throws(UndertextError) in
                try file.streamingReader(for: plan.streams, diagnostics: diagnostics)
            }
        }
    }

    /// Adds the index if it can be relied on.
    private func addIndex(to plan: inout ReadPlan) throws(UndertextError) {
        let proof: IndexProof
        switch try file.index(for: plan.streams) {
        case .refused(let reason): return plan.refuse(.index, reason)
        case .usable(let found): proof = found
        }
        plan.proof = proof.rawValue
        plan.add(.index) { [plan] (record, diagnostics) throws(UndertextError) in
            let blocks = BackgroundReading(self.bytes, self.options.cancellation, .sparse)
            let reader = try self.file.packetReader(
                for: plan.streams, window: self.indexWindow(plan), source: blocks.source,
                diagnostics: diagnostics, puller: blocks.pull)
            if blocks.source != nil { record.others.append { reader.statistics } }
            return reader
        }
    }

    private func addWalk(to plan: inout ReadPlan) {
        let isIndexed = plan.proof != nil
        let isTooDear = options.io == .auto && file.isDearToWalk
        plan.add(.walk) { [plan] (record, diagnostics) throws(UndertextError) in
            guard !isTooDear else {
                throw UndertextError(
                    .unsupported,
                    "a request for the header of each block takes longer there than reading "
                        + "everything")
            }
            let scouts = try self.file.scouts(for: plan.streams)
            let blocks = BackgroundReading(
                self.bytes, self.options.cancellation,
                .scouted { scouts.run($0, mayRead: $1) })
            let reader = try self.file.walkingReader(
                for: plan.streams, isIndexed: isIndexed, source: blocks.source,
                diagnostics: diagnostics, puller: blocks.pull)
            if blocks.source != nil { record.others.append { reader.statistics } }
            return reader
        }
    }

    override func scan(
        _ plan: ReadPlan, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> any PacketReader {
        let checked = CheckedScan(try openScan(plan, diagnostics), of: file, plan.streams)
        plan.record.checks.append(checked.losses)
        return checked
    }

    override func survey(
        _ streams: [StreamDescription], within bytes: UInt64, _ body: (Packet) -> Bool
    ) throws(UndertextError) {
        let reader = try file.walkingReader(
            for: Set(streams.map(\.index)), diagnostics: DiagnosticSink { _ in })
        var size = 0
        while size <= bytes, let packet = try reader.nextPacket() {
            size += packet.data.count
            if !body(packet) { return }
        }
    }

    override func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        try file.data(of: attachment)
    }

    /// Only the index states this; without a proof that it lists every block of the stream, nothing is known.
    override func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex? {
        guard case .usable = try file.index(for: [stream.index]),
            let summary = try file.indexFacts(ofStream: stream.index),
            // An index that lists only other streams contains no information on this one.
            summary.cues > 0
        else { return nil }
        var index = StreamIndex(isComplete: true, packets: summary.cues)
        index.cues = summary.cues
        index.first = summary.first
        index.last = summary.last
        index.coverage = summary.coverage
        return index
    }

    override func examined(
        _ description: ContainerDescription
    ) throws(UndertextError) -> ContainerDescription {
        guard !description.isIndexDamaged else { return description }
        var examined = description
        examined.isIndexDamaged = try file.hasWrongIndex()
        return examined
    }

    override func nativelyProbed() throws(UndertextError) -> ContainerDescription? {
        try file.probedDescription(as: FFmpegVersion.formatMajor)
    }

    override func probedByFFmpeg(deep: Bool) throws(UndertextError) -> ContainerDescription {
        var found = try access.demuxer(depth: deep ? .full : .headers).description
        Self.complete(&found, by: file.description)
        return found
    }
}
