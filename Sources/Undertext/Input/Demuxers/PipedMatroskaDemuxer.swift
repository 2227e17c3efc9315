internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg

/// A Matroska file that comes in order and once: its headers are in the beginning, its blocks follow.
///
/// libavformat would end a damaged input quietly, and does not report the blocks that it drops.
final class PipedMatroskaDemuxer: ScanningDemuxer {
    /// The beginning of an input, read as Matroska.
    struct Beginning {
        let file: MatroskaFile?
        /// The reason why its headers cannot be used.
        let damage: UndertextError?

        init(_ candidate: InputCandidate) throws(UndertextError) {
            guard let header = candidate.header else {
                (file, damage) = (nil, nil)
                return
            }
            (file, damage) = try MatroskaDemuxer.file(in: header, candidate.access.options)
            if let file { candidate.pipe?.record(from: file.firstBlocks) }
        }

        /// The input for the case that libavformat cannot describe it.
        func undescribed(
            _ candidate: InputCandidate
        ) throws(UndertextError) -> PipedMatroskaDemuxer? {
            guard let file, file.isBeyondLimits, let pipe = candidate.pipe else { return nil }
            let found = Found(access: candidate.access, description: file.description)
            return try PipedMatroskaDemuxer(found, file, pipe)
        }

        /// Reports parts that libavformat does not describe of what it takes for Matroska.
        func notes(on description: ContainerDescription) -> [Diagnostic] {
            guard let damage, damage.code == .malformed,
                description.fileFormat == .matroska
            else { return [] }
            return [
                Diagnostic(
                    .error, "damaged-header",
                    "\(damage.message) Parts may be missing that libavformat does not report.",
                    byteOffset: damage.byteOffset)
            ]
        }
    }

    private let file: MatroskaFile
    /// The input; `nil` if libavformat found other tracks, so that indices do not name the same streams.
    private let tee: HeaderTee?
    private var wasRead = false

    /// Creates a demuxer if the input begins like a Matroska file.
    convenience init?(
        recognizedIn found: Found, _ beginning: Beginning
    ) throws(UndertextError) {
        guard let file = beginning.file, let pipe = found.pipe else { return nil }
        let isSame = Self.tracks(found.description) == Self.tracks(file.description)
        var found = found
        MatroskaDemuxer.complete(&found.description, by: file.description)
        // Tracks may also follow attachments that are larger than the beginning; then none was seen.
        if !isSame, !file.description.streams.isEmpty {
            found.notes.insert(
                Diagnostic(
                    .error, "damaged-header",
                    "The descriptions of the tracks are damaged. Parts may be missing that "
                        + "libavformat does not report."), at: 0)
        }
        try self.init(found, file, isSame ? pipe : nil)
    }

    private init(
        _ found: Found, _ file: MatroskaFile, _ tee: HeaderTee?
    ) throws(UndertextError) {
        self.file = file
        self.tee = tee
        var found = found
        found.statedSize = file.statedSize
        if tee != nil {
            found.notes =
                file.diagnostics.filter { $0.code == "damaged-header" && $0.severity == .error }
                + found.notes
        }
        try super.init(found)
    }

    private static func tracks(_ description: ContainerDescription) -> Int {
        description.streams.count {
            $0.kind != .attachment && !$0.disposition.contains(.attachedPicture)
        }
    }

    override var readsVideo: Bool { false }

    override var isBeyondLimits: Bool { tee != nil && file.isBeyondLimits }

    /// Adds the native reader, the only one that can follow: libavformat would have to read the same bytes.
    override func addNativePaths(to plan: inout ReadPlan) throws(UndertextError) {
        try super.addNativePaths(to: &plan)
        guard plan.allows(.scan), let tee else { return }
        do throws(UndertextError) {
            let reader = try reader(for: plan.streams, tee)
            plan.add(.scan) { (record, diagnostics) throws(UndertextError) in
                reader.diagnostics.forward(to: diagnostics)
                let described = self.describer
                record.others.append { tee.statistics - (described?.statistics ?? .init()) }
                record.checks.append { isWhole in
                    isWhole ? self.truncation(at: tee.statistics.bytesRead) : []
                }
                return reader
            }
        } catch {
            guard error.code == .unsupported else { throw error }
            plan.refuse(.walk, error.message)
        }
    }

    /// The packets of `streams`.
    ///
    /// - Throws: `UndertextError` with code `unsupported` if libavformat has to read them, because a stream's encoding
    ///   cannot be undone, or `io` if the input was read already.
    private func reader(
        for streams: Set<Int>, _ tee: HeaderTee
    ) throws(UndertextError) -> MatroskaPacketReader {
        guard !wasRead else {
            throw UndertextError(.io, "the input can be read only once", path: tee.name)
        }
        // If our reader fails, the bytes must remain available to libavformat.
        _ = try file.walkingReader(for: streams)
        guard let (stream, offset) = tee.takeRecorded() else {
            throw UndertextError(
                .unsupported, "libavformat read too much of the input to describe it")
        }
        wasRead = true
        return try file.forwardReader(for: streams, from: stream, at: offset)
    }
}
