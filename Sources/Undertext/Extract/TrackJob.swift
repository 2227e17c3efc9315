internal import UndertextFormats
internal import UndertextIO

/// One track on its way from packets to files.
final class TrackJob {
    private(set) var report: TrackReport
    private var output: (any TrackOutput)?

    var stream: StreamDescription { report.stream }
    /// `true` if it still wants packets.
    var isActive: Bool { output != nil }

    init(report: TrackReport, output: (any TrackOutput)?) {
        self.report = report
        self.output = output
    }

    func consume(_ packet: Packet) {
        attempt { output throws(UndertextError) in try output.consume(packet, &report) }
    }

    /// `true` if ``PlainCues`` may come instead of packets.
    var takesPlainCues: Bool { plainCueOutput?.takesPlainCues ?? false }

    func consume(_ cues: PlainCues) {
        guard let plainCueOutput else { return }
        attempt { _ throws(UndertextError) in try plainCueOutput.consume(cues, &report) }
    }

    private var plainCueOutput: (any PlainCueOutput)? { output as? any PlainCueOutput }

    /// Writes what was held back and puts the outputs in place.
    func finish() {
        attempt { output throws(UndertextError) in
            let records = try output.finish(&report)
            report.outputs = records
            report.status = records.isEmpty ? .empty : .written
            if records.isEmpty, report.cues > 0 {
                report.status = .failed
                report.reason = "nothing of its \(report.cues) cues could be written"
            } else if records.isEmpty, report.lostInput {
                report.status = .failed
                report.reason = "nothing of it could be read"
            }
        }
        output = nil
    }

    /// Adds diagnostics that the reader left about this track.
    func record(_ diagnostics: [Diagnostic]) {
        report.record(diagnostics)
    }

    /// Gives up: nothing of the track stays on disk.
    func abandon(_ reason: String) {
        guard isActive else { return }
        output?.abandon()
        output = nil
        report.status = .failed
        report.reason = reason
    }

    private func attempt(_ work: (any TrackOutput) throws(UndertextError) -> Void) {
        guard let output else { return }
        do throws(UndertextError) {
            try work(output)
        } catch {
            report.readerLeft = error.code == .closedPipe
            abandon(error.description)
        }
    }
}

/// Where the packets of one track go.
protocol TrackOutput: AnyObject {
    /// Takes a packet, and counts what it writes.
    func consume(_ packet: Packet, _ report: inout TrackReport) throws(UndertextError)
    /// Writes what was held back, puts the outputs in place and tells what they are.
    func finish(_ report: inout TrackReport) throws(UndertextError) -> [OutputRecord]
    /// Removes what was begun.
    func abandon()
}

/// An output that may take ``PlainCues`` instead of packets.
protocol PlainCueOutput: TrackOutput {
    /// `true` if it takes them.
    var takesPlainCues: Bool { get }
    /// Takes cues that need no decoding, and counts what it writes.
    func consume(_ cues: PlainCues, _ report: inout TrackReport) throws(UndertextError)
}
