internal import UndertextCore
internal import UndertextFormats

extension Media {
    /// The durations before a part of the timeline that are searched, one after the other.
    private static let acquisitionLeads: [Duration] = [30, 150, 600].map { .seconds($0) }
    /// The time after the first packet from which on all captions come: pictures that are stored before others may be
    /// shown after them.
    private static let reordering = Duration.seconds(2)
    /// The time by which a picture may be stored earlier than captions that are shown before it.
    private static let storedAhead = Duration.seconds(10)

    /// Finds the time from which on captions within video have to be read, so that the cues after `start` are those of
    /// reading everything.
    ///
    /// - Parameters:
    ///   - services: The services of the captions.
    ///   - streams: The streams that carry them.
    ///   - start: The start of the part, on the container's own clock; `nil` for the beginning.
    ///   - statistics: Gets the bytes and the requests of the search.
    /// - Returns: The time, or `nil` if everything has to be read.
    /// - Throws: `UndertextError`: reading failed.
    func acquisitionTime(
        of services: [StreamDescription], in streams: Set<Int>, before start: Timestamp?,
        counting statistics: inout ReadStatistics
    ) throws(UndertextError) -> Timestamp? {
        guard let start, let container = demuxer as? ScanningDemuxer,
            container.startsWithin(streams)
        else { return nil }
        let beginning = description.storedStart ?? .zero
        for lead in Self.acquisitionLeads {
            let time = start.advanced(by: .zero - lead)
            guard time > beginning else { return nil }
            let plan = try plan(
                for: services, of: streams, besides: streams,
                in: TimeWindow(from: time, until: start))
            guard plan.paths.first?.path == .walk else { return nil }
            let isAcquired = try acquisition(of: services, by: plan, from: time, until: start)
            statistics = plan.record.others.reduce(statistics) { $0 + $1() }
            switch isAcquired {
            case true?: return time
            case false?: continue
            case nil: return nil
            }
        }
        return nil
    }

    /// Reads a part of the timeline.
    ///
    /// - Returns: `true` if decoders of all services know the screen in it, `nil` if a longer part would not help.
    private func acquisition(
        of services: [StreamDescription], by plan: ReadPlan, from time: Timestamp,
        until end: Timestamp
    ) throws(UndertextError) -> Bool? {
        var waiting: [Int: any AcquisitionSearch] = [:]
        for service in services {
            guard let search = SubtitleFormat.randomAccess(of: service).acquisitionSearch() else {
                return nil
            }
            waiting[service.index] = search
        }
        guard let reader = try plan.paths.first?.open(DiagnosticSink()) else { return nil }
        var isFirst = true
        while let packet = try reader.nextPacket() {
            // The time of a picture without one depends on those before it.
            guard packet.pts != nil, let shown = packet.start else { return nil }
            // The clock does not run forward, so that everything is read.
            if isFirst, shown.advanced(by: Self.storedAhead) < time { return nil }
            isFirst = false
            guard var search = waiting[packet.streamIndex] else {
                if shown > end.advanced(by: Self.storedAhead) { return false }
                continue
            }
            guard shown <= end, shown >= time.advanced(by: Self.reordering) else { continue }
            search.add(packet)
            waiting[packet.streamIndex] = search.isAcquired ? nil : search
            if waiting.isEmpty { return true }
        }
        return false
    }
}
