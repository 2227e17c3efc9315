internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders
internal import UndertextStreaming

/// Runs `undertext hls package`.
struct PackageRun {
    let command: HLSPackageCommand
    let console: Console

    /// Packages the presentation and returns the exit code.
    func perform() -> Int32 {
        do throws(UndertextError) {
            if FileSystem.exists(command.output), !command.force {
                throw UndertextError(
                    .io, "it already exists; --force replaces files made by this command",
                    path: command.output)
            }
            var loaded = try command.side.load(console)
            if command.embeddedSubtitles, try PackageSource.isMediaFile(command.video) {
                var options = Media.Options()
                options.cancellation = console.cancellation
                try loaded.loadTracks(
                    of: command.video, options, strippingStyles: command.side.text.stripStyling)
            }
            guard !loaded.subtitles.isEmpty else {
                throw UndertextError(
                    .notFound,
                    "the file has no text subtitles; specify a subtitle file with --subtitle",
                    path: command.video)
            }
            return try package(loaded)
        } catch {
            if error.code != .cancelled { console.fail(error) }
            return ExitStatus.nothing
        }
    }

    private func package(_ loaded: SideLoader) throws(UndertextError) -> Int32 {
        let side = SubtitleInjection(loaded.subtitles)
        try S3Location.refuseOutput(command.output)
        let listed = try PackageList.names(in: command.output)
        InputFiles.note(command.video)
        try PackageList.refuseInputs(in: command.output, listed)
        let folder = try OutputFolder(path: command.output)
        let source = try PackageSource(command, folder: folder, console: console)
        let master = try source.master()
        let media = try source.reader.media(of: master)
        guard !media.isLive else {
            throw UndertextError(
                .unsupported, "the stream is live; 'undertext serve' adds subtitles to it",
                path: command.video)
        }
        var notes = loaded.diagnostics + source.diagnostics
        var timeline = InjectionTimeline(media, start: source.start)
        notes += try source.reader.readClocks(
            of: &timeline, mediaStart: (try? command.side.mediaStartTicks()) ?? nil)
        let stems = loaded.stems
        for (index, stem) in stems.enumerated() {
            try write(side, index, stem, timeline, folder)
            let lost = side.cuesOutside(timeline, of: index)
            if let first = lost.first {
                notes.append(
                    Diagnostic(
                        .error, "cues-outside",
                        "'\(side.subtitles[index].name)': \(lost.count) "
                            + "\(lost.count == 1 ? "cue is" : "cues are") outside the media, the first "
                            + "at \(decimalSeconds(first.start)) s"))
            }
        }
        var leadsOutside = false
        let rewriting: (String) -> String = { address in
            let written = source.rewriting(address)
            if written.hasPrefix("../") { leadsOutside = true }
            return written
        }
        let (text, masterNotes) = side.master(master, rewriting: rewriting) {
            PackageName.playlist(stems[$0])
        }
        try folder.write(
            PackageList.bytes(of: folder.names + [PackageName.master]), name: PackageList.name)
        try folder.write(text.bytes, name: PackageName.master)
        if command.force {
            try folder.commit(replacingListed: listed)
        } else {
            try folder.commit()
        }
        if leadsOutside {
            notes.append(
                Diagnostic(
                    .info, "media-outside",
                    "the master playlist refers to files outside the folder; serve a folder that "
                        + "contains both"))
        }
        let code = report(notes + masterNotes)
        if !command.verbosity.quiet {
            let segments = timeline.media.segments.count
            console.say(
                "\(PathName.joining(command.output, PackageName.master)): "
                    + "\(stems.count) subtitle \(stems.count == 1 ? "track" : "tracks") in \(segments) "
                    + (segments == 1 ? "segment" : "segments"))
        }
        return code
    }

    private func report(_ notes: [Diagnostic]) -> Int32 {
        for note in notes {
            if command.verbosity.quiet, note.severity != .error { continue }
            // These notes are shown without `--verbose`.
            let isAlwaysShown = ["media-outside", SideLoader.leftOutCode].contains(note.code)
            if note.severity == .info, !isAlwaysShown, !command.verbosity.verbose { continue }
            console.say(note.text(for: .other))
        }
        let worst: [Diagnostic.Severity] = command.strict ? [.error, .warning] : [.error]
        return notes.contains { worst.contains($0.severity) }
            ? ExitStatus.partial : ExitStatus.success
    }

    private func write(
        _ side: SubtitleInjection, _ index: Int, _ stem: String, _ timeline: InjectionTimeline,
        _ folder: OutputFolder
    ) throws(UndertextError) {
        let list = side.playlist(beside: timeline, prefix: PackageName.segmentPrefix(stem))
        try folder.write(list.bytes, name: PackageName.playlist(stem))
        for segment in timeline.media.segments {
            guard let file = side.segment(of: index, beside: segment, in: timeline) else {
                continue
            }
            try folder.write(file.bytes, name: PackageName.segment(stem, segment.sequence))
        }
    }
}
