internal import UndertextContainers
internal import UndertextFFmpeg
internal import UndertextFormats
internal import UndertextStreaming

/// Opens what the user named with the readers it needs.
enum InputOpener {
    /// What came out.
    struct Found {
        var input: OpenedInput
        var description: ContainerDescription
        /// libavformat, where it was asked.
        var demuxer: FFmpegDemuxer?
        /// The tracks of an MP4 file; of a pipe what its beginning says.
        var mp4: MP4File?
        /// Why no packets can be read of an MP4 file that comes in order.
        var samplesAreBehind: UndertextError?
        /// The input where it comes in order.
        var pipe: HeaderTee?
        /// Our reader of Matroska that comes in order.
        var piped: PipedMatroska?
        /// Why our Matroska reader, or none of ours, can be used.
        var matroskaRefusal: String?
        /// What was doubtful about files beside the input.
        var notes: [Diagnostic] = []
        /// The length that the input had, or states itself where it is a pipe.
        var sizeToReach: UInt64?
    }

    /// Opens `input` with the first reader that takes it.
    static func open(
        _ input: MediaInput, _ access: InputAccess, _ options: MediaFile.Options
    ) throws(UndertextError) -> Found {
        var refusal = access.refusal
        guard var found = try ours(input, access, options, &refusal) else {
            return try described(input, access, options, matroskaRefusal: refusal)
        }
        found.sizeToReach = access.size
        return found
    }

    private static func ours(
        _ input: MediaInput, _ access: InputAccess, _ options: MediaFile.Options,
        _ refusal: inout String?
    ) throws(UndertextError) -> Found? {
        let source = access.source
        let head = try source?.read(at: 0, count: PresentationInput.glance) ?? []
        if let found = try presentation(input, head, access, options) { return found }
        try EBUSTL.refuse(head, path: input.argument)
        if let folder = try ImageFolder(input, source: source, limits: options.limits) {
            return Found(input: .images(folder), description: folder.description)
        }
        let (film, reason) = try matroska(in: source, options: options)
        if let film { return Found(input: .matroska(film), description: film.description) }
        refusal = reason?.message ?? refusal
        if let pair = try VobSubInput.open(access.localPath, access, options) {
            let (completed, notes) = DVDPalettes.completed(
                pair.file.description, path: access.localPath, matrix: options.decoding.colorMatrix)
            return Found(
                input: .vobSub(pair),
                description: VobSubCanvas.completed(completed, of: pair.file, options), notes: notes
            )
        }
        if let graphics = try sup(in: source, options: options) {
            return Found(input: .sup(graphics), description: graphics.description)
        }
        return nil
    }

    private static func presentation(
        _ input: MediaInput, _ head: [UInt8], _ access: InputAccess, _ options: MediaFile.Options
    ) throws(UndertextError) -> Found? {
        guard let opened = try PresentationInput.open(input, head: head, access, options) else {
            return nil
        }
        return Found(input: .presentation(opened), description: opened.description)
    }

    /// Text of ours, or what libavformat takes.
    private static func described(
        _ named: MediaInput, _ access: InputAccess, _ options: MediaFile.Options,
        matroskaRefusal: String?
    ) throws(UndertextError) -> Found {
        var (input, head) = try access.demuxInput()
        if case .stream = input, let head {
            let head = try head.read(at: 0, count: PresentationInput.glance)
            if let found = try presentation(named, head, access, options) { return found }
            try EBUSTL.refuse(head, path: named.argument)
        }
        var refusals: [TextFileFormat.Refusal] = []
        var text: TextInput?
        if case .stream(let pipe) = input, let tee = pipe as? HeaderTee {
            text = try TextInput.open(tee, options, &refusals)
        } else {
            text = try TextInput.open(access.source, options, &refusals)
        }
        if let text {
            return Found(
                input: .text(text), description: text.description, sizeToReach: access.size)
        }
        var samplesAreBehind: UndertextError?
        if case .stream(let pipe) = input, let head, MP4Header.hasMediaFirst(head) {
            if (pipe as? HeaderTee)?.isWhole == true {
                input = .source(head)
            } else {
                samplesAreBehind = behind(pipe.name)
            }
        }
        if options.readsPackets, let samplesAreBehind { throw samplesAreBehind }
        // What a pipe began with tells what libavformat ignores, as a file would.
        let (inHead, damage) = try matroska(in: head, options: options)
        var tee: HeaderTee?
        if case .stream(let pipe) = input { tee = pipe as? HeaderTee }
        var piped: PipedMatroska?
        if let inHead, let tee { piped = PipedMatroska(inHead, tee) }
        if let inHead, let piped, inHead.isBeyondLimits {
            return Found(
                input: .other, description: inHead.description, piped: piped,
                notes: notes(of: inHead), sizeToReach: inHead.statedSize)
        }
        let surveyed = try surveyed(head, access, options)
        let opened: FFmpegDemuxer
        do throws(UndertextError) {
            var demuxing = demuxerOptions(options, depth: .headers)
            demuxing.options = access.demuxerOptions
            opened = try FFmpegDemuxer(input, options: demuxing)
        } catch {
            throw told(error, refusals)
        }
        let tracks = try mp4(in: head, opened.description, options)
        var (description, notes) = DVDPalettes.completed(
            DescriptionMerge.corrected(
                opened.description, source: head, matroska: inHead?.description, mp4: tracks,
                limits: options.limits, isWhole: access.source != nil),
            path: access.localPath, matrix: options.decoding.colorMatrix)
        if let file = piped?.file, piped?.describes(opened.description) == false {
            piped = nil
            // Tracks may also follow attachments that are larger than the beginning; then none was seen.
            if !file.description.streams.isEmpty {
                notes.append(
                    Diagnostic(
                        .error, "damaged-header",
                        "The descriptions of the tracks are damaged. Parts may be missing that "
                            + "libavformat does not report."))
            }
        }
        if let inHead, piped != nil { notes += Self.notes(of: inHead) }
        if let damage, damage.code == .malformed,
            opened.description.formatName.hasPrefix("matroska")
        {
            notes.append(
                Diagnostic(
                    .error, "damaged-header",
                    "\(damage.message) Parts may be missing that libavformat does not report.",
                    byteOffset: damage.byteOffset))
        }
        return Found(
            input: .other, description: description, demuxer: opened,
            mp4: tracks, samplesAreBehind: samplesAreBehind, pipe: tee, piped: piped,
            matroskaRefusal: matroskaRefusal ?? damage?.message, notes: notes + surveyed,
            sizeToReach: access.source == nil ? inHead?.statedSize : access.size)
    }

    /// What is wrong with the tracks of a Matroska file of which only the beginning is there.
    private static func notes(of head: MatroskaFile) -> [Diagnostic] {
        head.diagnostics.filter { $0.code == "damaged-header" && $0.severity == .error }
    }

    /// Refuses an MP4 file whose tables would cost libavformat more than they are long, and spares it long edit lists.
    private static func surveyed(
        _ source: (any ByteSource)?, _ access: InputAccess, _ options: MediaFile.Options
    ) throws(UndertextError) -> [Diagnostic] {
        guard let source,
            let survey = try MP4TableSurvey(
                source: source, limits: options.limits, cancellation: options.cancellation)
        else { return [] }
        if let excess = survey.excess { throw UndertextError(.limit, excess, path: source.name) }
        guard survey.hasManyEdits else { return [] }
        access.demuxerOptions["advanced_editlist"] = "0"
        return [
            Diagnostic(
                .warning, "too-many-edits",
                "of an edit list of \(survey.edits) edits only the beginning counts")
        ]
    }

    /// What is wrong with an MP4 file whose list of samples comes behind them, where nobody can go back.
    private static func behind(_ name: String) -> UndertextError {
        UndertextError(
            .unsupported,
            "the list of its samples (moov) stands behind them, and this input can be read only from "
                + "its beginning to its end; save it to a file first, or put the list in front: "
                + "ffmpeg -i IN.mp4 -map 0 -c copy -movflags +faststart OUT.mp4",
            path: name)
    }

    /// The tracks of an MP4 file as our own reader finds them; `nil` where it finds none.
    private static func mp4(
        in source: (any ByteSource)?, _ description: ContainerDescription,
        _ options: MediaFile.Options
    ) throws(UndertextError) -> MP4File? {
        guard let source, description.formatName.hasPrefix("mov,") else { return nil }
        do throws(UndertextError) {
            return try MP4File(
                source: source, limits: options.limits, cancellation: options.cancellation)
        } catch {
            guard error.code == .notMedia || error.code == .limit else { throw error }
            return nil
        }
    }

    /// Says of text which formats were tried, and what each of them missed.
    private static func told(
        _ error: UndertextError, _ refusals: [TextFileFormat.Refusal]
    ) -> UndertextError {
        guard error.code == .notMedia, !refusals.isEmpty else { return error }
        var told = error
        told.details = refusals.map { "not \($0.format.title): \($0.reason)" }
        return told
    }

    /// Our Matroska reader where the input is Matroska, or why it cannot be used.
    static func matroska(
        in source: (any ByteSource)?, options: MediaFile.Options
    ) throws(UndertextError) -> (MatroskaFile?, UndertextError?) {
        guard let source, try source.read(at: 0, count: 4) == [0x1A, 0x45, 0xDF, 0xA3] else {
            return (nil, nil)
        }
        do throws(UndertextError) {
            let file = try MatroskaFile(
                source: source, limits: options.limits,
                cancellation: options.cancellation ?? Cancellation())
            return (file, nil)
        } catch {
            // What is too large for us is not given to libavformat.
            let ends: [UndertextError.Code] = [.cancelled, .io, .timeout, .nestedOpen, .limit]
            if ends.contains(error.code) { throw error }
            return (nil, error)
        }
    }

    /// Our reader of .sup files where the input is one.
    static func sup(
        in source: (any ByteSource)?, options: MediaFile.Options
    ) throws(UndertextError) -> SUPFile? {
        guard let source else { return nil }
        do throws(UndertextError) {
            return try SUPFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
        } catch {
            guard error.code == .notMedia else { throw error }
            return nil
        }
    }

    static func demuxerOptions(
        _ options: MediaFile.Options, depth: DemuxerOptions.ProbeDepth
    ) -> DemuxerOptions {
        var demuxing = DemuxerOptions()
        demuxing.limits = options.limits
        demuxing.cancellation = options.cancellation
        demuxing.deadline = options.timeLimit.map { ContinuousClock().now + $0 }
        demuxing.probe = depth
        return demuxing
    }
}
