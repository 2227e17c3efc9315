internal import UndertextContainers
internal import UndertextFFmpeg

/// Readers and what they asked for besides the file's own source.
final class OpenedReaders {
    /// Those that read from a source of their own.
    var inBackground: [MatroskaPacketReader] = []
    var walkStatistics: () -> ReadStatistics = { .init() }
    var scan: FFmpegDemuxer?
    /// How many bytes of an input that comes in order were read.
    var reached: () -> UInt64? = { nil }
    /// What compares a scan with what there is.
    var check: CheckedScan?
    /// The same for MP4.
    var count: CountedScan?

    private let describer: FFmpegDemuxer?

    init(describer: FFmpegDemuxer?) { self.describer = describer }

    var demuxer: FFmpegDemuxer? { scan ?? describer }
}
