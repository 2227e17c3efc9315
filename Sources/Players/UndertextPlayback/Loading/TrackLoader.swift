internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// Reads one track in the background and answers what is shown.
///
/// A piece of reading runs on a thread of the queue; while nothing is needed no thread is used.
final class TrackLoader: Sendable {
    /// The limits of reading and memory.
    struct Policy: Sendable {
        /// The read-ahead for expensive tracks, or `nil` for no limit.
        var ahead: Duration?
        /// Memory that the cues of a track may hold, in bytes.
        var memory: Int
        /// Memory that the fonts of a track may hold, in bytes.
        var fonts: Int
    }

    /// The state that threads share.
    struct Shared {
        var plan: LoadPlan
        var stretches = LoadedCueRanges()
        var header = SubtitleHeader()
        var fonts: [AttachedFont] = []
        /// The stream of the file, once it is known.
        var stream: StreamDescription?
        var diagnostics: [Diagnostic] = []
        var error: UndertextError?
        /// The time of the failure.
        var failedAt: ContinuousClock.Instant?
        var isOpen = false
        var lacksFonts = false
        var isScheduled = false
        /// Ends the reading that is under way, so that another place can be read.
        var interruption: Cancellation?
        /// Ends a wait of the reader; the file stays open.
        var interrupter: PrefetchingSource.Interrupter?
        /// The time of a pending request to the reader.
        var askedSince: ContinuousClock.Instant?
        /// `true` if readers may take long to come to the next packet.
        var isSlow = false
    }

    let id: SubtitleInfo.ID
    let policy: Policy
    let stop: Cancellation
    private let shared: Monitor<Shared>
    private let worker: Monitor<LoadJob>
    private let queue: BackgroundQueue
    private let report: @Sendable (TrackLoader) -> Void

    /// The age of a pending request after which the reader is not waited for.
    private static let patience = Duration.milliseconds(250)
    /// The pause after a failure before input that could be read earlier is tried again.
    private static let pauseAfterFailure = Duration.seconds(5)
    private static let diagnosticsAtMost = 100

    /// Creates a feed; ``seek(to:)`` starts it.
    init(
        id: SubtitleInfo.ID, policy: Policy, queue: BackgroundQueue, parent: Cancellation,
        content: @escaping LoadJob.Resolver, report: @escaping @Sendable (TrackLoader) -> Void
    ) {
        self.id = id
        self.policy = policy
        self.queue = queue
        self.report = report
        stop = Cancellation(parent: parent)
        shared = Monitor(
            Shared(plan: LoadPlan(playhead: .zero, ahead: policy.ahead, isReadWhole: false)))
        worker = Monitor(LoadJob(resolve: content))
    }

    // MARK: Asking

    /// Works on what is shared.
    func with<Result>(_ work: (inout Shared) -> Result) -> Result { shared.with(work) }

    /// Returns the cues that are shown at a time of the track.
    func cues(at time: Timestamp) -> [Cue] { shared.with { $0.stretches.cues(at: time) } }

    /// Returns the next known change after a time of the track.
    func nextChange(after time: Timestamp) -> Timestamp? {
        shared.with { $0.stretches.nextChange(after: time) }
    }

    // MARK: Steering

    /// Updates the time of the player on the clock of the track and reads missing cues there.
    func seek(to time: Timestamp) {
        let isNeeded = shared.with { shared -> Bool in
            shared.plan.playhead = time
            shared.forgive(after: Self.pauseAfterFailure)
            guard !stop.isCancelled, shared.error == nil else { return false }
            if shared.isScheduled {
                if shared.isLost(patience: Self.patience) {
                    shared.interruption?.cancel()
                } else if shared.isElsewhere {
                    shared.interrupter?.interrupt()
                }
                return false
            }
            guard shared.nextStep() != .rest else { return false }
            shared.isScheduled = true
            return true
        }
        // Without a thread the next call tries again.
        if isNeeded, !schedule() { shared.with { $0.isScheduled = false } }
    }

    private func schedule() -> Bool {
        queue.submit {
            self.worker.with { $0.run(self) }
        }
    }

    /// Ends it, without waiting for that: the file is closed on a thread of the queue, since closing may
    /// mean waiting for a read.
    func end() {
        stop.cancel()
        let isIdle = shared.with { shared -> Bool in
            defer { shared.isScheduled = true }
            return !shared.isScheduled
        }
        // Without a thread the file is closed with the loader.
        if isIdle { _ = schedule() }
    }

    // MARK: For the worker

    /// Returns the next step; if there is none, the thread must end.
    func nextStep() -> FeedStep {
        shared.with { shared in
            if stop.isCancelled {
                shared.isScheduled = false
                return .close
            }
            let step = shared.error == nil ? shared.nextStep() : .rest
            guard step == .rest else { return step }
            shared.isScheduled = false
            return shared.stretches.isComplete || shared.error != nil ? .close : .rest
        }
    }

    /// `true` if the reader should stop for another step; checked before each packet.
    func isDisturbed() -> Bool {
        shared.with { shared in
            shared.askedSince = ContinuousClock.now
            return stop.isCancelled || shared.nextStep() != .readOn
        }
    }

    /// Adds the result of reading.
    func take(_ news: LoadUpdate) {
        shared.with { shared in
            shared.askedSince = nil
            shared.note(news.diagnostics, atMost: Self.diagnosticsAtMost)
            if let header = news.header { shared.header = header }
            guard let place = shared.plan.place else { return }
            shared.plan.place = shared.stretches.add(
                news.cues, at: place, joint: news.joint, knownUntil: news.knownUntil)
            guard !shared.plan.isReadWhole else { return }
            shared.stretches.shrink(
                to: policy.memory, around: shared.plan.playhead, keeping: LoadPlan.leastAhead)
            shared.plan.isFull = shared.stretches.bytes >= policy.memory
        }
        report(self)
    }

    /// Records the error that ended the loading.
    func fail(_ error: UndertextError) {
        shared.with { shared in
            shared.error = error
            shared.failedAt = ContinuousClock.now
            shared.askedSince = nil
            shared.plan.place = nil
        }
        report(self)
    }

    /// Reports another change.
    func notify() { report(self) }
}

/// The next step of a thread for a loader.
enum FeedStep: Hashable {
    /// Nothing for now.
    case rest
    /// Nothing any more: the file is closed.
    case close
    /// The input is opened.
    case open
    /// The fonts are read.
    case readFonts
    /// A reader is opened.
    case read(from: Timestamp?, until: Timestamp?)
    /// The open reader continues.
    case readOn
}

/// A result of reading.
struct LoadUpdate {
    var cues: [Cue] = []
    /// The start of the reader.
    var joint: Timestamp
    /// The minimum end of the loaded range.
    var knownUntil: Timestamp?
    var header: SubtitleHeader?
    var diagnostics: [Diagnostic] = []
}

extension TrackLoader.Shared {
    /// `true` if what is on screen where the player is was read.
    var isKnownAtPlayhead: Bool { stretches.knownEnd(from: plan.playhead) != nil }

    /// The loading state.
    var state: SubtitleState {
        if let error { return .failed(error) }
        return isKnownAtPlayhead ? .ready : .loading
    }

    func nextStep() -> FeedStep {
        guard isOpen else { return stretches.isComplete ? .rest : .open }
        if lacksFonts, isKnownAtPlayhead { return .readFonts }
        switch plan.next(stretches) {
        case .rest: return lacksFonts ? .readFonts : .rest
        case .goOn: return .readOn
        case .read(let start, let end): return .read(from: start, until: end)
        }
    }

    /// `true` if the reader is reading what is not needed now.
    var isElsewhere: Bool {
        isOpen && !plan.isReadWhole && !isKnownAtPlayhead && !plan.isNear && askedSince != nil
    }

    /// `true` if the current reading is useless and may continue for long.
    func isLost(patience: Duration) -> Bool {
        guard isElsewhere, let askedSince else { return false }
        return isSlow || ContinuousClock.now - askedSince > patience
    }

    /// Allows another attempt for a track that was open before it failed, if a part of it is missing.
    mutating func forgive(after pause: Duration) {
        guard error != nil, stream != nil, !plan.isReadWhole, !isKnownAtPlayhead, let failedAt,
            ContinuousClock.now - failedAt >= pause
        else { return }
        error = nil
        isOpen = false
    }

    mutating func note(_ news: [Diagnostic], atMost limit: Int) {
        diagnostics += news.prefix(max(0, limit - diagnostics.count))
    }
}
