import UndertextContainers
import UndertextCore
import UndertextFFmpeg

/// The packets that a walk and a scan by libavformat return for the same bytes.
struct WalkComparison {
    var walked: [Packet] = []
    var scanned: [Packet] = []
    /// The diagnostics of the walk and its file.
    var diagnostics: [Diagnostic] = []
    var statistics = ReadStatistics()

    /// Damaged files make libavformat talk.
    private static let silence: Void = FFmpegLog.install()

    /// Reads the chosen streams both ways; `nil` if one of both cannot open the file.
    init?(_ bytes: [UInt8], streams: Set<Int>? = nil) {
        Self.silence
        let source = MemorySource(bytes)
        guard let file = try? MatroskaFile(source: source),
            let demuxer = try? FFmpegDemuxer(.source(MemorySource(bytes))),
            file.description.streams.count == demuxer.description.streams.count
        else { return nil }
        let streams = streams ?? subtitleStreams(file)
        guard let reader = try? file.walkingReader(for: streams) else { return nil }
        demuxer.select(streams)
        while let packet = try? reader.nextPacket() { walked.append(packet) }
        while let packet = try? demuxer.nextPacket() { scanned.append(packet) }
        diagnostics = file.diagnostics + reader.diagnostics.take()
        statistics = source.statistics
    }

    /// Packets that libavformat gives and the walk does not.
    var missing: [Packet] { Self.difference(scanned, walked) { Self.isEqual($1, $0) } }
    /// Packets that the walk gives and libavformat does not.
    var additional: [Packet] { Self.difference(walked, scanned) { Self.isEqual($0, $1) } }

    private static func difference(
        _ left: [Packet], _ right: [Packet], _ isEqual: (Packet, Packet) -> Bool
    ) -> [Packet] {
        var byPlace = Dictionary(grouping: right, by: \.position)
        return left.filter { packet in
            guard let place = byPlace[packet.position]?.firstIndex(where: { isEqual(packet, $0) })
            else { return true }
            byPlace[packet.position]?.remove(at: place)
            return false
        }
    }

    /// `true` if both are one packet, as far as the file says something of it.
    private static func isEqual(_ walked: Packet, _ scanned: Packet) -> Bool {
        var expected = scanned
        // A block without a length: libavformat takes that of the next one for it.
        if walked.duration == nil { expected.duration = nil }
        // A block before the beginning: libavformat lets it end where the next one starts.
        if walked.pts == nil { (expected.pts, expected.dts) = (nil, nil) }
        // libavformat reckons with floating-point numbers, which are exact up to 2^53.
        if let time = walked.pts, let other = scanned.pts, time.magnitude > 1 << 53,
            time.subtractingReportingOverflow(other).partialValue.magnitude <= 1024
        {
            (expected.pts, expected.dts) = (time, time)
        }
        // A block is a key frame if no earlier one is still shown, which damage changes.
        expected.isKey = walked.isKey
        return walked == expected
    }
}
