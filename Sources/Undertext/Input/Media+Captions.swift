internal import UndertextContainers
internal import UndertextFFmpeg

extension Media {
    /// Bytes of the input in which ``videoCaptions(within:)`` looks when it is asked to look deep.
    ///
    /// Captions are sent with every frame, padding included: the beginning says whether there are any. 64 MiB
    /// are six seconds of the densest disc and a minute of television.
    static let deepCaptionSurvey: UInt64 = 64 << 20
    /// Bytes in which it looks on the way to something else.
    static let briefCaptionSurvey: UInt64 = 8 << 20

    /// The closed captions in the beginning of the video streams, by the index of the stream.
    ///
    /// - Parameter bytes: The bytes of the input to look into at most.
    /// - Returns: Video streams that could carry captions, an empty set where none were found; nothing for
    ///   inputs that cannot be read twice.
    /// - Throws: `UndertextError`.
    func videoCaptions(within bytes: UInt64) throws(UndertextError) -> [Int: VideoCaptions] {
        guard source != nil, let container = demuxer as? ScanningDemuxer,
            !container.isBeyondLimits,
            description.streams.contains(where: { CaptionDetector(codec: $0.codec) != nil })
        else { return [:] }
        // The one that described the input has read its beginning already.
        let demuxer = try container.takeDescriber()
        defer { demuxer.close() }
        var detectors: [Int: CaptionDetector] = [:]
        for stream in demuxer.description.streams where stream.kind == .video {
            detectors[stream.index] = CaptionDetector(codec: stream.codec)
        }
        guard !detectors.isEmpty else { return [:] }
        demuxer.select(Set(detectors.keys))
        // Damage is for those to report who read the file.
        while let packet = try? demuxer.nextPacket() {
            detectors[packet.streamIndex]?.add(packet.data)
            if demuxer.position ?? 0 > bytes { break }
        }
        if options.cancellation?.isCancelled == true {
            throw UndertextError(.cancelled, "stopped", path: input.argument)
        }
        return detectors.mapValues(\.captions)
    }

    /// Reports captions that are there and not extracted, one diagnostic a stream.
    ///
    /// What costs more than it is worth is left out: looking into video where an index leads to the
    /// subtitles, since that reads no video.
    func captionDiagnostics() -> [Diagnostic] {
        let readsVideo = (demuxer as? ScanningDemuxer)?.readsVideo ?? false
        guard subtitleTracks.isEmpty || readsVideo,
            let found = try? videoCaptions(within: Self.briefCaptionSurvey)
        else { return [] }
        return found.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map {
            index, captions in
            Diagnostic(
                .warning, "captions-unsupported",
                "it carries closed captions (\(captions.names.joined(separator: ", "))), "
                    + "which are not supported yet and were left out",
                streamIndex: index)
        }
    }
}
