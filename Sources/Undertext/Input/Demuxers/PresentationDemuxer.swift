internal import UndertextCore
internal import UndertextIO
internal import UndertextStreaming

/// An HLS or DASH presentation: what the user named is a playlist or a manifest by its content.
final class PresentationDemuxer: Demuxer {
    /// A local file must also have such a name: a media file that is really a playlist opens nothing.
    private static let extensions: Set<String> = ["m3u8", "m3u", "mpd"]

    private let presentation: Presentation
    private let access: InputAccess

    private init(_ presentation: Presentation, _ access: InputAccess) {
        self.presentation = presentation
        self.access = access
    }

    /// Opens a presentation.
    ///
    /// - Throws: `UndertextError`: it cannot be read, or what its playlists name must not be opened.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        let access = candidate.access
        let options = access.options
        guard options.inputFormat == nil, Presentation.isPresentation(candidate.head),
            let named = try address(of: access)
        else { return nil }
        var fetching = StreamFetchOptions()
        fetching.limiter = access.limiter
        let fetcher = StreamFetcher(
            access.webClient(), named: named, options: fetching,
            cancellation: options.cancellation ?? Cancellation())
        let opensNone = options.opensSelectionOnly && options.opensStream == nil
        let presentation = try Presentation(
            fetcher, opening: options.opensStream ?? { _ in !opensNone },
            selecting: options.selection?.content, limits: options.limits)
        if opensNone, let text = presentation.content.currentTextStreamID {
            _ = presentation.refusal(ofStream: text)
        }
        return PresentationDemuxer(presentation, access)
    }

    /// Returns `true` if an input may be a presentation by its name.
    static func mayBe(_ input: MediaInput) -> Bool {
        switch input {
        case .url: true
        case .file(let path): extensions.contains(PathName.fileExtension(path).lowercased())
        case .standardInput, .pipe, .bytes, .source: false
        }
    }

    private static func address(of access: InputAccess) throws(UndertextError) -> String? {
        if let path = access.localPath {
            guard extensions.contains(PathName.fileExtension(path).lowercased()) else { return nil }
            guard let folder = FileSystem.canonical(PathName.directoryName(path)) else {
                return nil
            }
            return URI(filePath: PathName.joining(folder, PathName.baseName(path))).description
        }
        switch access.input {
        case .url(let url): return String(url.prefix { $0 != "#" })
        case .standardInput, .pipe:
            throw UndertextError(
                .nestedOpen,
                "a playlist from a pipe has no base URL; specify its URL or file instead",
                path: access.input.argument)
        case .bytes, .source:
            throw UndertextError(
                .nestedOpen,
                "a playlist without a path or URL has no base URL; open it by its path or URL",
                path: access.input.argument)
        case .file: return nil
        }
    }

    var description: ContainerDescription { presentation.description }
    var diagnostics: [Diagnostic] { presentation.diagnostics }
    var content: ContentInfo? { presentation.content }
    var isLive: Bool { presentation.isLive }
    /// Its text is UTF-8 by both standards.
    var hasUnicodeText: Bool { true }

    func settled(_ selection: ContentInfo) -> ContentInfo { presentation.settled(selection) }

    func select(_ selection: ContentInfo, isRequired: Bool) throws(UndertextError) {
        try presentation.select(selection, isRequired: isRequired)
    }

    func refusal(ofStream index: Int) -> UndertextError? { presentation.refusal(ofStream: index) }

    func readPlan(
        for streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        let options = access.options
        if options.io == .walk || options.io == .scan {
            throw UndertextError(
                .unsupported,
                "a presentation is read by its playlists", path: access.input.argument,
                remedy: .omit([.readPath], value: options.io.rawValue))
        }
        var plan = ReadPlan(streams, of: description, in: window, access)
        plan.add(.index) { [presentation] record, diagnostics in
            record.others.append { presentation.statistics }
            let reader = presentation.reader(
                for: streams, window: window, following: options.liveDuration,
                stop: options.followingStop, namesSegments: options.textHook != nil)
            reader.interruption = options.interruption
            diagnostics.add(reader.takeDiagnostics)
            return reader
        }
        return plan
    }
}
