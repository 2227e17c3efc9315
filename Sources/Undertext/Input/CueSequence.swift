public import UndertextCore
internal import UndertextIO

extension Media {
    /// Opens a path, a URL (`scheme://…`) or standard input (`-`) without blocking the task's thread.
    ///
    /// Cancellation of the task ends the opening.
    ///
    /// - Parameters:
    ///   - argument: The path, the URL or `-`.
    ///   - options: The options of the input.
    /// - Returns: The open input.
    /// - Throws: `UndertextError` as ``init(_:options:)-(String,_)``.
    public static func open(
        _ argument: String, options: Options = Options()
    ) async throws(UndertextError) -> Media {
        try await open(MediaInput(argument: argument), options: options)
    }

    /// Opens an input without blocking the task's thread.
    ///
    /// Cancellation of the task ends the opening.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - options: The options of the input.
    /// - Returns: The open input.
    /// - Throws: `UndertextError` as ``init(_:options:)-(MediaInput,_)``.
    public static func open(
        _ input: MediaInput, options: Options = Options()
    ) async throws(UndertextError) -> Media {
        let cancellation = Cancellation(parent: options.cancellation)
        let opened = await BackgroundQueue(threads: 1).result(of: cancellation) {
            () throws(UndertextError) in
            var options = options
            options.cancellation = cancellation
            return Unshared(try Media(input, options: options))
        }
        return try opened.get().value
    }
}

extension SubtitleTrack {
    /// The cues of the track as an asynchronous sequence.
    ///
    /// A cue is delivered as soon as its end is known, long before the end of the input. The input is read on a
    /// background thread and only for cues that are requested. Canceling the task ends the sequence with an
    /// error of the code `cancelled`; a read in progress ends in the background.
    ///
    /// ```swift
    /// for try await cue in track.cues(in: .seconds(60)...) { print(cue.start, cue.plainText) }
    /// ```
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted, on the clock that ``Media/Options`` choose. Cues that begin
    ///     before it and are still on screen come, too.
    ///   - diagnostics: Gets what was found damaged or doubtful, on the thread that reads.
    /// - Returns: The sequence; each iteration reads the track once.
    public func cues<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: (@Sendable (Diagnostic) -> Void)? = nil
    ) -> some AsyncSequence<Cue, UndertextError> {
        CueSequence(track: self, window: TimeWindow(range), diagnostics: diagnostics)
    }
}

/// The cues of a track, read while they are taken; see ``SubtitleTrack/cues(in:diagnostics:)``.
package struct CueSequence: AsyncSequence {
    fileprivate let track: SubtitleTrack
    fileprivate let window: TimeWindow
    fileprivate let diagnostics: (@Sendable (Diagnostic) -> Void)?

    /// Creates an iterator; reading starts when the first cue is requested.
    package func makeAsyncIterator() -> Iterator {
        Iterator(feed: CueFeed(track, window, diagnostics))
    }

    /// The iterator.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: CueFeed
        /// Pending cues that were read together; the next one is last.
        private var waiting: [Cue] = []
        private var hasEnded = false

        fileprivate init(feed: CueFeed) { self.feed = feed }

        /// Returns the next cue, or `nil` at the end.
        ///
        /// - Throws: `UndertextError`: reading failed, there is no decoder (code `unsupported`), or the task was
        ///   cancelled (code `cancelled`).
        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(UndertextError) -> Cue? {
            if let cue = waiting.popLast() { return cue }
            guard !hasEnded else { return nil }
            do throws(UndertextError) {
                waiting = try await feed.next().reversed()
            } catch {
                hasEnded = true
                throw error
            }
            hasEnded = waiting.isEmpty
            return waiting.popLast()
        }
    }
}

/// Reads ahead of an iterator, a few cues at a time.
private final class CueFeed: @unchecked Sendable {
    // Unchecked: the track and its reader are used only by the work that the media's queue does, one at a time.
    private let track: SubtitleTrack
    private var reader: CueReader?
    private let window: TimeWindow
    private let diagnostics: (@Sendable (Diagnostic) -> Void)?
    private let queue: BackgroundQueue
    private let cancellation: Cancellation

    /// `true` if the input may have no more for now: each cue is delivered before the reader waits for the next one.
    private let mayWait: Bool

    /// Cues within this time after the first one are delivered with it, because each batch costs a thread change.
    private static let patience = Duration.milliseconds(2)
    private static let cuesAtOnce = 256

    init(
        _ track: SubtitleTrack, _ window: TimeWindow,
        _ diagnostics: (@Sendable (Diagnostic) -> Void)?
    ) {
        self.track = track
        self.window = window
        self.diagnostics = diagnostics
        queue = track.media.queue
        cancellation = Cancellation(parent: track.media.options.cancellation)
        mayWait = track.media.isReadOnce || track.media.options.liveDuration != nil
    }

    /// Returns the next cues; none at the end.
    func next() async throws(UndertextError) -> [Cue] {
        while true {
            do throws(UndertextError) {
                return try await queue.result(of: cancellation) { () throws(UndertextError) in
                    try self.read()
                }.get()
            } catch {
                // A cancelled read must not wait for segments in the background.
                if error.code == .cancelled { track.media.options.interruption.readWasCancelled() }
                // Other work on the input runs before the next attempt.
                guard error.code == .interrupted else { throw error }
            }
        }
    }

    private func read() throws(UndertextError) -> [Cue] {
        let interruption = track.media.options.interruption
        return try track.media.exclusively { () throws(UndertextError) in
            try interruption.accepted(cancellation) { () throws(UndertextError) in
                try readExclusively()
            }
        }
    }

    private func readExclusively() throws(UndertextError) -> [Cue] {
        let reader: CueReader
        if let open = self.reader {
            reader = open
        } else {
            reader = try track.cueReader(in: window)
        }
        self.reader = reader
        defer {
            for diagnostic in reader.takeDiagnostics() { diagnostics?(diagnostic) }
        }
        var cues: [Cue] = []
        var first: ContinuousClock.Instant?
        while cues.count < Self.cuesAtOnce {
            if cancellation.isCancelled {
                throw UndertextError(.cancelled, "stopped", path: track.media.input.argument)
            }
            guard let next = try reader.nextCues() else { break }
            cues += next
            guard !cues.isEmpty else { continue }
            if mayWait { break }
            let now = ContinuousClock.now
            if let first, now - first > Self.patience { break }
            first = first ?? now
        }
        return cues
    }
}

extension TimeWindow {
    /// Creates a window of a range of times.
    package init(_ range: some RangeExpression<Timestamp>) {
        let timeline = Timeline()
        let bounds = range.relative(to: timeline)
        self.init(
            from: bounds.lowerBound == timeline.startIndex ? nil : bounds.lowerBound,
            until: bounds.upperBound == timeline.endIndex ? nil : bounds.upperBound)
    }

    /// All times, which turn an expression of a range into its bounds.
    private struct Timeline: Collection {
        var startIndex: Timestamp { Timestamp(nanoseconds: .min) }
        var endIndex: Timestamp { .distantFuture }
        subscript(time: Timestamp) -> Timestamp { time }
        /// A range that includes its last time ends one nanosecond later.
        func index(after time: Timestamp) -> Timestamp { time.advanced(by: .nanoseconds(1)) }
    }
}
