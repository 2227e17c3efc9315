internal import Synchronization
package import UndertextCore

/// Looks through the clusters of a file before a ``BlockWalker`` comes to them, on any number of threads.
///
/// The place of a header is known only when the header before it was read, so a walk has one request at a time, and a
/// disk could serve many. Clusters do not depend on each other. Only the page cache profits: no result is passed on, and
/// the walk checks every element itself.
package final class ClusterScouts: Sendable {
    private struct State {
        /// The offset of the next element of the segment; `nil` if no more are examined.
        var next: UInt64?
        /// The number of headers examined so far.
        var headers: UInt64 = 0
    }

    private let state: Mutex<State>
    private let start: UInt64
    private let tracks: TrackFilter
    private let longestBlock: UInt64

    /// The number of headers after which a file is judged.
    private static let fewHeaders = 64
    /// The average distance of headers in bytes below which the walk itself reads all pages.
    private static let dense: UInt64 = 4096

    /// Scouts that announce the blocks of `tracks`.
    init(from start: UInt64, tracks: Set<UInt64>, limits: Limits) {
        state = Mutex(State(next: start))
        self.start = start
        self.tracks = TrackFilter(tracks)
        longestBlock = UInt64(max(0, limits.packetSize))
    }

    /// Looks through clusters until none is left, or until a scout's source fails.
    ///
    /// - Parameters:
    ///   - source: A source of this thread.
    ///   - mayRead: Waits until the walk is near an offset; `false` if it has ended.
    package func run(_ source: any RandomAccessSource, mayRead: (UInt64) -> Bool) {
        let window = SourceWindow(source, cancellation: nil)
        do throws(UndertextError) {
            while let cluster = try takeCluster(window), mayRead(cluster.lowerBound) {
                let headers = try look(into: cluster, window)
                state.withLock { $0.headers += headers }
            }
        } catch {
            // The walk meets the failure itself, and reports it.
            state.withLock { $0.next = nil }
        }
    }

    /// The data of the next cluster; `nil` if it, or what comes before it, has no size.
    private func takeCluster(_ window: SourceWindow) throws(UndertextError) -> Range<UInt64>? {
        try state.withLock { (state) throws(UndertextError) in
            while let place = state.next, !isDense(state.headers, until: place) {
                guard let header = try Self.element(at: place, before: window.end, window) else {
                    break
                }
                state.headers += 1
                state.next = header.id == .segment ? header.dataStart : header.end
                if header.id == .cluster, let end = header.end {
                    return header.dataStart..<min(end, window.end)
                }
            }
            state.next = nil
            return nil
        }
    }

    /// Looks at the elements of a cluster, and returns their number.
    private func look(
        into cluster: Range<UInt64>, _ window: SourceWindow
    ) throws(UndertextError) -> UInt64 {
        var place = cluster.lowerBound
        var headers: UInt64 = 0
        while place < cluster.upperBound,
            let header = try Self.element(at: place, before: cluster.upperBound, window),
            let size = header.size, let end = header.end
        {
            // As for the walk, a block that is longer than its cluster is none.
            if header.id == .simpleBlock || header.id == .blockGroup, size <= longestBlock,
                end <= cluster.upperBound,
                let block = try BlockLocation.find(in: header, window: window),
                tracks.contains(block.track)
            {
                window.source.prepare(
                    [ByteRange(offset: header.dataStart, count: Int(size))], first: false)
            }
            place = end
            headers += 1
            if headers > Self.fewHeaders, (place - cluster.lowerBound) / headers < Self.dense {
                break
            }
        }
        return headers
    }

    private func isDense(_ headers: UInt64, until place: UInt64) -> Bool {
        headers > Self.fewHeaders && (place - min(start, place)) / headers < Self.dense
    }

    /// The element there; `nil` if there is none, or if it has no size and is no segment.
    private static func element(
        at place: UInt64, before end: UInt64, _ window: SourceWindow
    ) throws(UndertextError) -> ElementHeader? {
        guard place < end,
            let header = try window.element(at: place, before: end, ahead: WalkAhead.tight),
            header.size != nil || header.id == .segment
        else { return nil }
        return header
    }
}
