internal import UndertextCore

/// A segment of a presentation graphics stream: a type, a size and a body.
///
/// US 2009/0185789, tables 1 to 6, names the fields.
struct PGSSegment {
    /// The type of a segment.
    enum Kind: UInt8 {
        /// Colors (PDS).
        case palette = 0x14
        /// An image, or a fragment of one (ODS).
        case object = 0x15
        /// The objects on screen and their positions: the first segment of a display set (PCS).
        case composition = 0x16
        /// The areas that may be drawn on (WDS).
        case windows = 0x17
        /// The end of a display set (END).
        case end = 0x80
    }

    /// The bytes before the body: type and size.
    static let headerSize = 3

    let kind: Kind
    let body: ArraySlice<UInt8>
    /// `true` if bytes of the body are missing.
    let isCutOff: Bool
    /// The packet in which it began.
    let origin: PGSOrigin
}

/// The origin of a segment: the packet in which it began.
struct PGSOrigin: Hashable {
    /// The start of the packet.
    var start: Timestamp?
    /// The end of the packet, if the container states it.
    var end: Timestamp?
    /// The byte offset of the packet in the input.
    var position: UInt64?
}

/// A problem without its position, which the caller adds.
struct PGSProblem: Hashable {
    var severity: Diagnostic.Severity
    var code: String
    var message: String

    init(_ severity: Diagnostic.Severity, _ code: String, _ message: String) {
        self.severity = severity
        self.code = code
        self.message = message
    }
}
