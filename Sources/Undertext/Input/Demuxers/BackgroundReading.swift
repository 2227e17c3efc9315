internal import UndertextContainers
internal import UndertextCore
internal import UndertextIO

/// Reads a Matroska file or a transport stream on a separate thread, so that decoding and writing do not wait
/// for the disk and vice versa.
struct BackgroundReading {
    /// A connection of that thread's own to the input; `nil` where there can be only one.
    let source: (any RandomAccessSource)?
    /// Ends the thread's reading alone.
    private let stop: Cancellation
    /// Batches of 64 blocks or 256 KiB.
    private static let ahead = 8
    /// Bytes of the batches that wait; a batch has 256 KiB, and a block more.
    private static let bytesAhead = 16 << 20

    /// The order in which a file is read.
    enum Order {
        /// At announced offsets.
        case sparse
        /// From the beginning to the end.
        case forward
        /// With jumps that the reader cannot announce; scouts find out where they lead.
        case scouted(ScoutedSource.Scout)
    }

    /// Connects to the file of `source`, to read it in this order.
    init(
        _ source: any RandomAccessSource, _ cancellation: Cancellation?, _ order: Order = .forward
    ) {
        let cancellation = Cancellation(parent: cancellation)
        stop = cancellation
        guard let file = source as? FileSource, let own = try? file.connector(cancellation) else {
            self.source = nil
            return
        }
        self.source =
            switch order {
            case .sparse: DiskSource(own)
            case .forward: own
            case .scouted(let scout):
                ScoutedSource(
                    own, cancellation: cancellation,
                    connect: file.connector(recordsPosition: false), scout: scout)
            }
    }

    /// Calls the function for batches, on the other thread if that has its own source.
    func pull(_ make: @escaping BlockBatch.Maker) -> () -> BlockBatch? {
        guard source != nil else { return { make(false) } }
        return BackgroundProducer(
            ahead: Self.ahead, mostWeight: Self.bytesAhead, weight: \.byteCount, cancellation: stop,
            make
        ).next
    }

    /// The same for the packets of a transport stream.
    func pull(_ make: @escaping TransportBatch.Maker) -> () -> TransportBatch? {
        guard source != nil else { return make }
        return BackgroundProducer(
            ahead: Self.ahead, mostWeight: Self.bytesAhead, weight: \.byteCount, cancellation: stop
        ) { _ in make() }.next
    }
}
