internal import Undertext
internal import UndertextCore
internal import UndertextStreaming

/// Loads the subtitle files given with `--subtitle`.
struct SideLoader {
    /// The subtitles loaded so far, in command-line order.
    private(set) var subtitles: [InjectedSubtitle] = []
    /// Diagnostics of the loaded files; messages begin with the file's name.
    private(set) var diagnostics: [Diagnostic] = []

    /// Loads a subtitle file.
    ///
    /// - Parameters:
    ///   - request: The file and the properties of its rendition.
    ///   - options: The options for reading it.
    ///   - strips: `true` to remove styling.
    /// - Throws: `UndertextError`: any error of reading, `unsupported` if the text track is ambiguous, or
    ///   `notFound` if it has no cues, since players would offer an empty track.
    mutating func load(
        _ request: SideArguments.Request, _ options: Media.Options, strippingStyles strips: Bool
    ) throws(UndertextError) {
        let file = try Media(request.input, options: options)
        var found = file.diagnostics
        var document = try track(of: file, for: request).document { found.append($0) }
        guard !document.cues.isEmpty else { throw Self.nothing(in: request, found) }
        note(found, of: request)
        let texts = document.cues.filter { $0.plainText != nil }
        guard !texts.isEmpty else { throw Self.images(request) }
        if strips { document.cues = texts.map(\.withoutStyling) }
        add(document, request, of: request.input)
    }

    /// Loads the text tracks of a packaged media file, and reports the tracks that are left out.
    ///
    /// - Parameters:
    ///   - path: The media file.
    ///   - options: The options for reading it.
    ///   - strips: `true` to remove styling.
    /// - Throws: `UndertextError` if the file cannot be opened or reading is cancelled.
    mutating func loadTracks(
        of path: String, _ options: Media.Options, strippingStyles strips: Bool
    ) throws(UndertextError) {
        let file = try Media(path, options: options)
        var leftOut: [String] = []
        for track in file.subtitleTracks {
            let name = "track \(track.stream.label)"
            guard track.kind == .text, track.decodingRefusal == nil else {
                leftOut.append(name)
                continue
            }
            let request = SideArguments.Request(
                language: track.language, isForced: track.isForced,
                isSDH: track.isHearingImpaired,
                // In Matroska, FlagDefault is set unless a track clears it.
                isDefault: track.isDefault && !track.isForced
                    && !subtitles.contains(where: \.isDefault),
                input: "\(path): \(name)")
            var found: [Diagnostic] = []
            do throws(UndertextError) {
                var document = try track.document { found.append($0) }
                document.cues.removeAll { $0.plainText == nil }
                note(found, of: request)
                guard !document.cues.isEmpty else {
                    leftOut.append(name + ", which has no text")
                    continue
                }
                if strips { document.cues = document.cues.map(\.withoutStyling) }
                document.header.title = track.title
                add(document, request, of: request.input)
            } catch {
                if error.code == .cancelled { throw error }
                note(found, of: request)
                diagnostics.append(
                    Diagnostic(.error, "lost-track", "\(path): \(name): \(error.message)"))
            }
        }
        guard !leftOut.isEmpty else { return }
        diagnostics.append(
            Diagnostic(
                .info, Self.leftOutCode,
                "\(path): not packaged because WebVTT holds only text: "
                    + leftOut.joined(separator: ", ")))
    }

    /// The code of the diagnostic that lists tracks that are not packaged.
    static let leftOutCode = "subtitles-left-out"

    /// Adds a document, and reports its losses in WebVTT.
    private mutating func add(
        _ document: SubtitleDocument, _ request: SideArguments.Request, of input: String
    ) {
        let text = TextDocument(header: document.header, cues: document.cues)
        let losses = text.encoded(as: .webVTT).losses
        if !losses.isEmpty {
            diagnostics.append(
                Diagnostic(
                    .warning, "losses", "\(input): vtt cannot represent \(losses.description)"))
        }
        subtitles.append(
            InjectedSubtitle(
                document, name: name(for: request, title: document.header.title),
                language: request.language, isDefault: request.isDefault,
                isForced: request.isForced,
                isSDH: request.isSDH))
    }

    /// The display name of a rendition: its language's name in that language, with the title if the name is
    /// taken, or the title alone if the language has no name.
    private func name(for request: SideArguments.Request, title: String?) -> String {
        if let name = request.name { return name }
        let title = title.flatMap { $0.isEmpty ? nil : $0 }
        guard let language = request.language?.endonym else {
            return title ?? request.language?.rawValue ?? "Subtitles"
        }
        let name = language + (request.isSDH ? " (SDH)" : request.isForced ? " (forced)" : "")
        let isTaken = subtitles.contains { $0.name == name }
        return isTaken ? title ?? name : name
    }

    /// The beginnings of the file names, one for each of ``subtitles``.
    var stems: [String] {
        PackageName.unique(
            subtitles.map { PackageName.stem($0.language, isForced: $0.isForced, isSDH: $0.isSDH) })
    }

    /// The only text track, or the only one that matches the request; a guess could show the wrong language.
    private mutating func track(
        of file: Media, for request: SideArguments.Request
    ) throws(UndertextError) -> SubtitleTrack {
        guard !file.subtitleTracks.isEmpty else {
            throw UndertextError(.notFound, "the input has no subtitle track", path: request.input)
        }
        let texts = file.subtitleTracks.filter { $0.kind == .text }
        if texts.isEmpty { throw Self.images(request) }
        let inLanguage = texts.filter { track in
            request.language.map { track.language.map($0.covers) ?? false }
                ?? (track.language == nil)
        }
        let fitting = inLanguage.filter {
            $0.isForced == request.isForced && $0.isHearingImpaired == request.isSDH
        }
        for choice in [texts, inLanguage, fitting] where choice.count == 1 {
            if let other = choice[0].language, let language = request.language,
                !language.covers(other)
            {
                diagnostics.append(
                    Diagnostic(
                        .warning, "other-language",
                        "\(request.input): its track is in '\(other.rawValue)' and is added as "
                            + "'\(language.rawValue)'"))
            }
            return choice[0]
        }
        let names = texts.map(\.stream.label)
        throw UndertextError(
            .unsupported,
            "has several text tracks (\(names.joined(separator: ", "))), and not exactly one is in "
                + "'\(request.language?.rawValue ?? "und")'; extract the track you want and specify its file",
            path: request.input)
    }

    /// Adds one diagnostic for each code, with the number of others.
    private mutating func note(_ found: [Diagnostic], of request: SideArguments.Request) {
        var counts: [String: Int] = [:]
        for diagnostic in found { counts[diagnostic.code, default: 0] += 1 }
        var reported: Set<String> = []
        for diagnostic in found where reported.insert(diagnostic.code).inserted {
            var message = "\(request.input): \(diagnostic.message)"
            let more = (counts[diagnostic.code] ?? 1) - 1
            if more > 0 { message += " (and \(more) more like it)" }
            diagnostics.append(
                Diagnostic(
                    diagnostic.severity, diagnostic.code, message, remedy: diagnostic.remedy))
        }
    }

    private static func nothing(in request: SideArguments.Request, _ found: [Diagnostic])
        -> UndertextError
    {
        let reason =
            found.first { $0.severity == .error } ?? found.first { $0.severity == .warning }
        return UndertextError(
            .notFound,
            reason.map { "no cue can be read: \($0.message)" } ?? "the file has no cues",
            path: request.input)
    }

    private static func images(_ request: SideArguments.Request) -> UndertextError {
        UndertextError(
            .unsupported,
            "has bitmap subtitles, which WebVTT cannot hold; use convert --ocr to make text of them",
            path: request.input)
    }
}
