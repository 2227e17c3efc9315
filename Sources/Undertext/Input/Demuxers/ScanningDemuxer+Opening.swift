internal import UndertextFFmpeg
internal import UndertextFormats

extension ScanningDemuxer {
    /// Opens what libavformat takes, with the native paths of the container that it finds.
    static func describe(_ candidate: InputCandidate) throws(UndertextError) -> ScanningDemuxer {
        let access = candidate.access
        let beginning = try MP4Demuxer.Beginning(candidate)
        let matroska = try PipedMatroskaDemuxer.Beginning(candidate)
        if let opened = try matroska.undescribed(candidate) { return opened }
        let survey = try MP4Demuxer.survey(candidate)
        let describer: FFmpegDemuxer
        do throws(UndertextError) {
            describer = try FFmpegDemuxer(
                beginning.input, options: access.demuxerOptions(depth: .headers))
        } catch {
            throw explained(error, candidate.textRefusals)
        }
        var found = Found(
            access: access, description: describer.description, describer: describer,
            notes: survey, refusal: candidate.refusal ?? matroska.damage?.message,
            pipe: beginning.pipe)
        if let demuxer = try MP4Demuxer(recognizedIn: found, beginning, candidate) {
            return demuxer
        }
        if let demuxer = try TransportStreamDemuxer(recognizedIn: found) { return demuxer }
        if let demuxer = try PipedMatroskaDemuxer(recognizedIn: found, matroska) { return demuxer }
        let (description, notes) = DVDPalettes.completed(
            found.description, path: access.localPath,
            matrix: access.options.decoding.colorMatrix)
        found.description = description
        found.notes = notes + matroska.notes(on: description) + survey
        return try ScanningDemuxer(found)
    }

    /// Adds to an error which formats of text were tried, and why each of them does not take the input.
    private static func explained(
        _ error: UndertextError, _ refusals: [SubtitleFormat.Refusal]
    ) -> UndertextError {
        guard error.code == .notMedia, !refusals.isEmpty else { return error }
        var explained = error
        explained.details = refusals.map { "not \($0.format.title): \($0.reason)" }
        return explained
    }
}
