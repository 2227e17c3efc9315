/// A report of something that was lost, repaired or noteworthy and did not stop the operation.
public struct Diagnostic: Hashable, Sendable {
    /// The severity.
    public enum Severity: String, Hashable, Sendable {
        /// Information; nothing was lost.
        case info
        /// Something was repaired or is doubtful; strict callers treat it as a failure.
        case warning
        /// Input was lost.
        case error
    }

    /// The severity.
    public var severity: Severity
    /// A short stable name for programs, such as `invalid-utf8`.
    public var code: String
    /// A description for people.
    public var message: String
    /// The index of the affected stream.
    public var streamIndex: Int?
    /// The affected time on the timeline of the input.
    public var time: Timestamp?
    /// The byte offset in the input.
    public var byteOffset: UInt64?
    /// The action that may help the caller.
    package var remedy: Remedy?

    /// Creates a diagnostic; secrets of URLs are removed from its message.
    package init(
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
