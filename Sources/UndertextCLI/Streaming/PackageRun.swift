internal import Online
internal import Streaming
internal import SystemIO
internal import Undertext

/// One run of `undertext hls package`.
struct PackageRun {
    let command: HLSPackageCommand
    let console: Console

    private static let masterName = "master.m3u8"

    /// Does it all and gives the exit code.
    func perform() -> Int32 {
        do throws(MediaError) {
            if FileSystem.exists(command.output), !command.force {
                throw MediaError(
                    .io, "it is there already; --force replaces what this command made",
                    path: command.output)
            }
            let side = SideLoading(
                try command.side.load(console, quiet: command.verbosity.quiet))
            return try package(side)
        } catch {
            if error.code != .cancelled { console.fail(error.description) }
            return ExitStatus.nothing
        }
    }

    private func package(_ side: SideLoading) throws(MediaError) -> Int32 {
        let listed = Self.listed(in: command.output)
        let folder = try Self.output { () throws(OutputError) in
            try OutputFolder(path: command.output)
        }
        let source = try PackageSource(command, folder: folder, console: console)
        let master = try source.master()
        let media = try source.reader.media(of: master)
        guard !media.isLive else {
            throw MediaError(
                .unsupported, "the stream is live; 'undertext serve' adds subtitles to it",
                path: command.video)
        }
        var notes = source.diagnostics
        let timeline = try placed(media, source.reader, &notes)
        let stems = Self.unique((try? command.side.wishes().map(\.stem)) ?? [])
        for (index, stem) in stems.enumerated() {
            try write(side, index, stem, timeline, folder)
            let lost = side.cuesOutside(timeline, of: index).count
            if lost > 0 {
                notes.append(
                    Diagnostic(
                        .error, "cues-outside",
                        "'\(side.subtitles[index].name)': \(lost) cues lie outside the media"))
            }
        }
        let rewriting = source.rewriting
        let (text, wishes) = side.master(master, rewriting: rewriting) { stems[$0] + ".m3u8" }
        try Self.output { () throws(OutputError) in
            try folder.write(text.bytes, name: Self.masterName)
            if command.force {
                try folder.commit(replacingListed: listed)
            } else {
                try folder.commit()
            }
        }
        return tell(notes + wishes)
    }

    private func tell(_ notes: [Diagnostic]) -> Int32 {
        for note in notes where !command.verbosity.quiet {
            if note.severity == .info, !command.verbosity.verbose { continue }
            console.say(SideArguments.line(note))
        }
        let worst: [Diagnostic.Severity] = command.strict ? [.error, .warning] : [.error]
        return notes.contains { worst.contains($0.severity) }
            ? ExitStatus.partial : ExitStatus.success
    }

    /// The timeline with the clocks of its stretches.
    private func placed(
        _ media: MediaPlaylist, _ reader: UpstreamReader, _ notes: inout [Diagnostic]
    ) throws(MediaError) -> SideTimeline {
        var timeline = SideTimeline(media)
        var unknown = 0
        for segment in timeline.segmentsWithoutClock {
            var first: Int64?
            do throws(MediaError) {
                first = try reader.firstPTS(of: segment, in: media)
            } catch {
                if error.code == .cancelled { throw error }
                notes.append(Diagnostic(.warning, "segment-not-read", error.description))
            }
            if first == nil, segment.start == .zero {
                first = (try? command.side.mediaStartTicks()) ?? nil
            }
            if let first {
                timeline.setClock(first, of: segment)
            } else {
                unknown += 1
            }
        }
        if unknown > 0 {
            notes.append(
                Diagnostic(
                    .warning, "no-media-start",
                    "when the media begin cannot be read: subtitles have no time map and may be "
                        + "early or late; --media-start tells it"))
        }
        return timeline
    }

    private func write(
        _ side: SideLoading, _ index: Int, _ stem: String, _ timeline: SideTimeline,
        _ folder: OutputFolder
    ) throws(MediaError) {
        try Self.output { () throws(OutputError) in
            let list = side.playlist(beside: timeline, prefix: stem + "-")
            try folder.write(list.bytes, name: stem + ".m3u8")
            for segment in timeline.media.segments {
                guard let file = side.segment(of: index, beside: segment, in: timeline) else {
                    continue
                }
                try folder.write(file.bytes, name: "\(stem)-\(segment.sequence).vtt")
            }
        }
    }

    static func output<Result>(
        _ body: () throws(OutputError) -> Result
    ) throws(MediaError) -> Result {
        do throws(OutputError) {
            return try body()
        } catch {
            throw MediaError(.io, error.description)
        }
    }

    private static func unique(_ stems: [String]) -> [String] {
        var seen: [String: Int] = [:]
        return stems.map { stem in
            let count = (seen[stem] ?? 0) + 1
            seen[stem] = count
            return count == 1 ? stem : "\(stem).\(count)"
        }
    }

    /// The files that the master of a folder leads to within it: what `--force` may replace.
    private static func listed(in folder: String) -> [String] {
        func playlist(_ name: String) -> HLSPlaylist? {
            guard !name.contains("/"),
                let bytes = try? FileSystem.contents(
                    of: PathName.joining(folder, name), limit: 32 << 20)
            else { return nil }
            return try? HLSPlaylist(bytes)
        }
        guard case .master(let master) = playlist(masterName) else { return [] }
        var names = [masterName]
        let playlists = master.variants.map(\.uri) + master.renditions.compactMap(\.uri)
        for name in playlists {
            guard case .media(let media) = playlist(name) else { continue }
            names.append(name)
            names += media.segments.map(\.uri) + media.maps.map(\.uri)
        }
        return names
    }
}
