internal import UndertextContainers
internal import UndertextIO

extension MediaFile {
    /// Whether our own reader of transport streams may be able to read the input.
    var isTransportStream: Bool { source != nil && description.formatName == "mpegts" }

    /// Opens our own reader for the packets of `streams` of a transport stream in a file.
    ///
    /// - Throws: `UndertextError` with code `unsupported` where libavformat has to read it, or what the
    ///   source throws.
    func transportReader(
        for streams: Set<Int>, window: IndexWindow?
    ) throws(UndertextError) -> TransportPacketReader {
        let name = input.argument
        guard let source, isTransportStream else {
            throw UndertextError(
                .unsupported, "the input is not a transport stream in a file", path: name)
        }
        (source as? FileSource)?.advise(.sequential)
        do throws(UndertextError) {
            let file = try TransportStreamFile(
                source: source, limits: options.limits, cancellation: options.cancellation)
            let background = BackgroundReading(source, options.cancellation)
            return try file.packetReader(
                for: description.streams.filter { streams.contains($0.index) },
                window: window, source: background.source, puller: background.pull)
        } catch {
            (source as? FileSource)?.advise(.random)
            guard error.code == .notMedia else { throw error }
            throw UndertextError(.unsupported, error.message, path: name)
        }
    }
}
