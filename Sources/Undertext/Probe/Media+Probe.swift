internal import UndertextContainers
package import UndertextCore
internal import UndertextFormats

extension Media {
    /// Describes the input for people and programs.
    ///
    /// - Parameters:
    ///   - deep: `true` to decode for more than the headers say: video and audio frames where the container leaves
    ///     something open, and the subtitle tracks, whose cues are counted.
    ///   - subtitlesOnly: `true` to report subtitle tracks alone, without the facts that take longer to find out; the
    ///     headers of a Matroska file have all of it, and FFmpeg is not loaded.
    /// - Returns: The report.
    /// - Throws: `UndertextError`.
    package func probe(
        deep: Bool = false, subtitlesOnly: Bool = false
    ) throws(UndertextError) -> ProbeReport {
        let services =
            deep && source != nil
            ? CarriedServices(of: demuxer, options, within: .max) : services
        var container =
            subtitlesOnly
            ? services.described(description) : try probedDescription(deep: deep, services)
        // Without libavformat, and with frames decoded, more or less is known than ``content`` says.
        let content =
            (deep || subtitlesOnly) && !isPresentation
            ? content(describedBy: container) : content(probedAs: container)
        container.isIndexDamaged = content.isJunkContent
        var facts: [Int: ExtractionSummary] = [:]
        for stream in container.streams where stream.kind.isSubtitle {
            let index = stream.carrier == nil ? try demuxer.index(of: stream) : nil
            facts[stream.index] = extraction(of: stream, index: index)
        }
        if deep {
            for (index, counted) in try countedFacts(facts, services) { facts[index] = counted }
        }
        return ProbeReport(
            input: input.argument, container: container, facts: facts,
            captions: deep && !subtitlesOnly && source != nil ? services.captionNames : [:],
            unsearched: isPresentation || subtitlesOnly ? [] : services.unsearched,
            subtitlesOnly: subtitlesOnly, content: content)
    }

    private func extraction(
        of stream: StreamDescription, index: StreamIndex?
    ) -> ExtractionSummary {
        let refusal = demuxer.refusal(ofStream: stream.index)?.message
        let formats = refusal == nil ? SubtitleFormat.possible(for: stream) : []
        var facts = ExtractionSummary(
            kind: stream.kind == .bitmap ? .bitmap : .text, indexed: index?.isComplete ?? false,
            outputs: formats.map(\.name), refusal: refusal)
        // libavformat counts what it has met of fragments, and samples that show nothing.
        if let index { facts.packets = index.packets } else { facts.packets = stream.packetCount }
        // Text has a cue a packet; of images many a packet only clears the screen.
        facts.cues = stream.kind == .text ? index?.cues : nil
        facts.first = index?.first
        facts.last = index?.last
        // The duration of a bitmap is stored in its data, not in the duration of its block.
        facts.coverage = stream.kind == .text ? index?.coverage : nil
        return facts
    }

    /// Counts by decoding every subtitle stream that can be decoded, in one pass.
    private func countedFacts(
        _ facts: [Int: ExtractionSummary], _ services: CarriedServices
    ) throws(UndertextError) -> [Int: ExtractionSummary] {
        let own = description.streams.filter { $0.kind.isSubtitle && $0.carrier == nil }
        let tracks = (own + services.streams).map { SubtitleTrack(media: self, stream: $0) }
        let decoders = tracks.compactMap { try? $0.decoder(diagnostics: DiagnosticSink { _ in }) }
        guard !decoders.isEmpty else { return [:] }
        var tallies = Dictionary(
            uniqueKeysWithValues: decoders.map { ($0.stream.index, CueTally()) })
        let reader = try CueReader(
            tracks.filter { tallies[$0.id] != nil }, of: self, decoders: decoders, in: .all)
        var cues: [Cue] = []
        while let step = try reader.step(finishing: &cues) {
            tallies[step.streamIndex]?.add(cues, packets: 1)
            cues.removeAll(keepingCapacity: true)
        }
        var counted: [Int: ExtractionSummary] = [:]
        for (index, tally) in tallies {
            guard var fact = facts[index] else { continue }
            var tally = tally
            tally.add(reader.finish(index), packets: 0)
            fact.packets = tally.packets
            fact.cues = tally.cues
            fact.first = tally.first
            fact.last = tally.last
            fact.coverage = tally.coverage(of: description.duration)
            counted[index] = fact
        }
        return counted
    }
}

/// Counts cues and the time they cover.
struct CueTally {
    private(set) var packets = 0
    private(set) var cues = 0
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?
    private var covered: Int64 = 0

    mutating func add(_ new: [Cue], packets count: Int) {
        packets += count
        for cue in new {
            cues += 1
            first = min(first ?? cue.start, cue.start)
            // Cues come by start, so what overlaps the latest end is covered already.
            let begin = max(cue.start, last ?? cue.start)
            if cue.end > begin {
                covered =
                    covered.addingReportingOverflow(begin.duration(to: cue.end).nanoseconds64)
                    .partialValue
            }
            last = max(last ?? cue.end, cue.end)
        }
    }

    /// The share of `duration` (microseconds) with a cue on screen, 0 to 1.
    func coverage(of duration: Int64?) -> Double? {
        guard let duration, duration > 0 else { return nil }
        return min(1, Double(covered) / 1000 / Double(duration))
    }
}

extension Duration {
    /// Nanoseconds, clamped to 64 bits.
    var nanoseconds64: Int64 { Int64(clamping: nanoseconds128) }
}
