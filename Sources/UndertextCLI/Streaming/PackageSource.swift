internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders
internal import UndertextStreaming

/// The input of `--video`: an existing presentation, or a media file that is copied into one.
struct PackageSource {
    /// Reads the presentation.
    let reader: UpstreamReader
    /// Rewrites an address so that it is valid in the output's master playlist.
    let rewriting: (String) -> String
    /// The copy of a media file as a presentation, or `nil`.
    private var copy: HLSCopy?
    /// Diagnostics about the presentation or the copy.
    private(set) var diagnostics: [Diagnostic] = []

    /// The default segment length of a copied file in seconds.
    private static let segmentLength = 6.0

    /// Returns `true` if the argument is a media file, not a URL, playlist, manifest or HTML page.
    static func isMediaFile(_ argument: String) throws(UndertextError) -> Bool {
        if case .url = MediaInput(argument: argument) { return false }
        let beginning = try FileSource(path: argument).read(at: 0, count: ForeignUpstream.glance)
        let foreign = ForeignUpstream(beginning)
        return !PlaylistText.hasSignature(beginning[...]) && foreign != .manifest
            && foreign != .page
    }

    /// Opens `--video`, and copies a media file into the folder.
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
            // FFmpeg could read a manifest and open any address in it.
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
        // Addresses are relative to the folder's final location.
        let destination =
            isPlaylist
            ? PathName.joining(PathName.directoryName(parts), PathName.baseName(folder.path))
            : parts
        reader = UpstreamReader(
            url: URI(filePath: playlist).description,
            fetcher: FolderFetcher(
                folder: PathName.joining(PathName.directoryName(playlist), ""),
                else: OnlineAccess.fetcher()),
            cancellation: cancellation)
        rewriting = { URI($0).relative(toFolder: destination).description }
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

    /// The start of the first segment on the timeline of the subtitles: the file's timeline or the
    /// presentation's.
    var start: Timestamp { copy?.start ?? .zero }
}
