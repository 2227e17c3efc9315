internal import Undertext
internal import UndertextAlignment
internal import UndertextCore

/// The human-readable form of an alignment.
enum SyncText {
    /// The lines of a report: what was compared, the speed, and an offset for each segment.
    static func lines(of alignment: Alignment, _ result: SyncResult) -> [String] {
        let name = escapedForTerminal(withoutSecrets(result.subtitle))
        let reference = escapedForTerminal(result.reference?.name ?? "")
        var lines = [
            "\(name): aligned with \(reference): confidence \(percent(alignment.confidence)), "
                + "\(alignment.matched) of \(alignment.cues) cues match"
        ]
        if let speed = speed(alignment.speed) { lines.append("  speed \(speed)") }
        if alignment.segments.count == 1 {
            lines.append("  offset \(offset(alignment.segments[0].offset))")
        } else {
            for (index, segment) in alignment.segments.enumerated() {
                let start = index == 0 ? "0:00:00.000" : clock(segment.from)
                lines.append(
                    "  from \(start) offset \(offset(segment.offset)), \(segment.matched) of "
                        + "\(segment.cues) cues match")
            }
        }
        if alignment.displaced > 0 {
            lines.append(
                "  \(alignment.displaced) cues before a break begin after it: the reference seems to lack that part"
            )
        }
        if alignment.uncovered > 0 {
            lines.append(
                "  \(alignment.uncovered) cues begin before or after all of the reference; their times are extrapolated"
            )
        }
        return lines
    }

    /// A probability in percent, which is rounded down, so that nothing but certainty is 100 %.
    static func percent(_ value: Double) -> String { "\(Int(value * 100)) %" }

    /// A span in seconds with its sign.
    static func offset(_ span: Duration) -> String {
        let milliseconds = Timestamp(nanoseconds: Int64(clamping: span.nanoseconds128))
            .roundedMilliseconds
        let magnitude = milliseconds.magnitude
        return (milliseconds < 0 ? "-" : "+") + "\(magnitude / 1000)."
            + zeroPadded(magnitude % 1000, to: 3) + " s"
    }

    /// A change of speed as a factor, and as frame rates if these are usual; `nil` if nothing changes.
    static func speed(_ speed: TimeBase) -> String? {
        guard speed.numerator != speed.denominator else { return nil }
        let factor = Double(speed.numerator) / Double(speed.denominator)
        let text = String(
            decoding: JSON.decimal((factor * 1e6).rounded() / 1e6).compact, as: UTF8.self)
        return "× \(text)" + (FrameRateChange.named(speed).map { " (\($0.name))" } ?? "")
    }

    private static func clock(_ time: Timestamp) -> String {
        clockText(Timestamp.zero.duration(to: time))
    }
}
