internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders
internal import UndertextStreaming

/// What `--video` is: a presentation on the web or on disk, or a file that becomes one.
struct PackageSource {
    /// Reads the presentation.
    let reader: UpstreamReader
    /// Makes an address one that is good in the output's master.
    let rewriting: (String) -> String
    /// What is known of a file that became a presentation.
    private var copy: HLSCopy?
    /// What is worth knowing of the presentation, or of the copy that it is.
    private(set) var diagnostics: [Diagnostic] = []

    /// What a copied file's segments are as long as unless the user says otherwise, in seconds.
    private static let segmentLength = 6.0

    /// Whether an argument is a file of sound or images: no address, no playlist, no manifest and no page.
    static func isMediaFile(_ argument: String) throws(UndertextError) -> Bool {
        if case .url = MediaInput(argument: argument) { return false }
        let beginning = try FileSource(path: argument).read(at: 0, count: ForeignUpstream.glance)
        let foreign = ForeignUpstream(beginning)
        return !PlaylistText.hasSignature(beginning[...]) && foreign != .manifest
            && foreign != .page
    }

    /// Looks at `--video`; the media of a file are written into the folder.
    init(
        _ command: HLSPackageCommand, folder: OutputFolder, console: Console
    ) throws(UndertextError) {
        let cancellation = console.cancellation
        if case .url(let url) = MediaInput(argument: command.video) {
            guard URI(url).isHTTP else {
                throw UndertextError(.unsupported, "is not an http or https URL", path: url)
            }
            guard !URI(url).hasCredentials else {
                throw UndertextError(
                    .unsupported,
                    "players would receive the name and password of the URL; remove them"
                )
            }
            var fetching = UpstreamReader.options
            fetching.progressTimeout = StreamFetchOptions().progressTimeout
            reader = UpstreamReader(
                url: url, fetcher: OnlineAccess.fetcher(), options: fetching,
                cancellation: cancellation)
            rewriting = { $0 }
            return
        }
        guard let path = FileSystem.canonical(command.video),
            let parts = FileSystem.canonical(folder.temporaryPath)
        else { throw UndertextError(.notFound, "there is no such file", path: command.video) }
        let beginning = try FileSource(path: path).read(at: 0, count: ForeignUpstream.glance)
        let isPlaylist = PlaylistText.hasSignature(beginning[...])
        var playlist = path
        if isPlaylist, command.segmentLength != nil {
            diagnostics.append(
                Diagnostic(
                    .warning, "option-ignored",
                    "the segments of a playlist stay unchanged: --segment-length has no effect")
            )
        }
        if !isPlaylist {
            // FFmpeg may be able to read a manifest, and to open whatever it names.
            let foreign = ForeignUpstream(beginning)
            if let foreign, foreign == .manifest || foreign == .page {
                throw foreign.refusal(path: command.video)
            }
            let copy = try HLSCopy(
                path, to: parts, segmentLength: command.segmentLength ?? Self.segmentLength,
                cancellation: cancellation)
            diagnostics += copy.diagnostics
            self.copy = copy
            try folder.adoptFiles()
            playlist = PathName.joining(parts, HLSCopy.playlistName)
        }
        // The folder's parts lie where it will lie.
        let place =
            isPlaylist
            ? PathName.joining(PathName.directoryName(parts), PathName.baseName(folder.path))
            : parts
        reader = UpstreamReader(
            url: URI(filePath: playlist).description,
            fetcher: FolderFetcher(
                folder: PathName.joining(PathName.directoryName(playlist), ""),
                else: OnlineAccess.fetcher()),
            cancellation: cancellation)
        rewriting = { URI($0).relative(toFolder: place).description }
    }

    /// The presentation's master playlist.
    func master() throws(UndertextError) -> MasterPlaylist {
        let master = try reader.master()
        guard let copy, let variant = master.variants.first else { return master }
        let text = MasterPlaylist.text(
            for: MasterPlaylist.SingleVariant(
                uri: variant.uri, bandwidth: copy.rates?.peak ?? variant.bandwidth ?? 1,
                averageBandwidth: copy.rates?.average, codecs: copy.codecs,
                resolution: copy.resolution, frameRate: copy.frameRate))
        return try MasterPlaylist(text, url: master.url)
    }

    /// When its first segment begins on the timeline that subtitles are made for: that of the file, or of the
    /// presentation itself.
    var start: Timestamp { copy?.start ?? .zero }
}
