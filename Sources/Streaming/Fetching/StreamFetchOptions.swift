public import SystemIO

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
    /// How long one resource may take: all that is asked for it, and the waits in between.
    public var requestTimeout = Duration.seconds(60)
    /// Bytes of one segment at most.
    public var segmentSize = 16 << 20
    /// Bytes of a segment of sound or pictures at most, of which only the beginning is wanted: a server
    /// may send all of it.
    public var mediaSegmentSize = 128 << 20
    /// Bytes of all answers together at most.
    public var totalSize: UInt64 = 4 << 30
    /// After so many resources in a row that a server could not give, for reasons that may pass, it is gone.
    ///
    /// It is asked for nothing more then, be it a playlist, a segment or the beginning of media; after half as many
    /// nothing is asked for twice. An answer lets the counting begin anew. As many segments in a row that are lost
    /// for such a reason end a stream.
    public var failuresInARow = 8
    /// After that time a server that is gone is asked once more.
    public var pauseAfterFailures = Duration.seconds(5)
    /// Bytes in a second at most, over all requests; `nil` = as fast as they come.
    public var limiter: RateLimiter?
    /// The time, and how to wait.
    public var clock = JobClock.system

    /// The defaults, which suit untrusted servers.
    public init() {}
}
