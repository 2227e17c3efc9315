internal import UndertextContainers
internal import UndertextFormats

extension ScanningDemuxer {
    /// How long before a time packets of `streams` may begin that say themselves that they are
    /// still shown then.
    func longestOwnEnd(of streams: Set<Int>) -> Duration {
        description.streams.filter { streams.contains($0.index) }
            .compactMap { SubtitleFormat.randomAccess(of: $0).longestOwnEnd }.max() ?? .zero
    }

    /// The rule by which an index selects the packets that are on screen in the window of a plan.
    func indexWindow(_ plan: ReadPlan) -> IndexWindow? {
        guard !plan.window.isAll else { return nil }
        var judges: [Int: IndexWindow.Judge] = [:]
        var reaches: [Int: Duration] = [:]
        for stream in description.streams where plan.streams.contains(stream.index) {
            let rule = SubtitleFormat.randomAccess(of: stream)
            guard !rule.isEveryPacketWhole else {
                reaches[stream.index] = rule.longestOwnEnd
                continue
            }
            judges[stream.index] = { packet in
                let role = rule.role(of: packet.data)
                return (role.isRandomAccessPoint, role.isAcquisitionPoint, role.shows)
            }
        }
        return IndexWindow(plan.window, judges: judges, reaches: reaches)
    }
}
