public import MediaCore

/// Reads the packets of chosen tracks by the index, and nothing else of the clusters.
///
/// Every target is checked before its packet comes out: element, track and time. Where one is not
/// what the index says, ``nextPacket()`` throws ``MediaError/Code/indexMismatch``, and the caller
/// reads the file another way.
public final class IndexedPacketReader: PacketReader {
    private let targets: [IndexTarget]
    private var next = 0
    private var reader: IndexedBlockReader
    private var tracks: [UInt64: TrackPackets]
    private var queue: [Packet] = []
    private var queueStart = 0
    private var diagnostics: [Diagnostic] = []

    init(
        targets: [IndexTarget], reader: IndexedBlockReader, tracks: [UInt64: TrackPackets]
    ) {
        self.targets = targets
        self.reader = reader
        self.tracks = tracks
    }

    /// The next packet in the order of the file, or `nil` behind the last one.
    ///
    /// - Throws: ``MediaError`` with code ``MediaError/Code/indexMismatch``, `io` or `cancelled`.
    public func nextPacket() throws(MediaError) -> Packet? {
        while queueStart == queue.count {
            guard next < targets.count else { return nil }
            try readNextTarget()
        }
        defer { queueStart += 1 }
        return queue[queueStart]
    }

    /// The damaged blocks since the last call.
    public func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    private func readNextTarget() throws(MediaError) {
        let target = targets[next]
        queue = []
        queueStart = 0
        let outcome = try reader.read(targets, at: next)
        next += 1
        switch outcome {
        case .seen:
            // Then the number of entries says nothing of the number of blocks.
            throw MediaError(
                .indexMismatch, "The index names one block twice.",
                streamIndex: tracks[target.track]?.streamIndex,
                byteOffset: target.cluster)
        case .cutOff(let position):
            diagnostics.append(
                Diagnostic(
                    .error, "truncated", "The file ends before or within a block.",
                    streamIndex: tracks[target.track]?.streamIndex, byteOffset: position))
        case .block(let block, let clusterTime):
            guard let result = tracks[target.track]?.packets(block, clusterTime: clusterTime)
            else { return }
            queue = result.packets
            diagnostics += result.diagnostics
        }
    }
}

extension MediaError.Code {
    /// The index names a block that is not there.
    public static let indexMismatch = MediaError.Code(name: "index-mismatch")
}
