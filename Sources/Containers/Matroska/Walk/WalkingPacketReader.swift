public import MediaCore

/// Reads the packets of chosen tracks by walking over the headers of all blocks.
///
/// Blocks of other tracks are jumped over. Damage costs the rest of its cluster at most: the walk
/// goes on at the next cluster, and a ``Diagnostic`` says how many bytes were skipped.
public final class WalkingPacketReader: PacketReader {
    private var walker: BlockWalker
    private var tracks: [UInt64: TrackPackets]
    private var queue: [Packet] = []
    private var queueStart = 0
    private var diagnostics: [Diagnostic] = []

    init(walker: BlockWalker, tracks: [UInt64: TrackPackets]) {
        self.walker = walker
        self.tracks = tracks
    }

    /// Where the walk is, in bytes from the start of the source.
    public var position: UInt64 { walker.position }

    /// The next packet in the order of the file, or `nil` behind the last one.
    ///
    /// - Throws: ``MediaError`` with code `io` or `cancelled`.
    public func nextPacket() throws(MediaError) -> Packet? {
        while queueStart == queue.count {
            guard let found = try walker.next() else { return nil }
            queueStart = 0
            guard let result = tracks[found.track]?.packets(found.block, clusterTime: found.time)
            else {
                queue = []
                continue
            }
            queue = result.packets
            diagnostics += result.diagnostics
        }
        defer { queueStart += 1 }
        return queue[queueStart]
    }

    /// What was damaged or cut off since the last call.
    public func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return walker.takeDiagnostics() + diagnostics
    }
}
