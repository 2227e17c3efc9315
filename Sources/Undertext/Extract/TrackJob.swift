internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// One track on its way from packets to files; this class alone is a track that is not written.
class TrackJob {
    final var report: TrackReport
    /// `true` if the job still accepts packets.
    final private(set) var isActive: Bool

    final var stream: StreamDescription { report.stream }

    init(_ report: TrackReport, isActive: Bool = false) {
        self.report = report
        self.isActive = isActive
    }

    /// Writes a packet or the cues that it finishes.
    func write(
        _ step: CueReader.Step, finishing cues: [Cue], _ reader: CueReader
    ) throws(UndertextError) {}

    /// Writes pending content, commits the outputs and returns them.
    func finishOutputs(_ reader: CueReader) throws(UndertextError) -> [OutputRecord] { [] }

    /// Removes unfinished output.
    func abandonOutputs() {}

    /// Processes a reading step of the track.
    final func take(_ step: CueReader.Step, finishing cues: [Cue], _ reader: CueReader) {
        attempt { () throws(UndertextError) in try write(step, finishing: cues, reader) }
    }

    /// Writes pending content and commits the outputs.
    final func finish(_ reader: CueReader) {
        attempt { () throws(UndertextError) in
            let records = try finishOutputs(reader)
            report.outputs = records
            report.status = records.isEmpty ? .empty : .written
            if records.isEmpty, report.cues > 0 {
                report.status = .failed
                report.reason = "none of its \(report.cues) cues could be written"
            } else if records.isEmpty, report.lostInput {
                report.status = .failed
                report.reason = "nothing could be read"
            }
        }
        isActive = false
    }

    /// Stops the job and removes its output.
    final func abandon(_ reason: String) {
        guard isActive else { return }
        abandonOutputs()
        isActive = false
        report.status = .failed
        report.reason = reason
    }

    private func attempt(_ work: () throws(UndertextError) -> Void) {
        guard isActive else { return }
        do throws(UndertextError) {
            try work()
        } catch {
            report.readerLeft = error.code == .closedPipe
            abandon(error.description)
        }
    }
}
