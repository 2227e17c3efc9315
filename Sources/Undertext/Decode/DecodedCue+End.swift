internal import UndertextCore

extension DecodedCue {
    /// A Boolean value that indicates whether a later event may end the cue before its own end.
    ///
    /// Tracks of bitmap formats show one composition at a time, so the next composition ends the previous one
    /// regardless of its duration. Text cues and cues of image folders may overlap.
    var canBeCut: Bool { end == nil || replacesEarlier }

    mutating func close(at time: Timestamp, _ source: EndSource) {
        end = .init(time: time, source: source)
        isFinal = true
    }

    /// Ends a cue at `time`, unless it is known to end earlier.
    mutating func close(at time: Timestamp) {
        guard !isFinal else { return }
        guard canBeCut, end.map({ $0.time > time }) ?? true else {
            isFinal = true
            return
        }
        guard start <= time else { return closeAfterStep(backTo: time) }
        close(at: time, .nextEvent)
    }

    /// The longest step back that a muxer causes; a longer one is a discontinuity.
    private static let shortStep = Duration.seconds(1)

    /// Ends an image that begins later than what follows it.
    ///
    /// After a short step back, what follows replaces the image at once, as it does on a decoder's screen.
    /// After a longer one the clock began again, and nothing that follows says when the image ended.
    private mutating func closeAfterStep(backTo time: Timestamp) {
        if end?.source != .explicit, time.duration(to: start) <= Self.shortStep {
            return close(at: start, .nextEvent)
        }
        let known = [end, fallbackEnd].compactMap { $0 }.first { $0.time > start }
        if let known { return close(at: known.time, known.source) }
        close(at: start.advanced(by: CueAssembler.longestOpenCue), .clamped)
    }
}
