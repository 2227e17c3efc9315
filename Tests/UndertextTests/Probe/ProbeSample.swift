import TestSupport
import Undertext
import UndertextCore

/// A file with one of everything, its texts hostile to terminals.
func probeSample() -> ProbeReport {
    return ProbeReport(
        input: "film.mkv", container: probeContainer(),
        facts: [
            2: ExtractionSummary(
                kind: .text, indexed: true, packets: 312, cues: 312,
                first: .milliseconds(1001), last: .milliseconds(5_398_200), coverage: 0.4284,
                outputs: ["vtt", "srt", "json"]),
            3: ExtractionSummary(kind: .bitmap, packets: 1, outputs: ["png", "sup"]),
            4: ExtractionSummary(kind: .bitmap, indexed: true, outputs: ["png", "vobsub"]),
        ])
}
