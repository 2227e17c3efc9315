internal import UndertextCore

/// Reports what a walk found damaged; a file full of damage makes no endless list.
struct WalkDamage {
    private let diagnostics: DiagnosticSink
    private var count = 0
    private var hasReportedEncryption = false
    private var hasReportedCut = false
    /// Diagnostics of one walk at most.
    private static let limit = 200

    init(_ diagnostics: DiagnosticSink) { self.diagnostics = diagnostics }

    /// A block that cannot be read.
    mutating func noteBlock(_ message: String, at position: UInt64) {
        note(.error, "damaged-block", message, position)
    }

    /// EncryptedBlock, of which there is nothing to be had (RFC 9559, section 5.1.3.6).
    mutating func noteEncrypted(at position: UInt64) {
        guard !hasReportedEncryption else { return }
        hasReportedEncryption = true
        note(
            .error, "encrypted-block",
            "The file has encrypted blocks (EncryptedBlock), which cannot be read.", position)
    }

    /// Bytes between two good places.
    mutating func noteSkipped(from start: UInt64, to end: UInt64) {
        note(
            .error, "damaged-container",
            "A damaged part of the container was skipped: \(end - start) bytes.", start)
    }

    /// Nothing good up to the end of the source: it is cut off, or something else is after it.
    mutating func noteLostEnd(from start: UInt64, to end: UInt64, isWithinSegment: Bool) {
        guard isWithinSegment else {
            note(
                .warning, "trailing-bytes",
                "\(end - start) bytes after the end of the segment are not Matroska.",
                start)
            return
        }
        guard !hasReportedCut else { return }
        hasReportedCut = true
        note(
            .error, "truncated",
            "The file is cut off or damaged: its last \(end - start) bytes are an incomplete element.",
            start)
    }

    /// The source ends within a cluster.
    mutating func noteCut(at position: UInt64) {
        guard !hasReportedCut else { return }
        hasReportedCut = true
        note(.error, "truncated", "The file ends before or within a block.", position)
    }

    /// A cluster that ends before its stated size does.
    mutating func noteShortCluster(at position: UInt64) {
        note(
            .error, "damaged-container", "A cluster ends before the end that it states.", position)
    }

    /// An element that no standard has there.
    mutating func noteUnknown(from start: UInt64, to end: UInt64) {
        note(
            .error, "damaged-container",
            "An element that is not part of Matroska was skipped: \(end - start) bytes.", start)
    }

    /// A block of a track that the file does not describe.
    mutating func noteUnknownTrack(_ track: UInt64, at position: UInt64) {
        note(
            .error, "damaged-block",
            "A block belongs to track \(track), which the file does not describe.", position)
    }

    /// Clusters after the end of the segment.
    mutating func noteStray(at position: UInt64) {
        note(
            .warning, "stray-cluster", "A cluster follows the end of the segment.", position)
    }

    /// Another segment after the first.
    mutating func noteSecondSegment(at position: UInt64) {
        note(
            .warning, "second-segment",
            "Another segment follows; its blocks are read with the tracks of the first one.",
            position)
    }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ position: UInt64
    ) {
        count += 1
        guard count <= Self.limit else { return }
        diagnostics.report(severity, code, message, byteOffset: position)
        if count == Self.limit {
            diagnostics.report(
                .warning, "more-damage", "Further damage of the container is not listed.",
                byteOffset: position)
        }
    }
}
