internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The open file and its reader, used by one thread at a time.
struct LoadJob {
    /// Finds out how the cues are reached, which may mean a download.
    typealias Resolver = @Sendable (Cancellation) throws(UndertextError) -> SubtitleContent

    private let resolve: Resolver
    private var content: SubtitleContent?
    private var track: SubtitleTrack?
    private var reader: CueReader?
    /// `true` if a reader of the open file was created.
    private var hasRead = false
    /// The start and the end of the reader.
    private var start = LoadedCueRanges.beginning
    private var end: Timestamp?
    private var lastHeader: SubtitleHeader?

    /// Ends the reading of this file alone.
    private var interruption: Cancellation?
    /// The number of cues that the reader has returned.
    private var taken = 0
    /// `true` if the input may have no more for now: each cue is delivered before the reader waits for the next
    /// one.
    private var mayWait = false
    /// The number of cues to deliver individually, because the reader is or was slow.
    private var singly = Self.singlyAtMost

    /// The number of cues to deliver individually after a packet that took ``slow`` to read.
    private static let singlyAtMost = 64
    private static let slow = Duration.milliseconds(50)

    /// The minimum number of cues that are taken from a reader at once if the player is not waiting.
    private static let batch = 128
    private static let packetsAtOnce = 1024
    /// The time by which a reader that stops early may have missed packets, because of their interleaving.
    private static let doubt = Duration.seconds(10)

    init(resolve: @escaping Resolver) { self.resolve = resolve }

    /// Works until nothing is to be done.
    mutating func run(_ feed: TrackLoader) {
        while true {
            let step = feed.nextStep()
            switch step {
            case .rest: return
            case .close:
                close()
                return
            default: break
            }
            do throws(UndertextError) {
                try take(step, feed)
            } catch {
                if error.code == .interrupted {
                    leaveReader(feed)
                    feed.with { $0.askedSince = nil }
                } else if error.code == .cancelled, interruption?.isCancelled == true,
                    !feed.stop.isCancelled
                {
                    // Another place is wanted; the raised flag stays with this file.
                    leaveReader(feed)
                    close()
                    feed.with { $0.isOpen = false }
                } else if !feed.stop.isCancelled {
                    close()
                    feed.fail(error)
                }
            }
        }
    }

    private mutating func take(_ step: FeedStep, _ feed: TrackLoader) throws(UndertextError) {
        switch step {
        case .rest, .close: break
        case .open: try open(feed)
        case .readFonts: try readFonts(feed)
        case .read(let start, let end): try begin(from: start, until: end, feed)
        case .readOn: try readOn(feed)
        }
    }

    private mutating func close() {
        reader = nil
        track = nil
    }

    // MARK: Opening

    private mutating func open(_ feed: TrackLoader) throws(UndertextError) {
        let content: SubtitleContent
        if let known = self.content { content = known } else { content = try resolve(feed.stop) }
        self.content = content
        switch content.form {
        case .document(let document):
            feed.with { shared in
                shared.isOpen = true
                shared.plan.isReadWhole = true
                shared.header = document.header
                shared.stretches.begin(at: LoadedCueRanges.beginning)
                _ = shared.stretches.add(
                    document.cues, at: LoadedCueRanges.beginning, joint: LoadedCueRanges.beginning,
                    knownUntil: .distantFuture)
            }
            feed.notify()
        case .input(let input, let wanted):
            try open(input, wanted, content, feed)
        }
    }

    private mutating func open(
        _ input: MediaInput, _ wanted: Int?, _ content: SubtitleContent, _ feed: TrackLoader
    ) throws(UndertextError) {
        var options = content.options ?? Media.Options()
        let interruption = Cancellation(parent: feed.stop)
        self.interruption = interruption
        options.cancellation = interruption
        // Of a presentation nothing else is opened.
        if let wanted { options.opensStream = { $0.index == wanted } }
        feed.with { shared in
            shared.interruption = interruption
            shared.interrupter = nil
            shared.askedSince = nil
        }
        let opened = try Media(input, options: options)
        try Self.check(opened.size, content)
        guard let track = opened.subtitleTracks.first(where: { $0.id == wanted ?? $0.id }) else {
            throw UndertextError(
                .notFound, "the input has no such subtitle track",
                path: input.argument)
        }
        self.track = track
        hasRead = false
        mayWait = opened.isLive || Self.comesOnce(input)
        let isFirst = feed.with { shared in
            defer { shared.stream = track.stream }
            shared.isOpen = true
            shared.interrupter = opened.interrupter
            shared.plan.isReadWhole = opened.isTextFile || Self.comesOnce(input)
            guard shared.stream == nil else { return false }
            shared.lacksFonts = track.codec.isScript && opened.hasFonts
            shared.note(opened.diagnostics, atMost: 100)
            return true
        }
        if isFirst { feed.notify() }
    }

    /// `true` if an input can be read once and in order only.
    private static func comesOnce(_ input: MediaInput) -> Bool {
        switch input {
        case .standardInput, .pipe: true
        case .file(let path): (try? FileKind(of: path)) == .pipe
        case .url, .bytes, .source: false
        }
    }

    private static func check(_ size: UInt64?, _ content: SubtitleContent) throws(UndertextError) {
        guard let limit = content.sizeLimit, let size, size > limit else { return }
        throw UndertextError(
            .limit, "it has \(size) bytes, more than the \(limit) allowed")
    }

    // MARK: Reading

    private mutating func begin(
        from first: Timestamp?, until last: Timestamp?, _ feed: TrackLoader
    ) throws(UndertextError) {
        leaveReader(feed)
        // A server without ranges sends the file again.
        if let track, track.media.isReadOnce, hasRead { close() }
        guard let track else {
            feed.with { $0.isOpen = false }
            return
        }
        hasRead = true
        track.media.interrupter?.reset()
        let opened = try track.cueReader(in: TimeWindow(from: first, until: last))
        reader = opened
        taken = 0
        singly = Self.singlyAtMost
        start = first ?? LoadedCueRanges.beginning
        end = last
        let start = start
        feed.with { shared in
            shared.stretches.begin(at: start)
            shared.plan.place = start
            shared.isSlow = opened.path == .walk || opened.path == .scan
            // Text that an index leads to costs little: all of it is read.
            let isCheap = track.kind == .text && !shared.isSlow
            shared.plan.ahead = isCheap ? nil : feed.policy.ahead
        }
    }

    private mutating func readOn(_ feed: TrackLoader) throws(UndertextError) {
        guard let reader else {
            // The file was closed after the step had been chosen.
            feed.with { $0.plan.place = nil }
            return
        }
        var news = LoadUpdate(joint: start)
        var hasEnded = false
        // More and more, so that a long file costs no more than in proportion to its length.
        let least = feed.with { $0.isKnownAtPlayhead } ? Self.batch : 1
        let atOnce = mayWait || singly > 0 ? 1 : max(least, taken / 4)
        // Images are large: they are delivered before they exceed the memory limit.
        var room = feed.policy.memory / 8
        for _ in 0..<max(Self.packetsAtOnce, atOnce) {
            if feed.isDisturbed() { break }
            let asked = ContinuousClock.now
            let next = try reader.nextCues()
            if ContinuousClock.now - asked > Self.slow { singly = Self.singlyAtMost }
            if interruption?.isCancelled == true {
                // Regardless of the cues so far, this is not the end of the track.
                throw UndertextError(.cancelled, "the reading was left")
            }
            guard let next else {
                hasEnded = true
                break
            }
            news.cues += next
            room -= next.reduce(0) { $0 + $1.heldBytes }
            if news.cues.count >= (singly > 0 ? 1 : atOnce) || room <= 0 { break }
        }
        taken += news.cues.count
        singly = max(0, singly - news.cues.count)
        if let content, content.sizeLimit != nil {
            try Self.check(reader.summary.statistics.bytesRead, content)
        }
        news.diagnostics = reader.takeDiagnostics()
        if lastHeader != reader.header {
            lastHeader = reader.header
            news.header = reader.header
        }
        if hasEnded {
            news.knownUntil = end ?? .distantFuture
            self.reader = nil
        }
        feed.take(news)
        if hasEnded { feed.with { $0.plan.place = nil } }
    }

    /// Leaves a reader before its end.
    private mutating func leaveReader(_ feed: TrackLoader) {
        guard reader != nil else { return }
        reader = nil
        feed.with { shared in
            guard let place = shared.plan.place else { return }
            shared.plan.place = nil
            shared.stretches.retreat(from: place, by: Self.doubt)
        }
    }

    private mutating func readFonts(_ feed: TrackLoader) throws(UndertextError) {
        var notes: [Diagnostic] = []
        let fonts = try track?.media.fonts(limit: feed.policy.fonts) { notes.append($0) } ?? []
        feed.with { shared in
            shared.fonts = fonts
            shared.lacksFonts = false
            shared.note(notes, atMost: 100)
        }
        feed.notify()
    }
}
