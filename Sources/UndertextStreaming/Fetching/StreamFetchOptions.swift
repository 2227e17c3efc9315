package import UndertextIO

/// How the parts of a presentation are fetched, and what they may cost.
public struct StreamFetchOptions: Sendable {
    /// Requests that are under way at the same time.
    public var parallel = 4
    /// How often a request is repeated after a failure that may pass.
    public var retries = 3
    /// The wait before the first repetition; each further one takes twice as long.
    public var firstDelay = Duration.milliseconds(500)
    /// So long is waited at most because a server asks for it (`Retry-After`).
    public var longestWait = Duration.seconds(30)
    /// How long all that is asked for may go without an answer; `nil` for a job without an end.
    ///
    /// Repetitions and the waits in between count. After that nothing more is asked for. A single resource gets half
    /// of it to send something. While a live presentation is followed, its own end counts instead.
    public var progressTimeout: Duration? = .seconds(30)
    /// How long one resource may take: all that is asked for it, and the waits in between.
    public var requestTimeout = Duration.seconds(60)
    /// How long it may take while a live presentation is followed, whose other segments do not wait.
    public var followingTimeout = Duration.seconds(10)
    /// Bytes of one segment at most.
    public var segmentSize = 16 << 20
    /// Bytes of a segment of sound or pictures at most, of which only the beginning is wanted: a server
    /// may send all of it.
    public var mediaSegmentSize = 128 << 20
    /// Bytes of all answers together at most.
    public var totalSize: UInt64 = 4 << 30
    /// So many failures in a row, for reasons that may pass, are those of the server and not of one resource.
    ///
    /// When they have gone on for ``outage``, nothing is asked for twice. A stream ends when eight times as many of its
    /// segments are lost in a row then, or as many for three times as long. A server that gave no answer to so many resources is asked for nothing, but
    /// for one more after each ``pauseAfterFailures``. An answer lets the counting begin anew.
    public var failuresInARow = 8
    /// How long a server may fail while what it could not give is still asked for again.
    public var outage = Duration.seconds(10)
    /// After that time a server that gave no answer is asked once more.
    public var pauseAfterFailures = Duration.seconds(5)
    /// Bytes in a second at most, over all requests; `nil` = as fast as they come.
    package var limiter: RateLimiter?
    /// The time, and how to wait.
    package var clock = JobClock.system

    /// The defaults, which suit untrusted servers.
    public init() {}
}
