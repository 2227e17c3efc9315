internal import Synchronization
package import UndertextCore

/// Looks through the clusters of a file before a ``BlockWalker`` comes to them, on any number of threads.
///
/// The place of a header is known only when the header before it was read, so a walk has one request at a time, and a
/// disk could serve many. Clusters do not depend on each other. Nothing that is found here is used but the page cache:
/// the walk checks every element itself.
package final class ClusterScouts: Sendable {
    /// The offset of the next element of the segment; `nil` if no more are examined.
    private let next: Mutex<UInt64?>
    private let tracks: TrackFilter
    private let longestBlock: UInt64

    /// The number of headers after which a file is judged.
    private static let fewHeaders = 64
    /// The average distance of headers in bytes below which the walk itself reads all pages.
    private static let dense: UInt64 = 4096

    /// Scouts that announce the blocks of `tracks`.
    init(from start: UInt64, tracks: Set<UInt64>, limits: Limits) {
        next = Mutex(start)
        self.tracks = TrackFilter(tracks)
        longestBlock = UInt64(max(0, limits.packetSize))
    }

    /// Looks through clusters until none is left, or until `source` fails.
    package func run(_ source: any RandomAccessSource) {
        let window = SourceWindow(source, cancellation: nil)
        while let cluster = takeCluster(window) { look(into: cluster, window) }
    }

    /// The data of the next cluster; `nil` if it, or what comes before it, has no size.
    private func takeCluster(_ window: SourceWindow) -> Range<UInt64>? {
        next.withLock { place in
            while let start = place {
                guard let header = Self.element(at: start, before: window.end, window) else {
                    break
                }
                place = header.id == .segment ? header.dataStart : header.end
                if header.id == .cluster, let end = header.end {
                    return header.dataStart..<min(end, window.end)
                }
            }
            place = nil
            return nil
        }
    }

    private func look(into cluster: Range<UInt64>, _ window: SourceWindow) {
        var place = cluster.lowerBound
        var headers: UInt64 = 0
        while place < cluster.upperBound,
            let header = Self.element(at: place, before: cluster.upperBound, window),
            let size = header.size, let end = header.end
        {
            if header.id == .simpleBlock || header.id == .blockGroup, size <= longestBlock,
                let block = try? BlockLocation.find(in: header, window: window),
                tracks.contains(block.track)
            {
                window.source.prepare(
                    [ByteRange(offset: header.dataStart, count: Int(size))], first: false)
            }
            place = end
            headers += 1
            if headers > Self.fewHeaders, (place - cluster.lowerBound) / headers < Self.dense {
                return next.withLock { $0 = nil }
            }
        }
    }

    /// The element there; `nil` if there is none, or if it has no size and is no segment.
    private static func element(
        at place: UInt64, before end: UInt64, _ window: SourceWindow
    ) -> ElementHeader? {
        guard place < end,
            let header = try? window.element(at: place, before: end, ahead: WalkAhead.tight),
            header.size != nil || header.id == .segment
        else { return nil }
        return header
    }
}
