internal import Containers
internal import Demux

/// Opens what the user named with the readers it needs.
enum InputOpener {
    /// Our Matroska reader where the input is Matroska, or why it cannot be used.
    static func matroska(
        in source: (any ByteSource)?, options: MediaFile.Options
    ) throws(MediaError) -> (MatroskaFile?, String?) {
        guard let source, try source.read(at: 0, count: 4) == [0x1A, 0x45, 0xDF, 0xA3] else {
            return (nil, nil)
        }
        do throws(MediaError) {
            let file = try MatroskaFile(
                source: source, limits: options.limits,
                cancellation: options.cancellation ?? Cancellation())
            return (file, nil)
        } catch {
            let ends: [MediaError.Code] = [.cancelled, .io, .timeout, .nestedOpen]
            if ends.contains(error.code) { throw error }
            return (nil, error.message)
        }
    }

    /// Our reader of .sup files where the input is one.
    static func sup(
        in source: (any ByteSource)?, options: MediaFile.Options
    ) throws(MediaError) -> SUPFile? {
        guard let source else { return nil }
        do throws(MediaError) {
            return try SUPFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
        } catch {
            guard error.code == .notMedia else { throw error }
            return nil
        }
    }

    static func demuxerOptions(
        _ options: MediaFile.Options, depth: DemuxerOptions.ProbeDepth
    ) -> DemuxerOptions {
        var demuxing = DemuxerOptions()
        demuxing.limits = options.limits
        demuxing.cancellation = options.cancellation
        demuxing.deadline = options.timeLimit.map { ContinuousClock().now + $0 }
        demuxing.probe = depth
        return demuxing
    }
}
