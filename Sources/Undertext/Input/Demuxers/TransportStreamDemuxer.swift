internal import UndertextContainers
internal import UndertextFFmpeg
internal import UndertextIO

/// An MPEG transport stream in a file: read by the headers of its packets, or by a scan.
final class TransportStreamDemuxer: ScanningDemuxer {
    init?(recognizedIn found: Found) throws(UndertextError) {
        guard found.access.source != nil, found.description.fileFormat == .mpegTS else {
            return nil
        }
        try super.init(found)
    }

    override var readsVideo: Bool { true }

    override func addNativePaths(to plan: inout ReadPlan) throws(UndertextError) {
        refuseIndex(in: &plan)
        guard plan.allows(.walk), let source else { return }
        plan.add(.walk) { [plan] (record, diagnostics) throws(UndertextError) in
            let reader = try self.walk(plan, source, diagnostics)
            record.others.append { reader.statistics }
            return reader
        }
    }

    /// Opens the native reader.
    ///
    /// - Throws: `UndertextError` with code `unsupported` where libavformat has to read it, or what the
    ///   source throws.
    private func walk(
        _ plan: ReadPlan, _ source: any RandomAccessSource, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> TransportPacketReader {
        (source as? FileSource)?.advise(.sequential)
        do throws(UndertextError) {
            let file = try TransportStreamFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
            let background = BackgroundReading(source, options.cancellation)
            return try file.packetReader(
                for: description.streams.filter { plan.streams.contains($0.index) },
                window: indexWindow(plan), source: background.source,
                diagnostics: diagnostics, puller: background.pull)
        } catch {
            (source as? FileSource)?.advise(.random)
            guard error.code == .notMedia else { throw error }
            throw UndertextError(.unsupported, error.message, path: access.input.argument)
        }
    }
}
