internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextIO

/// An MPEG transport stream in a file: read by the headers of its packets, or by a scan.
final class TransportStreamDemuxer: ScanningDemuxer {
    init?(recognizedIn found: Found) throws(UndertextError) {
        guard found.access.source != nil, found.description.fileFormat == .mpegTS else {
            return nil
        }
        var found = found
        file = try Self.addVideo(to: &found)
        isSelfDescribed = false
        try super.init(found)
    }

    /// Creates a demuxer for an extraction of subtitles if the tables and the beginning describe the file without doubt,
    /// which does not need libavformat.
    init?(describedByTablesOf candidate: InputCandidate) throws(UndertextError) {
        let access = candidate.access
        let options = access.options
        guard options.readsPackets, options.io != .scan, access.ffmpegOptions.isEmpty,
            let source = access.source, source.policy.concurrency <= 1,
            candidate.head.first == 0x47 || candidate.head.dropFirst(4).first == 0x47
        else { return nil }
        let file: TransportStreamFile
        do throws(UndertextError) {
            file = try TransportStreamFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
        } catch {
            guard error.code == .notMedia else { throw error }
            return nil
        }
        guard let description = try TransportDescriber(file).description(),
            description.streams.contains(where: { $0.kind.isSubtitle })
        else { return nil }
        isSelfDescribed = true
        try super.init(Found(access: access, description: description))
    }

    /// `true` if libavformat was not asked for the description.
    private let isSelfDescribed: Bool

    /// The description of libavformat, if it was needed after all.
    private var measurement: ContainerDescription?

    override func measured() throws(UndertextError) -> ContainerDescription? {
        guard isSelfDescribed, measurement == nil else { return measurement }
        let found = try access.demuxer(depth: .headers)
        defer { found.close() }
        measurement = found.description
        return measurement
    }

    /// Marks the streams of video that libavformat lists as data, such as AV1.
    ///
    /// - Returns: The file as our own reader opened it, if there were streams to be recognized.
    private static func addVideo(
        to found: inout Found
    ) throws(UndertextError) -> TransportStreamFile? {
        guard let source = found.access.source,
            found.description.streams.contains(where: { $0.kind == .data })
        else { return nil }
        let options = found.access.options
        guard
            let file = try? TransportStreamFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
        else { return nil }
        for index in found.description.streams.indices
        where found.description.streams[index].kind == .data {
            let stream = found.description.streams[index]
            let entries = file.programs.flatMap(\.streams).filter { Int64($0.pid) == stream.id }
            let codecs = entries.reduce(into: Set<CodecID>()) { $0.formUnion($1.videoCodecs) }
            guard codecs.count == 1, let codec = codecs.first else { continue }
            found.description.streams[index].kind = .video
            found.description.streams[index].codec = codec
        }
        return file
    }

    /// The file as our own reader opened it, for the streams of video with captions.
    private var file: TransportStreamFile?
    /// The caption services of the present events, by the number of the program.
    private var eventServices: [Int: [TransportCaptionService]] = [:]
    /// The video streams whose packets may contain several frames.
    private var crowdedStreams: Set<Int> = []

    override var declaredServices: [Int: [DeclaredService]] {
        var declared: [Int: [DeclaredService]] = [:]
        for program in file?.programs ?? [] {
            for stream in program.streams where !stream.videoCodecs.isEmpty {
                // Stations describe captions in the program map, in the event table, or in both.
                let services =
                    (stream.descriptors + program.descriptors).flatMap(\.captionServices)
                    + (eventServices[program.number] ?? [])
                let index = description.streams.first { $0.id == Int64(stream.pid) }?.index
                guard let index, declared[index] == nil else { continue }
                declared[index] = services.compactMap(DeclaredService.init)
            }
        }
        return declared
    }

    /// Looks into the beginning of the file with our own reader, which does not wait for audio.
    override func survey(
        _ streams: [StreamDescription], within bytes: UInt64, _ body: (Packet) -> Bool
    ) throws(UndertextError) {
        guard let source else { return }
        let file = try TransportStreamFile(
            source: source, limits: options.limits, cancellation: options.cancellation)
        self.file = file
        eventServices = try file.eventCaptionServices(within: bytes)
        let readable = streams.filter { file.refusal(for: [$0]) == nil }
        // libavformat recognizes teletext without a descriptor by its contents.
        let others = streams.filter { stream in !readable.contains { $0.index == stream.index } }
        if !others.isEmpty { try surveyWithOwnReader(others, within: bytes, body) }
        guard !readable.isEmpty else { return }
        var extractors: [Int: CaptionExtractor] = [:]
        for stream in readable { extractors[stream.index] = CaptionExtractor(stream) }
        var ignored: [Packet] = []
        let reader = try file.packetReader(for: readable)
        while reader.position <= bytes, let packet = try reader.nextPacket() {
            if !body(packet) { break }
            extractors[packet.streamIndex]?.add(packet, to: &ignored)
            ignored.removeAll(keepingCapacity: true)
        }
        crowdedStreams = Set(
            extractors.filter { $0.value.hasSeveralPictures || $0.value.isAtField }.keys)
    }

    /// The time of each picture has to be stored: if several pictures share a packet, it depends on those before.
    override func startsWithin(_ streams: Set<Int>) -> Bool {
        file != nil && options.io != .scan && streams.isDisjoint(with: crowdedStreams)
    }

    override func addNativePaths(to plan: inout ReadPlan) throws(UndertextError) {
        refuseIndex(in: &plan)
        guard plan.allows(.walk), let source else { return }
        plan.add(.walk) { [plan] (record, diagnostics) throws(UndertextError) in
            let reader = try self.walk(plan, source, diagnostics)
            record.others.append { reader.statistics }
            return reader
        }
    }

    /// Opens the native reader.
    ///
    /// - Throws: `UndertextError` with code `unsupported` where libavformat has to read it, or what the
    ///   source throws.
    private func walk(
        _ plan: ReadPlan, _ source: any RandomAccessSource, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> TransportPacketReader {
        (source as? FileSource)?.advise(.sequential)
        do throws(UndertextError) {
            let file = try TransportStreamFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
            let video = plan.streams.filter { description.streams[$0].kind == .video }
            let background = BackgroundReading(source, options.cancellation)
            return try file.packetReader(
                for: description.streams.filter { plan.streams.contains($0.index) },
                window: indexWindow(plan), heads: Set(video).subtracting(crowdedStreams),
                source: background.source,
                diagnostics: diagnostics, puller: background.pull)
        } catch {
            (source as? FileSource)?.advise(.random)
            guard error.code == .notMedia else { throw error }
            throw UndertextError(.unsupported, error.message, path: access.input.argument)
        }
    }
}
