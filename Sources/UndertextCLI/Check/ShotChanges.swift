internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextIO

extension CheckRun {
    /// The shot changes with which an input is checked; `nil` if they are not wanted.
    ///
    /// - Throws: `UndertextError`: the video cannot be read.
    func shotChanges(of media: Media) throws(UndertextError) -> [Timestamp]? {
        guard command.shotChanges else { return nil }
        guard let path = command.video else {
            do throws(UndertextError) {
                return try shotChanges(in: media)
            } catch {
                guard error.code == .notFound else { throw error }
                throw UndertextError(
                    .notFound, "it has no video with shot changes; name one with --video",
                    path: media.input.argument)
            }
        }
        if let known = videoShotChanges.with({ $0 }) { return known }
        var options = Media.Options()
        options.cancellation = console.cancellation
        options.timeline = self.options.timeline
        let found = try shotChanges(in: Media(MediaInput(argument: path), options: options))
        videoShotChanges.with { $0 = found }
        return found
    }

    /// Finds the shot changes of a video.
    private func shotChanges(in media: Media) throws(UndertextError) -> [Timestamp] {
        let quiet = command.verbosity.quiet
        let bar = ProgressBar(quiet: quiet)
        defer { bar.clear() }
        var detector = ShotChangeDetector(isSparse: command.fast)
        let damaged = try media.readLuma(
            keyFramesOnly: command.fast, cancellation: console.cancellation,
            progress: { bar.update($0) }, { luma, time in detector.add(luma, at: time) })
        detector.finish()
        bar.clear()
        guard !quiet else { return detector.changes }
        let name = media.input.argument
        if damaged > 0 {
            console.say("warning: \(damaged) packets of video could not be decoded", about: name)
        }
        console.say(
            "\(detector.changes.count) shot changes"
                + (command.fast ? "; of key frames only, which is approximate" : ""), about: name)
        return detector.changes
    }
}
