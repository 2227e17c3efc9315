internal import UndertextCore

/// The start of a cluster (RFC 9559, section 5.1.3).
struct ClusterHeader: Hashable, Sendable {
    /// The offset of the cluster.
    var start: UInt64
    /// The offset of its data, which relative positions count from.
    var dataStart: UInt64
    /// The end; that of the segment if its size is unknown.
    var end: UInt64
    /// Its timestamp in ticks.
    var time: UInt64
    /// The offset after its timestamp.
    var headerEnd: UInt64

    /// Elements looked at for the timestamp, which "SHOULD be the first".
    private static let searchLimit = 16

    /// Reads the cluster at `position`; `nil` if there is none or it states no timestamp.
    init?(
        at position: UInt64, before segmentEnd: UInt64, window: SourceWindow, ahead: Int = 32
    ) throws(UndertextError) {
        guard
            let header = try window.element(at: position, before: segmentEnd, ahead: ahead),
            header.id == .cluster
        else { return nil }
        start = position
        dataStart = header.dataStart
        end = min(header.end ?? segmentEnd, segmentEnd)
        var offset = dataStart
        for _ in 0..<Self.searchLimit {
            // Prefix and value of the usual timestamp have fewer bytes than the longest prefix.
            guard let child = try window.element(at: offset, before: end),
                let next = child.end, next <= end
            else { return nil }
            switch child.id {
            case .timestamp:
                guard let size = child.size, size <= 8 else { return nil }
                let data = try window.bytes(at: child.dataStart, count: Int(size))
                guard data.count == Int(size) else { return nil }
                time = data.reduce(0) { $0 << 8 | UInt64($1) }
                headerEnd = next
                return
            case .simpleBlock, .blockGroup: return nil
            default: offset = next
            }
        }
        return nil
    }
}
