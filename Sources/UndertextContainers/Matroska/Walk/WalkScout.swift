internal import UndertextCore

/// Visits the block headers of later clusters ahead of a walk, several clusters at a time.
///
/// Only the header of a block states where the next one is, so a walk waits for the disk at each block. The index, even
/// one that lists nothing but video, states where clusters begin: the disk can serve their headers at the same time.
/// What the scout finds is not used; it only brings bytes into the memory of the system. A wrong index costs time.
struct WalkScout {
    /// The visit of a cluster up to the next one of the index.
    private struct Visit {
        let cluster: UInt64
        let end: UInt64
        /// The offset of the next header.
        var here: UInt64
        let window: SourceWindow
    }

    /// The offsets of clusters, sorted.
    private let clusters: [UInt64]
    private var next = 0
    private var visits: [Visit] = []
    private let source: any RandomAccessSource
    private let filter: TrackFilter
    private let end: UInt64
    private let cancellation: Cancellation?
    /// `true` if a visit failed: the walk reports the reason if it concerns the walk.
    private var hasFailed = false

    /// As many requests as disks serve at once.
    private static let width = 64
    private static let page: UInt64 = 4096
    /// The longest usual start of a block, and of a cluster.
    private static let headerLength = 32
    /// A longer block is not announced as a whole.
    private static let longestBlock: UInt64 = 1 << 20

    /// Creates the scout of a walk over the `clusters` of an index, whose offsets are sorted.
    init(
        _ clusters: [UInt64], source: any RandomAccessSource, end: UInt64, tracks: TrackFilter,
        cancellation: Cancellation?
    ) {
        self.clusters = clusters
        self.source = source
        self.end = end
        filter = tracks
        self.cancellation = cancellation
    }

    /// Visits the cluster at `position` to its end, and later ones on the way, if the source is slow.
    mutating func visit(_ position: UInt64) {
        guard source.policy.concurrency > 1, !hasFailed else { return }
        while next < clusters.count, clusters[next] < position { next += 1 }
        visits.removeAll { $0.cluster < position }
        begin()
        while visits.contains(where: { $0.cluster == position }), !hasFailed {
            advance()
            begin()
        }
    }

    private mutating func begin() {
        var ranges: [ByteRange] = []
        while visits.count < Self.width, next < clusters.count {
            let cluster = clusters[next]
            next += 1
            let following = next < clusters.count ? clusters[next] : end
            guard cluster < min(following, end) else { continue }
            visits.append(
                Visit(
                    cluster: cluster, end: min(following, end), here: cluster,
                    window: SourceWindow(source, cancellation: cancellation)))
            ranges.append(ByteRange(offset: cluster, count: Self.headerLength))
        }
        if !ranges.isEmpty { source.prepare(ranges, first: false) }
    }

    /// Goes on in each visit to the next header that is not in memory.
    private mutating func advance() {
        var ranges: [ByteRange] = []
        do throws(UndertextError) {
            for place in visits.indices {
                if try go(&visits[place], &ranges) { continue }
                visits[place].here = .max
            }
        } catch {
            hasFailed = true
            return
        }
        visits.removeAll { $0.here == .max }
        if !ranges.isEmpty { source.prepare(ranges, first: true) }
    }

    /// Returns `false` at the end of the visit.
    private func go(
        _ visit: inout Visit, _ ranges: inout [ByteRange]
    ) throws(UndertextError) -> Bool {
        let window = visit.window
        let rest = Int(Self.page - visit.here % Self.page)
        _ = try window.bytes(at: visit.here, count: max(Self.headerLength, rest))
        // Not at the end of the file.
        guard window.held(at: visit.here) >= Self.headerLength else { return false }
        while visit.here < visit.end, window.held(at: visit.here) >= Self.headerLength {
            guard let header = try window.element(at: visit.here, before: visit.end) else {
                return false
            }
            if header.id == .cluster, visit.here == visit.cluster {
                visit.here = header.dataStart
                continue
            }
            guard header.id.belongsToCluster || header.id == .void, let next = header.end,
                next > visit.here
            else { return false }
            if header.id == .simpleBlock || header.id == .blockGroup,
                next - visit.here <= Self.longestBlock,
                let block = try BlockLocation.find(in: header, window: window),
                filter.contains(block.track)
            {
                ranges.append(
                    ByteRange(offset: visit.here, count: Int(next - visit.here)))
            }
            visit.here = next
        }
        guard visit.here < visit.end else { return false }
        ranges.append(ByteRange(offset: visit.here, count: Self.headerLength))
        return true
    }
}
