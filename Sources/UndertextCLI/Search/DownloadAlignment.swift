internal import Undertext
internal import UndertextAlignment
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextProviders

/// Aligns downloads with a subtitle track of the video, or with its speech if it has no such track.
struct DownloadAlignment {
    /// The confidence from which on times are changed.
    private static let leastConfidence = 0.8

    private let reference: ReferenceTimes
    private let video: String
    private let console: Console
    private let isQuiet: Bool

    /// Reads the times of the video's track that suits a download best, otherwise those of its speech; `nil` if it has
    /// neither.
    init?(
        of video: String, _ download: OnlineSubtitle?, _ command: SearchCommand, _ console: Console
    ) {
        let isQuiet = command.verbosity.quiet
        let bar = ProgressBar(quiet: isQuiet)
        defer { bar.clear() }
        do throws(UndertextError) {
            reference = try ReferenceTimes(
                of: MediaInput(argument: video), track: nil, speech: .ifNeeded,
                language: download?.language, console: console, bar: bar
            ) { note in
                bar.clear()
                if !isQuiet { console.say(note) }
            }
        } catch {
            bar.clear()
            if !isQuiet {
                console.say("warning: downloads are not aligned: \(error.description)")
            }
            return nil
        }
        self.video = video
        self.console = console
        self.isQuiet = isQuiet
    }

    /// Writes a download with the times of the reference.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - path: The output.
    ///   - replacing: `true` to replace an existing output.
    ///   - download: Gets the alignment, or is marked as unaligned.
    /// - Returns: The size of the output, or `nil` if nothing was written because the times do not fit.
    /// - Throws: `UndertextError` if the output cannot be written.
    func write(
        _ bytes: [UInt8], to path: String, replacing: Bool, _ download: inout SearchDownload
    ) throws(UndertextError) -> Int? {
        let input = MediaInput.bytes(bytes, name: PathName.baseName(path))
        var result = SyncResult(subtitle: path)
        do throws(UndertextError) {
            let media = try Media(input)
            guard let track = media.subtitleTracks.first else {
                return unaligned(&download, "\(path): it has no subtitle track")
            }
            result.stream = track.stream
            let times = try track.times(cancellation: console.cancellation)
            result.compare(times, with: reference, AlignmentOptions())
        } catch {
            return unaligned(&download, "\(path): the times are not aligned: \(error.description)")
        }
        guard let alignment = result.alignment, alignment.confidence >= Self.leastConfidence,
            let format = SubtitleFormat(path: path)
        else {
            return unaligned(
                &download,
                "\(path): the times are as downloaded: "
                    + "they do not fit \(reference.name) with enough confidence")
        }
        var options = ExtractionOptions()
        options.format = FormatRequest(text: format, bitmap: format)
        options.destination = .file(path)
        options.copiesText = true
        options.allowsOtherExtensions = true
        options.existing = replacing ? .replace : .refuse
        options.tracks = result.stream.map { .stream($0.index) } ?? .all
        options.reading.retiming = alignment.retiming
        let reports = try Extractor(options: options, cancellation: console.cancellation)
            .extract([input])
        if let error = reports.first?.error { throw error }
        guard let output = reports.first?.tracks.first?.outputs.first else {
            return unaligned(&download, "\(path): the times could not be changed")
        }
        download.alignment = alignment
        download.reference = reference
        if !isQuiet { for line in SyncText.lines(of: alignment, result) { console.say(line) } }
        return Int(output.bytes)
    }

    private func unaligned(_ download: inout SearchDownload, _ message: String) -> Int? {
        download.isUnaligned = true
        console.say("warning: \(message)")
        return nil
    }
}
