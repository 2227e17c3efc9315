internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// An input of the inspector: its description, and its cues, which a thread in the background reads.
final class InspectedInput: Sendable {
    /// The state of the reading of a track.
    enum Phase: String, Sendable {
        /// Other tracks are read first.
        case waiting
        /// It is being read.
        case reading
        /// All of it was read.
        case complete
        /// It cannot be read, or only a part of it.
        case failed
    }

    /// A subtitle track.
    struct Track: Sendable {
        let stream: StreamDescription
        /// The formats that it can be written in.
        let formats: [SubtitleFormat]
        var phase = Phase.waiting
        /// The part that has been read, 0 to 1; `nil` if it is unknown.
        var progress: Double?
        var table = CueList()
        var header = SubtitleHeader()
        /// The first diagnostics.
        var diagnostics: [Diagnostic] = []
        /// The number of all diagnostics by severity.
        var counts: [Diagnostic.Severity: Int] = [:]
        /// The reason why it cannot be read.
        var failure: String?
        /// The recognition of its images' text; `nil` until somebody asks for it.
        var recognition: Recognition?
        /// The number of corrections since the last export.
        var unsaved = 0
        /// `true` if it was exported since it was opened.
        var isExported = false

        /// `true` if exports take its text from the list of cues.
        var isCorrected: Bool { !table.originals.changed.isEmpty }
    }

    /// The recognition of the text of a bitmap track.
    struct Recognition: Sendable {
        enum Phase: String, Sendable {
            case running
            case complete
            case cancelled
            case failed
        }

        /// The languages as the user wrote them.
        let languages: String
        let cancellation: Cancellation
        var phase = Phase.running
        /// The number of cues that were read.
        var done = 0
        /// The reason why it ended early.
        var failure: String?
    }

    /// The current state of the input.
    struct State: Sendable {
        /// `true` if the input has been opened, or cannot be.
        var isOpen = false
        var report: ProbeReport?
        var failure: UndertextError?
        /// Diagnostics about the input as a whole.
        var diagnostics: [Diagnostic] = []
        var tracks: [Track] = []
        var duration: Timestamp?
        /// `true` if frames can be taken from its video.
        var hasVideo = false
        /// The track that is read next, by the request of a page.
        var preferred: Int?
    }

    /// The number of diagnostics that are kept of a track.
    static let diagnosticLimit = 2000

    let argument: String
    let options: Media.Options
    let state = Monitor(State())
    /// The files that the run reads, which no export may replace.
    let inputFiles: InputFiles
    /// Reads what a page asks for: images, frames, whole documents.
    let onDemand: OnDemandReader
    private let queue = BackgroundQueue(threads: 1)
    /// Recognizes text, one track at a time.
    private let recognitionQueue = BackgroundQueue(threads: 1)

    init(_ argument: String, _ options: Media.Options, _ inputFiles: InputFiles) {
        self.argument = argument
        self.options = options
        self.inputFiles = inputFiles
        onDemand = OnDemandReader(argument, options, inputFiles)
    }

    /// Starts to read in the background.
    func start() {
        let isStarted = queue.submit { [self] in inputFiles.record { read() } }
        if !isStarted { fail(BackgroundQueue.noThread) }
    }

    private func fail(_ error: UndertextError) {
        state.with { state in
            state.isOpen = true
            state.failure = error
        }
    }

    private func read() {
        do throws(UndertextError) {
            let media = try Media(argument, options: options)
            guard !media.isReadOnce else {
                throw UndertextError(
                    .unsupported,
                    "the inspector reads an input several times; save it to a file first",
                    path: argument)
            }
            let report = try media.probe()
            let tracks = media.subtitleTracks
            state.with { state in
                state.report = report
                state.isOpen = true
                state.diagnostics = Array(media.diagnostics.prefix(Self.diagnosticLimit))
                state.hasVideo = report.container.streams.contains {
                    $0.kind == .video && !$0.disposition.contains(.attachedPicture)
                }
                state.duration = (report.content.totalPlayTime).map {
                    Timestamp.zero.advanced(by: $0)
                }
                state.tracks = tracks.map { track in
                    Track(
                        stream: track.stream,
                        formats: (report.facts[track.id]?.outputs ?? []).compactMap {
                            SubtitleFormat(named: $0)
                        }.filter { $0 != .jsonLines })
                }
            }
            while let index = nextTrack() { read(tracks[index], at: index) }
        } catch {
            fail(error)
        }
    }

    /// Takes the next track that waits, the preferred one first.
    private func nextTrack() -> Int? {
        state.with { state in
            guard options.cancellation?.isCancelled != true else { return nil }
            var index = state.tracks.firstIndex {
                $0.phase == .waiting && $0.stream.index == state.preferred
            }
            index = index ?? state.tracks.firstIndex { $0.phase == .waiting }
            if let index { state.tracks[index].phase = .reading }
            return index
        }
    }

    private func read(_ track: SubtitleTrack, at index: Int) {
        var pending: [Cue] = []
        var found: [Diagnostic] = []
        var published = ContinuousClock.now
        func publish(_ reader: CueReader?, _ phase: Phase, _ failure: String?) {
            let (cues, diagnostics) = (pending, found)
            (pending, found) = ([], [])
            let header = reader?.header
            state.with { state in
                add(cues, diagnostics, to: &state.tracks[index], within: state.duration)
                if let header { state.tracks[index].header = header }
                state.tracks[index].phase = phase
                state.tracks[index].failure = failure
            }
        }
        do throws(UndertextError) {
            let reader = try track.cueReader(in: .all)
            while let cues = try reader.nextCues() {
                pending += cues
                found += reader.takeDiagnostics()
                // Images are released as soon as their positions are known.
                let now = ContinuousClock.now
                guard
                    now - published > .milliseconds(250) || (track.isBitmap && pending.count >= 16)
                        || found.count > 10_000
                else { continue }
                published = now
                publish(reader, .reading, nil)
            }
            found += reader.takeDiagnostics()
            publish(reader, .complete, nil)
        } catch {
            publish(nil, .failed, error.summary)
        }
    }

    private func add(
        _ cues: [Cue], _ diagnostics: [Diagnostic], to track: inout Track,
        within duration: Timestamp?
    ) {
        track.table.append(cues)
        for diagnostic in diagnostics {
            track.counts[diagnostic.severity, default: 0] += 1
            if track.diagnostics.count < Self.diagnosticLimit {
                track.diagnostics.append(diagnostic)
            }
        }
        if let duration, duration > .zero, let last = track.table.last {
            let part = Double(last.nanoseconds) / Double(duration.nanoseconds)
            track.progress = min(1, max(0, part))
        }
    }

    // MARK: Recognition

    /// Starts to recognize the text of a bitmap track; cues that were reviewed keep their text.
    ///
    /// - Throws: `UndertextError`: the track has no images, its cues are still being read, it is being recognized
    ///   already, or text of a language cannot be recognized.
    func startRecognition(ofTrack stream: Int, languages: String) throws(UndertextError) {
        var recognition = try RecognitionOptions(parsing: languages)
        // The server is a part of the program, and its terminal belongs to the user.
        recognition.silencesLog = true
        let cancellation = Cancellation(parent: options.cancellation)
        let refusal: String? = state.with { state in
            guard let index = state.tracks.firstIndex(where: { $0.stream.index == stream }),
                state.tracks[index].stream.kind == .bitmap
            else { return "the track has no images" }
            guard [.complete, .failed].contains(state.tracks[index].phase) else {
                return "the cues of the track are still being read"
            }
            let before = state.tracks[index].recognition
            guard before?.phase != .running else { return "the text is being recognized already" }
            state.tracks[index].recognition = Recognition(
                languages: languages, cancellation: cancellation)
            return nil
        }
        if let refusal { throw UndertextError(.invalidRequest, refusal, path: argument) }
        let isStarted = recognitionQueue.submit { [self, recognition] in
            inputFiles.record { recognize(stream, recognition, cancellation) }
        }
        if !isStarted {
            change(stream) { track in
                track.recognition?.phase = .failed
                track.recognition?.failure = BackgroundQueue.noThread.summary
            }
        }
    }

    /// Stops the recognition of a track; text that was recognized is kept.
    func cancelRecognition(ofTrack stream: Int) {
        track(stream)?.recognition?.cancellation.cancel()
    }

    /// Changes what is known of a track.
    func change(_ stream: Int, _ body: (inout Track) -> Void) {
        state.with { state in
            guard let index = state.tracks.firstIndex(where: { $0.stream.index == stream }) else {
                return
            }
            body(&state.tracks[index])
        }
    }

    private func recognize(
        _ stream: Int, _ recognition: RecognitionOptions, _ cancellation: Cancellation
    ) {
        var pending: [RecognizedCue] = []
        func publish() {
            let found = pending
            pending = []
            change(stream) { track in
                track.table.recognize(found)
                track.recognition?.done += found.count
            }
        }
        var failure: UndertextError?
        do throws(UndertextError) {
            var options = options
            options.cancellation = cancellation
            let media = try Media(argument, options: options)
            let reader = try RecognizedCueReader(
                try media.subtitleTrack(id: stream), recognition, cancellation: cancellation)
            var published = ContinuousClock.now
            while !cancellation.isCancelled, let cues = try reader.nextCues() {
                pending += cues.compactMap { cue in
                    cue.recognition.map {
                        RecognizedCue(order: cue.order, start: cue.start, text: $0)
                    }
                }
                let now = ContinuousClock.now
                guard now - published > .milliseconds(250) else { continue }
                published = now
                publish()
            }
        } catch {
            failure = error
        }
        publish()
        change(stream) { track in
            if cancellation.isCancelled {
                track.recognition?.phase = .cancelled
            } else {
                track.recognition?.phase = failure == nil ? .complete : .failed
                track.recognition?.failure = failure?.summary
            }
        }
    }

    // MARK: The browser's own player

    /// The path of the input if it is a file that a browser may play by itself; `nil` otherwise.
    var playableFile: String? {
        guard case .file(let path) = MediaInput(argument: argument),
            (try? FileKind(of: path)) == .regular,
            state.with({ $0.hasVideo })
        else { return nil }
        return path
    }

    /// A track by its stream index.
    func track(_ stream: Int) -> Track? {
        state.with { state in state.tracks.first { $0.stream.index == stream } }
    }
}
