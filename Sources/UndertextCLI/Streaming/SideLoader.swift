internal import Undertext
internal import UndertextCore
internal import UndertextStreaming

/// Reads the files of `--subtitle`.
struct SideLoader {
    /// What was read so far, in the order of the command line.
    private(set) var subtitles: [InjectedSubtitle] = []
    /// What is doubtful or was lost; messages begin with the file's name.
    private(set) var diagnostics: [Diagnostic] = []

    /// Reads one.
    ///
    /// - Parameters:
    ///   - wish: which, and what it is called.
    ///   - options: how it is read.
    ///   - strips: whether styling is left out.
    /// - Throws: `UndertextError`: what reading throws, `unsupported` where no text track can be told to be meant,
    ///   `notFound` where it has no cue: an empty track would be offered to viewers.
    mutating func load(
        _ wish: SideArguments.Wish, _ options: Media.Options, strippingStyles strips: Bool
    ) throws(UndertextError) {
        let file = try Media(wish.input, options: options)
        var found = file.diagnostics
        var document = try track(of: file, for: wish).document { found.append($0) }
        guard !document.cues.isEmpty else { throw Self.nothing(in: wish, found) }
        note(found, of: wish)
        let texts = document.cues.filter { $0.plainText != nil }
        guard !texts.isEmpty else { throw Self.images(wish) }
        if strips { document.cues = texts.map(\.withoutStyling) }
        add(document, wish, of: wish.input)
    }

    /// Reads the text tracks of a media file that is packaged, and notes which of its tracks are left out.
    ///
    /// - Parameters:
    ///   - path: the media file.
    ///   - options: how it is read.
    ///   - strips: whether styling is left out.
    /// - Throws: `UndertextError` where the file cannot be opened, or reading is stopped.
    mutating func loadTracks(
        of path: String, _ options: Media.Options, strippingStyles strips: Bool
    ) throws(UndertextError) {
        let file = try Media(path, options: options)
        var leftOut: [String] = []
        for track in file.subtitleTracks {
            let name = "track \(track.id) (\(track.language?.rawValue ?? "und"), \(track.codec))"
            guard track.kind == .text, track.decodingRefusal == nil else {
                leftOut.append(name)
                continue
            }
            let wish = SideArguments.Wish(
                language: track.language, isForced: track.isForced,
                isSDH: track.isHearingImpaired,
                // Matroska takes every track for a default that says nothing.
                isDefault: track.isDefault && !track.isForced
                    && !subtitles.contains(where: \.isDefault),
                input: "\(path): \(name)")
            var found: [Diagnostic] = []
            do throws(UndertextError) {
                var document = try track.document { found.append($0) }
                document.cues.removeAll { $0.plainText == nil }
                note(found, of: wish)
                guard !document.cues.isEmpty else {
                    leftOut.append(name + ", which has no text")
                    continue
                }
                if strips { document.cues = document.cues.map(\.withoutStyling) }
                document.header.title = track.title
                add(document, wish, of: wish.input)
            } catch {
                if error.code == .cancelled { throw error }
                note(found, of: wish)
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

    /// The code of the note that names tracks that are not packaged.
    static let leftOutCode = "subtitles-left-out"

    /// Adds a document under a name, and notes what WebVTT loses of it.
    private mutating func add(
        _ document: SubtitleDocument, _ wish: SideArguments.Wish, of input: String
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
                document, name: name(for: wish, title: document.header.title),
                language: wish.language, isDefault: wish.isDefault, isForced: wish.isForced,
                isSDH: wish.isSDH))
    }

    /// What people call a rendition: the name of its language in that language, and its title where there is
    /// one like it already, or no such name.
    private func name(for wish: SideArguments.Wish, title: String?) -> String {
        if let name = wish.name { return name }
        let title = title.flatMap { $0.isEmpty ? nil : $0 }
        guard let language = wish.language?.endonym else {
            return title ?? wish.language?.rawValue ?? "Subtitles"
        }
        let name = language + (wish.isSDH ? " (SDH)" : wish.isForced ? " (forced)" : "")
        let isTaken = subtitles.contains { $0.name == name }
        return isTaken ? title ?? name : name
    }

    /// What names of files begin with, for each of ``subtitles``.
    var stems: [String] {
        PackageName.unique(
            subtitles.map { PackageName.stem($0.language, isForced: $0.isForced, isSDH: $0.isSDH) })
    }

    /// The only text track, or the only one that is as wanted: a guess would give a viewer the wrong words.
    private mutating func track(
        of file: Media, for wish: SideArguments.Wish
    ) throws(UndertextError) -> SubtitleTrack {
        guard !file.subtitleTracks.isEmpty else {
            throw UndertextError(.notFound, "the input has no subtitle track", path: wish.input)
        }
        let texts = file.subtitleTracks.filter { $0.kind == .text }
        if texts.isEmpty { throw Self.images(wish) }
        let spoken = texts.filter { track in
            wish.language.map { track.language.map($0.covers) ?? false }
                ?? (track.language == nil)
        }
        let fitting = spoken.filter {
            $0.isForced == wish.isForced && $0.isHearingImpaired == wish.isSDH
        }
        for choice in [texts, spoken, fitting] where choice.count == 1 {
            if let other = choice[0].language, let wanted = wish.language, !wanted.covers(other) {
                diagnostics.append(
                    Diagnostic(
                        .warning, "other-language",
                        "\(wish.input): its track is in '\(other.rawValue)' and is added as "
                            + "'\(wanted.rawValue)'"))
            }
            return choice[0]
        }
        let names = texts.map {
            "\($0.id) (\($0.language?.rawValue ?? "und"), \($0.codec))"
        }
        throw UndertextError(
            .unsupported,
            "has several text tracks (\(names.joined(separator: ", "))), and not exactly one is in "
                + "'\(wish.language?.rawValue ?? "und")'; extract the track you want and specify its file",
            path: wish.input)
    }

    /// Keeps one of each kind, with the number of those like it.
    private mutating func note(_ found: [Diagnostic], of wish: SideArguments.Wish) {
        var counts: [String: Int] = [:]
        for diagnostic in found { counts[diagnostic.code, default: 0] += 1 }
        var told: Set<String> = []
        for diagnostic in found where told.insert(diagnostic.code).inserted {
            var message = "\(wish.input): \(diagnostic.message)"
            let more = (counts[diagnostic.code] ?? 1) - 1
            if more > 0 { message += " (and \(more) more like it)" }
            diagnostics.append(
                Diagnostic(
                    diagnostic.severity, diagnostic.code, message, remedy: diagnostic.remedy))
        }
    }

    private static func nothing(in wish: SideArguments.Wish, _ found: [Diagnostic])
        -> UndertextError
    {
        let reason =
            found.first { $0.severity == .error } ?? found.first { $0.severity == .warning }
        return UndertextError(
            .notFound,
            reason.map { "no cue can be read: \($0.message)" } ?? "the file has no cues",
            path: wish.input)
    }

    private static func images(_ wish: SideArguments.Wish) -> UndertextError {
        UndertextError(
            .unsupported,
            "has bitmap subtitles, which WebVTT cannot hold; use convert --ocr to make text of them",
            path: wish.input)
    }
}
