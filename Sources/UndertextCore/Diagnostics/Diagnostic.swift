/// Something that was lost, repaired or noteworthy, while the work went on.
public struct Diagnostic: Hashable, Sendable {
    /// How much it matters.
    public enum Severity: String, Hashable, Sendable {
        /// Worth knowing; nothing was lost.
        case info
        /// Something was repaired or is doubtful; strict callers treat it as a failure.
        case warning
        /// Input was lost.
        case error
    }

    /// How much it matters.
    public var severity: Severity
    /// A short stable name such as `invalid-utf8`, for programs.
    public var code: String
    /// A sentence for people.
    public var message: String
    /// The stream concerned.
    public var streamIndex: Int?
    /// The time concerned, on the timeline of the input.
    public var time: Timestamp?
    /// The offset in the input, in bytes.
    public var byteOffset: UInt64?
    /// What a caller can do about it.
    public var remedy: Remedy?

    /// Creates a diagnostic; secrets of URLs in its message are left out.
    public init(
        _ severity: Severity, _ code: String, _ message: String, streamIndex: Int? = nil,
        time: Timestamp? = nil, byteOffset: UInt64? = nil, remedy: Remedy? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = withoutSecrets(message)
        self.streamIndex = streamIndex
        self.time = time
        self.byteOffset = byteOffset
        self.remedy = remedy
    }
}
