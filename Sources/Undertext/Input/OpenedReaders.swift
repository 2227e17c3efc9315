internal import Containers
internal import Demux

/// Readers that tell how far they are, and what they asked for besides the file's own source.
final class OpenedReaders {
    /// Those that read from a source of their own.
    var inBackground: [MatroskaPacketReader] = []
    var walkPosition: () -> UInt64? = { nil }
    var walkStatistics: () -> ReadStatistics = { .init() }
    var scan: Demuxer?

    private let describer: Demuxer?

    init(describer: Demuxer?) { self.describer = describer }

    var demuxer: Demuxer? { scan ?? describer }
}
