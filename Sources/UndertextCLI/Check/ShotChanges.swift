internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextIO

/// The shot changes of a video.
struct ShotChanges {
    var times: [Timestamp]
    /// What is missing, because a part of the video could not be read or decoded.
    var diagnostics: [Diagnostic]
}

extension CheckRun {
    /// Finds the shot changes with which an input is checked.
    ///
    /// - Parameters:
    ///   - media: The input.
    ///   - diagnostics: Receives what is missing.
    /// - Returns: The times, ascending; `nil` without `--shot-changes`.
    /// - Throws: `UndertextError`: the video cannot be read.
    func shotChanges(
        of media: Media, _ diagnostics: inout [Diagnostic]
    ) throws(UndertextError) -> [Timestamp]? {
        guard command.shotChanges else { return nil }
        let found: ShotChanges
        if let path = command.video {
            found = try shotChanges(ofFile: path)
        } else {
            do throws(UndertextError) {
                found = try shotChanges(in: media)
            } catch {
                guard error.code == .notFound else { throw error }
                throw UndertextError(
                    .notFound, "it has no video with shot changes; name one with --video",
                    path: media.input.argument)
            }
        }
        diagnostics += found.diagnostics
        return found.times
    }

    /// Finds the shot changes of the video that is named, once for all inputs.
    private func shotChanges(ofFile path: String) throws(UndertextError) -> ShotChanges {
        if let known = videoShotChanges.with({ $0 }) { return known }
        var options = Media.Options()
        options.cancellation = console.cancellation
        options.timeline = self.options.timeline
        let media = try Media(MediaInput(argument: path), options: options)
        var found = try shotChanges(in: media)
        found.diagnostics += media.diagnostics
        videoShotChanges.with { $0 = found }
        return found
    }

    private func shotChanges(in media: Media) throws(UndertextError) -> ShotChanges {
        let quiet = command.verbosity.quiet
        let bar = ProgressBar(quiet: quiet)
        defer { bar.clear() }
        var detector = ShotChangeDetector(isSparse: command.fast)
        let damaged = try media.readLuma(
            keyFramesOnly: command.fast, cancellation: console.cancellation,
            progress: { bar.update($0) }, { luma, time in detector.add(luma, at: time) })
        detector.finish()
        bar.clear()
        let name = media.input.argument
        if !quiet {
            console.say(
                "\(detector.changes.count) shot changes"
                    + (command.fast ? "; of key frames only, which is approximate" : ""),
                about: name)
        }
        guard damaged > 0 else { return ShotChanges(times: detector.changes, diagnostics: []) }
        let lost = Diagnostic(
            .error, "video-lost",
            "\(damaged) packets of the video of \(withoutSecrets(name)) could not be decoded; shot changes may be "
                + "missing.")
        return ShotChanges(times: detector.changes, diagnostics: [lost])
    }
}
