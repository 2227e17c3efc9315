package import UndertextIO

/// Options and limits for fetching the parts of a presentation.
public struct StreamFetchOptions: Sendable {
    /// Requests that are under way at the same time.
    public var parallel = 4
    /// The maximum number of retries after a transient failure.
    public var retries = 3
    /// The wait before the first repetition; each further one takes twice as long.
    public var firstDelay = Duration.milliseconds(500)
    /// The maximum wait that a server may request with `Retry-After`.
    public var longestWait = Duration.seconds(30)
    /// The maximum time without any response to any request; `nil` for a job without an end.
    ///
    ///
    /// The time includes retries and the waits between them. After it, no further requests are made. A single
    /// resource must begin to arrive within half of it. While a live presentation is followed, its own end
    /// applies instead.
    public var progressTimeout: Duration? = .seconds(30)
    /// The maximum time for one resource, including retries and the waits between them.
    public var requestTimeout = Duration.seconds(60)
    /// The maximum time for one resource while a live presentation is followed, since its other segments do not
    /// wait.
    public var followingTimeout = Duration.seconds(10)
    /// Bytes of one segment at most.
    public var segmentSize = 16 << 20
    /// The maximum size of an audio or video segment in bytes.
    ///
    /// Only its beginning is needed, but a server may send all of it.
    public var mediaSegmentSize = 128 << 20
    /// Bytes of all answers together at most.
    public var totalSize: UInt64 = 4 << 30
    /// The same if captions within video are read: films have more than 4 GiB.
    public var totalMediaSize: UInt64 = 1 << 40
    /// So many failures in a row, for reasons that may pass, are those of the server and not of one resource.
    ///
    /// After failures have lasted for ``outage``, nothing is requested twice. A stream ends when eight times as
    /// many of its segments are then lost in a row, or as many for three times as long. A server that did not
    /// respond for so many resources is no longer used, except for one request after each
    /// ``pauseAfterFailures``. A response resets the count.
    public var failuresInARow = 8
    /// The time for which failed requests to a failing server are still retried.
    public var outage = Duration.seconds(10)
    /// The time after which a server that did not respond is tried again.
    public var pauseAfterFailures = Duration.seconds(5)
    /// Bytes in a second at most, over all requests; `nil` = as fast as they come.
    package var limiter: RateLimiter?
    /// The time, and how to wait.
    package var clock = JobClock.system

    /// The defaults, which suit untrusted servers.
    public init() {}
}
