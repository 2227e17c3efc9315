internal import UndertextCharsets
internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats

/// A container that libavformat can scan; the base of those that can be read in other ways besides.
class ScanningDemuxer: Demuxer {
    /// The results of opening a container.
    struct Found {
        let access: InputAccess
        var description: ContainerDescription
        /// libavformat, if it described the input.
        var describer: FFmpegDemuxer?
        /// The parts that are damaged or doubtful.
        var notes: [Diagnostic] = []
        /// The reason why a native demuxer that should read the input cannot.
        var refusal: String?
        /// The input if it can be read only once.
        var pipe: HeaderTee?
        /// The length that a pipe states itself.
        var statedSize: UInt64?
    }

    let description: ContainerDescription
    let access: InputAccess
    let charset: TextCharset?
    private let found: Found
    private let notes: [Diagnostic]
    /// libavformat, as long as it has only described the input.
    private(set) var describer: FFmpegDemuxer?
    /// libavformat for attachments: it read their bytes with the headers.
    private var attachmentReader: FFmpegDemuxer?
    /// The packets that libavformat has read already.
    private var surveyed: [Packet] = []

    init(_ found: Found) throws(UndertextError) {
        self.found = found
        access = found.access
        description = found.description
        describer = found.describer
        var guess: DecodedText?
        if found.describer != nil {
            guess = try CharsetGuess.text(in: access.source, description, access.options)
        }
        charset = guess?.charset
        notes = found.notes + (guess.map(CharsetGuess.doubt) ?? [])
    }

    var options: Media.Options { access.options }
    var source: (any RandomAccessSource)? { access.source }
    var isSubtitleFile: Bool { description.streams.allSatisfy { $0.kind == .text } }
    /// `true` if the headers hold more than libavformat could read in reasonable time.
    var isBeyondLimits: Bool { false }
    /// `true` if the video is read on the way to the subtitles.
    var readsVideo: Bool { true }
    /// Returns `true` if reading may start at a time, and gives the packets of `streams` of video from then on as reading from
    /// the beginning does.
    func startsWithin(_ streams: Set<Int>) -> Bool { false }
    /// Services that the container declares, by the index of the stream that carries them.
    var declaredServices: [Int: [DeclaredService]] { [:] }

    var diagnostics: [Diagnostic] {
        // The beginning of a pipe always looks truncated; only a file can be.
        guard source != nil, description.isIndexDamaged else { return notes }
        return [
            Diagnostic(
                .error, "truncated", "The file is cut off: its last box is incomplete.",
                byteOffset: source?.size)
        ]
    }

    final func readPlan(
        for streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        var plan = ReadPlan(streams, of: description, in: window, access, describer: describer)
        try addNativePaths(to: &plan)
        if plan.allows(.scan) { addScan(to: &plan) }
        return plan
    }

    /// Adds the paths that do without libavformat, or says why there are none.
    func addNativePaths(to plan: inout ReadPlan) throws(UndertextError) {
        refuseIndex(in: &plan)
        if plan.allows(.walk), let refusal = found.refusal {
            plan.refuse(.walk, refusal)
        } else if plan.preference == .walk {
            plan.refuse(
                .walk,
                source == nil
                    ? "the input can be read only from its beginning to its end"
                    : "it is not a Matroska, WebM or transport stream file")
        }
    }

    /// Records why there is no index.
    final func refuseIndex(in plan: inout ReadPlan) {
        guard plan.allows(.index) else { return }
        plan.refuse(.index, found.refusal ?? "the container has no index that we read")
    }

    /// Adds what reads the whole input.
    func addScan(to plan: inout ReadPlan) {
        let isSubtitleFile = description.streams.allSatisfy(\.kind.isSubtitle)
        plan.add(isSubtitleFile ? .file : .scan) {
            [plan] (record, diagnostics) throws(UndertextError) in
            let reader = try self.scan(plan, diagnostics)
            guard let pipe = self.found.pipe, let scanner = record.ffmpeg else { return reader }
            record.checks.append { isWhole in
                guard isWhole else { return [] }
                return self.cutBox(pipe) + self.truncation(at: scanner.statistics.bytesRead)
            }
            return reader
        }
    }

    /// Opens libavformat's reader of the whole input, and what checks it.
    func scan(
        _ plan: ReadPlan, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> any PacketReader {
        let isContinued = describer != nil
        let reader = try openScan(plan, diagnostics)
        let packets = surveyed.filter { plan.streams.contains($0.streamIndex) }
        surveyed = []
        return isContinued && !packets.isEmpty ? ContinuedReader(packets, reader) : reader
    }

    /// Reads the packets of video in the beginning of the input; what is read with libavformat comes again.
    ///
    /// - Parameters:
    ///   - streams: The streams.
    ///   - bytes: The bytes of the input to read at most.
    ///   - body: Receives each packet, and returns `false` to end the survey.
    /// - Throws: `UndertextError`: reading failed.
    func survey(
        _ streams: [StreamDescription], within bytes: UInt64, _ body: (Packet) -> Bool
    ) throws(UndertextError) {
        // Packets that come again are kept in memory, so only those of the beginning.
        guard readsVideo, let describer, surveyed.isEmpty, bytes <= CarriedServices.briefSurvey
        else {
            guard source != nil else { return }
            return try surveyWithOwnReader(streams, within: bytes, body)
        }
        let video = Set(streams.map(\.index))
        let subtitles = description.streams.filter(\.kind.isSubtitle).map(\.index)
        describer.select(video.union(subtitles))
        var size = 0
        while describer.position ?? 0 <= bytes, size <= bytes,
            let packet = try describer.nextPacket()
        {
            size += packet.data.count
            surveyed.append(packet)
            if video.contains(packet.streamIndex), !body(packet) { break }
        }
    }

    /// The same with a separate reader.
    final func surveyWithOwnReader(
        _ streams: [StreamDescription], within bytes: UInt64, _ body: (Packet) -> Bool
    ) throws(UndertextError) {
        let reader = try access.demuxer(depth: .headers)
        defer { reader.close() }
        reader.select(Set(streams.map(\.index)))
        while reader.position ?? 0 <= bytes, let packet = try reader.nextPacket() {
            if !body(packet) { return }
        }
    }

    /// Opens libavformat's reader of the whole input.
    ///
    /// - Parameters:
    ///   - plan: What is to be read.
    ///   - diagnostics: Gets what libavformat reports, also what it reported when it described the input.
    ///   - further: Options that the input was not described with.
    /// - Returns: The reader of the chosen streams.
    /// - Throws: ``UndertextError``.
    final func openScan(
        _ plan: ReadPlan, _ diagnostics: DiagnosticSink, options further: [String: String] = [:]
    ) throws(UndertextError) -> FFmpegDemuxer {
        guard !isBeyondLimits else {
            throw UndertextError(
                .limit, "its headers hold more than libavformat could read in reasonable time",
                path: access.input.argument)
        }
        let reader: FFmpegDemuxer
        if further.isEmpty, let describer {
            reader = describer
            attachmentReader = describer
            self.describer = nil
        } else {
            reader = try access.demuxer(depth: .headers, options: further)
        }
        reader.diagnostics.forward(to: diagnostics)
        reader.select(plan.streams)
        plan.record.ffmpeg = reader
        return reader
    }

    private func cutBox(_ pipe: HeaderTee) -> [Diagnostic] {
        guard pipe.isCutWithinBox else { return [] }
        return [
            Diagnostic(
                .error, "truncated", "the input is cut off: it ends within a box",
                byteOffset: pipe.statistics.bytesRead)
        ]
    }

    /// Reports that a pipe ended before the length that it states; libavformat takes any end for the end.
    final func truncation(at end: UInt64) -> [Diagnostic] {
        found.statedSize.map { Diagnostic.truncation(at: end, of: $0) } ?? []
    }

    func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        guard let index = attachment.streamIndex else {
            throw UndertextError(
                .unsupported, "the attachment has no stream", path: access.input.argument)
        }
        if attachmentReader == nil {
            if let describer {
                attachmentReader = describer
            } else {
                attachmentReader = try access.demuxer(depth: .headers)
            }
        }
        return try attachmentReader?.attachmentData(streamIndex: index) ?? []
    }

    func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex? { nil }

    func measured() throws(UndertextError) -> ContainerDescription? { nil }

    func examined(
        _ description: ContainerDescription
    ) throws(UndertextError) -> ContainerDescription {
        guard description.fileFormat == .avi, let source else { return description }
        var examined = description
        examined.isIndexDamaged = try AVIIndexCheck.isDamaged(source)
        return examined
    }

    func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription {
        // Inputs that exceed our limits are not passed on to libavformat.
        let isProbed = found.describer != nil && !deep
        guard !isProbed, !isBeyondLimits else { return description }
        if !deep, let probed = try nativelyProbed() { return probed }
        return try probedByFFmpeg(deep: deep)
    }

    /// Describes the container as ``probedByFFmpeg(deep:)`` does, if the native reader is sure what libavformat would report;
    /// otherwise returns `nil`.
    ///
    /// - Throws: `UndertextError` of the source.
    func nativelyProbed() throws(UndertextError) -> ContainerDescription? { nil }

    /// Describes the container by libavformat, with what libavformat ignores.
    ///
    /// - Throws: `UndertextError`, also if FFmpeg is not installed.
    func probedByFFmpeg(deep: Bool) throws(UndertextError) -> ContainerDescription {
        completed(try access.demuxer(depth: deep ? .full : .headers).description)
    }

    /// Adds to libavformat's description what libavformat ignores.
    func completed(_ description: ContainerDescription) -> ContainerDescription { description }
}

extension ScanningDemuxer {
    /// The maximum duration stored in packets of `streams`, by which an earlier packet can still be shown at a
    /// given time.
    func longestOwnEnd(of streams: Set<Int>) -> Duration {
        description.streams.filter { streams.contains($0.index) }
            .compactMap { SubtitleFormat.randomAccess(of: $0).longestOwnEnd }.max() ?? .zero
    }

    /// The rule by which an index selects the packets that are on screen in the window of a plan.
    func indexWindow(_ plan: ReadPlan) -> IndexWindow? {
        guard !plan.window.isAll else { return nil }
        var judges: [Int: IndexWindow.Judge] = [:]
        var reaches: [Int: Duration] = [:]
        for stream in description.streams where plan.streams.contains(stream.index) {
            let rule = SubtitleFormat.randomAccess(of: stream)
            guard !rule.isEveryPacketWhole else {
                reaches[stream.index] = rule.longestOwnEnd
                continue
            }
            judges[stream.index] = { packet in
                let role = rule.role(of: packet.data)
                return (role.isRandomAccessPoint, role.isAcquisitionPoint, role.shows)
            }
        }
        return IndexWindow(plan.window, judges: judges, reaches: reaches)
    }
}

extension ScanningDemuxer {
    /// Opens what libavformat takes, with the native paths of the container that it finds.
    static func describe(_ candidate: InputCandidate) throws(UndertextError) -> ScanningDemuxer {
        let access = candidate.access
        let beginning = try MP4Demuxer.Beginning(candidate)
        let matroska = try PipedMatroskaDemuxer.Beginning(candidate)
        if let opened = try matroska.undescribed(candidate) { return opened }
        let survey = try MP4Demuxer.survey(candidate)
        if let demuxer = try MP4Demuxer(describedByHeadersOf: candidate, survey) { return demuxer }
        if let demuxer = try TransportStreamDemuxer(describedByTablesOf: candidate) {
            return demuxer
        }
        let describer: FFmpegDemuxer
        do throws(UndertextError) {
            describer = try FFmpegDemuxer(
                beginning.input, options: access.demuxerOptions(depth: .headers))
        } catch {
            throw explained(error, candidate.textRefusals)
        }
        var found = Found(
            access: access, description: describer.description, describer: describer,
            notes: survey, refusal: candidate.refusal ?? matroska.damage?.message,
            pipe: beginning.pipe)
        if let demuxer = try MP4Demuxer(recognizedIn: found, beginning, candidate) {
            return demuxer
        }
        if let demuxer = try TransportStreamDemuxer(recognizedIn: found) { return demuxer }
        if let demuxer = try PipedMatroskaDemuxer(recognizedIn: found, matroska) { return demuxer }
        let (description, notes) = DVDPalettes.completed(
            found.description, path: access.localPath,
            matrix: access.options.decoding.colorMatrix)
        found.description = description
        found.notes = notes + matroska.notes(on: description) + survey
        return try ScanningDemuxer(found)
    }

    /// Adds to an error which formats of text were tried, and why each of them does not take the input.
    private static func explained(
        _ error: UndertextError, _ refusals: [SubtitleFormat.Refusal]
    ) -> UndertextError {
        guard error.code == .notMedia, !refusals.isEmpty else { return error }
        var explained = error
        explained.details = refusals.map { "not \($0.format.title): \($0.reason)" }
        return explained
    }
}
