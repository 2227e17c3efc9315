internal import UndertextContainers

/// A Matroska file that comes in order and once: its headers are in the beginning, its blocks follow.
///
/// libavformat would end a damaged input quietly, and says nothing of blocks that it drops.
final class PipedMatroska {
    /// What the beginning of the input says.
    let file: MatroskaFile
    private let tee: HeaderTee
    private var wasRead = false

    init(_ file: MatroskaFile, _ tee: HeaderTee) {
        self.file = file
        self.tee = tee
        tee.record(from: file.firstBlocks)
    }

    /// What was read of the input.
    var statistics: ReadStatistics { tee.statistics }

    /// Whether libavformat found the same tracks, so that one index names one stream.
    func describes(_ description: ContainerDescription) -> Bool {
        func tracks(_ streams: [StreamDescription]) -> Int {
            streams.count {
                $0.kind != .attachment && !$0.disposition.contains(.attachedPicture)
            }
        }
        return tracks(description.streams) == tracks(file.description.streams)
    }

    /// The packets of `streams`.
    ///
    /// - Throws: `UndertextError` with code `unsupported` if libavformat has to read them, because a stream's encoding
    ///   cannot be undone, or `io` if the input was read already.
    func reader(for streams: Set<Int>) throws(UndertextError) -> MatroskaPacketReader {
        guard !wasRead else {
            throw UndertextError(.io, "the input can be read only once", path: tee.name)
        }
        // What we cannot read must leave its bytes to libavformat.
        _ = try file.walkingReader(for: streams)
        guard let (stream, offset) = tee.takeRecorded() else {
            throw UndertextError(.unsupported, "libavformat read too much of it to describe it")
        }
        wasRead = true
        return try file.forwardReader(for: streams, from: stream, at: offset)
    }
}
