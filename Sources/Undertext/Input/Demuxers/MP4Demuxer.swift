internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats
internal import UndertextIO

/// An MP4 or QuickTime file: read by the tables of its samples, fragment by fragment, or by a scan.
final class MP4Demuxer: ScanningDemuxer {
    /// The beginning of an input before libavformat reads it.
    struct Beginning {
        /// The input for libavformat.
        let input: DemuxInput
        /// The input if libavformat can read it only once.
        let pipe: HeaderTee?
        /// The reason why packets cannot be read: on an input without seeking, the media data precede the
        /// sample tables.
        let refusal: UndertextError?

        init(_ candidate: InputCandidate) throws(UndertextError) {
            let found = try candidate.demuxInput()
            guard let pipe = candidate.pipe, MP4Header.hasMediaFirst(pipe.head) else {
                (input, pipe, refusal) = (found, candidate.pipe, nil)
                return
            }
            (input, self.pipe, refusal) =
                pipe.isWhole
                ? (.source(pipe.head), nil, nil) : (found, pipe, Self.refusal(pipe.name))
            if candidate.access.options.readsPackets, let refusal { throw refusal }
        }

        private static func refusal(_ name: String) -> UndertextError {
            UndertextError(
                .unsupported,
                "its index (moov) follows the media, and this input cannot seek; save it to a file "
                    + "first, or move moov to the front: ffmpeg -i IN.mp4 -map 0 -c copy -movflags "
                    + "+faststart OUT.mp4",
                path: name)
        }
    }

    /// Sample entries whose samples are packets as they are.
    private static let readableEntries: Set<String> = [
        "tx3g", "text", "wvtt", "stpp", "mp4s", "c608", "c708",
    ]

    /// The tracks, or those that the beginning of a pipe lists; `nil` if there is no list of tracks.
    private let file: MP4File?
    private let refusal: UndertextError?
    /// `true` if ``description`` is all that a probe reports.
    private let isProbed: Bool

    /// Creates a demuxer if libavformat describes the input as MP4.
    init?(
        recognizedIn found: Found, _ beginning: Beginning, _ candidate: InputCandidate
    ) throws(UndertextError) {
        guard [.mp4, .mov].contains(found.description.fileFormat) else { return nil }
        file = try Self.file(in: candidate.header, found.access.options)
        refusal = beginning.refusal
        isProbed = true
        var found = found
        Self.complete(
            &found.description, file, header: candidate.header,
            isWhole: found.access.source != nil, limits: found.access.options.limits)
        try super.init(found)
    }

    /// Creates a demuxer if the headers describe the file without doubt, which does not need libavformat: for an extraction of
    /// subtitles what that needs, otherwise all that a probe reports.
    ///
    /// - Parameters:
    ///   - candidate: The input.
    ///   - notes: What was found before; then libavformat is asked.
    /// - Throws: `UndertextError` of the source.
    init?(
        describedByHeadersOf candidate: InputCandidate, _ notes: [Diagnostic]
    ) throws(UndertextError) {
        let access = candidate.access
        let options = access.options
        guard options.io != .scan, notes.isEmpty, let source = access.source,
            let file = try Self.file(in: source, options)
        else { return nil }
        let describer = MP4Describer(file)
        let found =
            options.readsPackets
            ? try describer.description()
            : try describer.probedDescription(as: FFmpegVersion.formatMajor)
        guard var description = found,
            !options.readsPackets || description.streams.contains(where: { $0.kind.isSubtitle }),
            options.tracks?.namesCaptions(besides: description.streams.count) != true
        else { return nil }
        self.file = file
        refusal = nil
        isProbed = !options.readsPackets
        Self.complete(
            &description, file, header: source, isWhole: true, limits: options.limits)
        try super.init(Found(access: access, description: description))
    }

    /// Refuses a file whose tables would cost libavformat more than they are long, and spares it long edit lists.
    static func survey(_ candidate: InputCandidate) throws(UndertextError) -> [Diagnostic] {
        let access = candidate.access
        guard let header = candidate.header,
            let survey = try MP4TableSurvey(
                source: header, limits: access.options.limits,
                cancellation: access.options.cancellation)
        else { return [] }
        if let excess = survey.excess { throw UndertextError(.limit, excess, path: header.name) }
        guard survey.hasManyEdits else { return [] }
        access.ffmpegOptions["advanced_editlist"] = "0"
        return [
            Diagnostic(
                .warning, "too-many-edits",
                "only the beginning of an edit list of \(survey.edits) edits is applied")
        ]
    }

    private static func file(
        in source: (any RandomAccessSource)?, _ options: Media.Options
    ) throws(UndertextError) -> MP4File? {
        guard let source else { return nil }
        // Announcing the samples of a cached file would take as long as reading them.
        let announced: any RandomAccessSource = source is FileSource ? DiskSource(source) : source
        do throws(UndertextError) {
            return try MP4File(
                source: announced, limits: options.limits, cancellation: options.cancellation)
        } catch {
            guard error.code == .notMedia || error.code == .limit else { throw error }
            return nil
        }
    }

    override var readsVideo: Bool { false }

    override func nativelyProbed() throws(UndertextError) -> ContainerDescription? {
        if isProbed, describer == nil { return description }
        guard source != nil, let file else { return nil }
        return try MP4Describer(file).probedDescription(as: FFmpegVersion.formatMajor)
            .map(completed)
    }

    override func completed(_ description: ContainerDescription) -> ContainerDescription {
        var completed = description
        Self.complete(&completed, file, header: source, isWhole: true, limits: options.limits)
        return completed
    }

    /// Reads the index of the tables or the headers of the fragments; of a pipe libavformat reads both.
    override func addNativePaths(to plan: inout ReadPlan) throws(UndertextError) {
        if let refusal { throw refusal }
        guard let file, source != nil else { return try super.addNativePaths(to: &plan) }
        if plan.allows(.index) { addTables(of: file, to: &plan) }
        if plan.allows(.walk) { addFragments(of: file, to: &plan) }
    }

    /// Adds the tables, if they list all samples and can be read.
    private func addTables(of file: MP4File, to plan: inout ReadPlan) {
        let reason =
            file.isFragmented
            ? "its samples are listed fragment by fragment" : sampleRefusal(file, plan.streams)
        if let reason { return plan.refuse(.index, reason) }
        plan.add(.index) { [plan] (_, diagnostics) throws(UndertextError) in
            try self.reader(file, plan, diagnostics)
        }
    }

    /// Adds the walk over the fragments, or says why not.
    private func addFragments(of file: MP4File, to plan: inout ReadPlan) {
        guard file.isFragmented else {
            if plan.preference == .walk {
                plan.refuse(.walk, "its samples are listed in tables, an index")
            }
            return
        }
        let isDear = source.map { $0.policy.concurrency > 1 } ?? true
        var reason = sampleRefusal(file, plan.streams)
        if reason == nil, plan.preference == .auto, isDear, file.tracks.count > plan.streams.count {
            reason =
                "a request for the header of each fragment takes longer there than reading "
                + "everything"
        }
        if let reason { return plan.refuse(.walk, reason) }
        plan.add(.walk) { [plan] (_, diagnostics) throws(UndertextError) in
            try self.reader(file, plan, diagnostics)
        }
    }

    private func reader(
        _ file: MP4File, _ plan: ReadPlan, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> MP4PacketReader {
        try file.packetReader(
            for: trackIDs(of: plan.streams), window: isWhole(plan.streams) ? plan.window : .all,
            diagnostics: diagnostics)
    }

    override func scan(
        _ plan: ReadPlan, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> any PacketReader {
        try refuseCrowdedFragments()
        // Media that libavformat omits because of an edit list are not read.
        let isEdited = hasEdits(plan.streams)
        let scanner = try openScan(
            plan, diagnostics, options: isEdited && source != nil ? ["ignore_editlist": "1"] : [:])
        skip(to: plan, in: scanner, isEdited: isEdited)
        var reader: any PacketReader = scanner
        if let size = access.size ?? description.size {
            reader = MP4ScanReader(reader, size: size, diagnostics: diagnostics)
        }
        if let file {
            reader = try file.editingReader(
                reader, for: trackIDs(of: plan.streams), diagnostics: diagnostics)
        }
        let counted = CountedScan(
            reader, expected: plan.window.isAll ? sampleCounts(plan.streams) : [:])
        plan.record.checks.append { isWhole in isWhole ? counted.losses : [] }
        return counted
    }

    /// Skips content before the window: each track has its own index.
    ///
    /// In other containers libavformat seeks to a video frame, and cues that began earlier are lost.
    private func skip(to plan: ReadPlan, in reader: FFmpegDemuxer, isEdited: Bool) {
        // The duration stored in a packet may exceed that of its sample.
        let start = plan.window.start?.advanced(by: .zero - longestOwnEnd(of: plan.streams))
        // Cues of samples may begin in earlier ones, and edits are another clock.
        guard let start, let stream = plan.streams.min(), !isEdited,
            !description.streams.contains(where: { plan.streams.contains($0.index) && $0.isSampled }
            )
        else { return }
        // If it fails, the entire file is read.
        try? reader.seek(to: start, stream: stream)
    }

    /// Refuses a scan of fragments that stand for more samples than the file can have.
    ///
    /// Of a file on a server that would be a request for each fragment.
    private func refuseCrowdedFragments() throws(UndertextError) {
        guard let source, source.policy.concurrency <= 1, file?.isFragmented == true,
            let survey = try MP4TableSurvey(
                source: source, allFragments: true, limits: options.limits,
                cancellation: options.cancellation),
            let excess = survey.excess
        else { return }
        throw UndertextError(.limit, excess, path: source.name)
    }

    /// The number of packets, if tables list all samples.
    override func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex? {
        guard let file, let id = stream.id else { return nil }
        guard !file.isFragmented, sampleRefusal(file, [stream.index]) == nil else {
            return StreamIndex(isComplete: false, packets: nil)
        }
        let isCounted = SubtitleFormat.sampleUnpacker(of: stream)?.keepsSampleCount ?? true
        let count = isCounted ? try? file.shownSamples(ofTrack: id) : nil
        return StreamIndex(isComplete: source != nil, packets: count)
    }
}

// MARK: Tracks

extension MP4Demuxer {
    /// The reason why the native reader cannot read the samples of `streams`, or `nil` if it can.
    ///
    /// Encrypted tracks are left to libavformat.
    private func sampleRefusal(_ file: MP4File, _ streams: Set<Int>) -> String? {
        for stream in description.streams where streams.contains(stream.index) {
            let tag = stream.details?.codecTagString ?? ""
            guard let id = stream.id, Self.readableEntries.contains(tag) else {
                return "samples of '\(tag)' are read by libavformat"
            }
            let places = file.tracks.count { $0.id == id }
            guard places == 1 else { return "\(places) tracks have the number \(id)" }
            if let reason = file.refusal(ofTrack: id) { return reason }
        }
        return nil
    }

    /// The tracks of `streams` by their numbers.
    private func trackIDs(of streams: Set<Int>) -> [Int64: Int] {
        var tracks: [Int64: Int] = [:]
        for stream in description.streams where streams.contains(stream.index) {
            if let id = stream.id { tracks[id] = stream.index }
        }
        return tracks
    }

    /// Returns `true` if the sample tables of `streams` determine the effect of their edit lists.
    private func hasEdits(_ streams: Set<Int>) -> Bool {
        let tracks = trackIDs(of: streams)
        return file?.editedTracks.contains { tracks[$0] != nil } ?? false
    }

    /// The number of packets that libavformat makes of each stream whose tables without edits state it.
    private func sampleCounts(_ streams: Set<Int>) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        for stream in description.streams where streams.contains(stream.index) {
            guard let file, let id = stream.id, !file.isFragmented, !hasEdits([stream.index]),
                sampleRefusal(file, [stream.index]) == nil
            else { continue }
            counts[stream.index] = try? file.shownSamples(ofTrack: id)
        }
        return counts
    }

    /// Returns `true` if each sample of `streams` says all of what is on screen while it lasts.
    ///
    /// Cues of WebVTT and TTML begin in earlier samples, and units of DVDs may last longer than theirs.
    private func isWhole(_ streams: Set<Int>) -> Bool {
        description.streams.allSatisfy { stream in
            !streams.contains(stream.index) || !stream.isSampled && stream.kind == .text
        }
    }
}

// MARK: Description

extension MP4Demuxer {
    /// Documents that are looked at for whether they show images.
    private static let documentsAtMost = 3
    /// The maximum number of boxes after `moov` in which a fragment with a document is searched, unless images
    /// are declared.
    private static let boxesAtMost = 32

    /// Adds to libavformat's description the languages of tracks and what our own reader finds of text tracks.
    private static func complete(
        _ description: inout ContainerDescription, _ file: MP4File?,
        header: (any RandomAccessSource)?,
        isWhole: Bool, limits: Limits
    ) {
        if let header {
            let header = MP4Header(source: header)
            // The beginning of a pipe always looks truncated; only a file can be.
            if isWhole { description.isIndexDamaged = header.isCutOff }
            for (index, stream) in description.streams.enumerated() {
                guard let id = stream.id, let language = header.byTrackID[id] else { continue }
                description.streams[index].language = language
            }
        }
        description.drmInfo = file?.drmInfo
        for index in description.streams.indices {
            let stream = description.streams[index]
            guard stream.kind.isSubtitle else { continue }
            let track = file?.tracks.first { $0.id == stream.id }
            description.streams[index].area = track?.area
            guard let unpacker = SubtitleFormat.sampleUnpacker(of: stream) else { continue }
            if let origin = unpacker.inlineTimeOrigin {
                description.streams[index].inlineTimeOrigin = origin
            }
            guard let file, let track else { continue }
            let entry = unpacker.description(ofEntry: track.entryContent)
            if let header = entry.codecPrivate {
                description.streams[index].codecPrivate = header
            }
            if unpacker.mayHoldImages {
                lookForImages(in: &description.streams[index], track, file, limits, unpacker)
            }
        }
    }

    /// Changes a track of documents that contain only images to a bitmap track.
    private static func lookForImages(
        in stream: inout StreamDescription, _ track: MP4Track, _ file: MP4File, _ limits: Limits,
        _ unpacker: any SampleUnpacker.Type
    ) {
        // Finding the first fragment with a sample may take long, and files with images mostly declare them.
        let entry = unpacker.description(ofEntry: track.entryContent)
        let samples = try? file.packetReader(
            for: [track.id: stream.index], boxesAtMost: entry.namesImages ? .max : boxesAtMost)
        guard let samples else { return }
        let reader = SampleUnpackingReader(
            samples, [stream], diagnostics: DiagnosticSink { _ in })
        var size: PixelSize?
        var hasImages = false
        for _ in 0..<documentsAtMost {
            guard let packet = try? reader.nextPacket(),
                let facts = unpacker.summary(of: packet.data, limits: limits)
            else { break }
            if facts.hasText { return }
            hasImages = hasImages || facts.hasImages
            size = size ?? facts.size
        }
        guard hasImages else { return }
        stream.kind = .bitmap
        stream.size = size ?? stream.size
    }
}

/// A scan of an MP4 file through libavformat, whose packets are compared with the number of samples in the tables.
///
/// libavformat ends quietly at the end of a pipe that was cut off.
final class CountedScan: PacketReader {
    private let scan: any PacketReader
    private let expected: [Int: Int]
    private var handedOut: [Int: Int] = [:]

    /// Counts the packets of `scan`; `expected` are the numbers of packets by stream.
    init(_ scan: any PacketReader, expected: [Int: Int]) {
        self.scan = scan
        self.expected = expected
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        guard let packet = try scan.nextPacket() else { return nil }
        handedOut[packet.streamIndex, default: 0] += 1
        return packet
    }

    /// The samples that did not come, where the scan was read to its end.
    var losses: [Diagnostic] {
        expected.sorted { $0.key < $1.key }.compactMap { stream, count -> Diagnostic? in
            let missing = count - handedOut[stream, default: 0]
            guard missing > 0 else { return nil }
            return Diagnostic(
                .error, "lost-packet",
                "\(missing) of \(count) samples of the track did not come from libavformat",
                streamIndex: stream)
        }
    }
}
