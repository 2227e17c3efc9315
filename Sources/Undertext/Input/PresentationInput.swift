internal import UndertextIO
internal import UndertextStreaming

/// Opens HLS and DASH presentations: what the user named is a playlist or a manifest by its content.
enum PresentationInput {
    /// Enough to tell a manifest, comments before it included.
    static let glance = 4096
    /// A local file is one by its name, too: a film that is really a playlist opens nothing.
    private static let extensions: Set<String> = ["m3u8", "m3u", "mpd"]

    /// The presentation; `nil` where the input is none.
    ///
    /// - Parameters:
    ///   - input: what the user named.
    ///   - head: the beginning of its bytes.
    ///   - access: its connections' limits.
    ///   - options: how it is read.
    /// - Returns: the presentation, opened.
    /// - Throws: `UndertextError`: it cannot be read, or what its playlists name must not be opened.
    static func open(
        _ input: MediaInput, head: [UInt8], _ access: InputAccess, _ options: MediaFile.Options
    ) throws(UndertextError) -> Presentation? {
        guard options.inputFormat == nil, Presentation.isPresentation(head) else { return nil }
        guard let named = try address(of: input, access) else { return nil }
        var fetching = StreamFetchOptions()
        fetching.limiter = access.limiter
        let fetcher = StreamFetcher(
            access.webClient(), named: named, options: fetching,
            cancellation: options.cancellation ?? Cancellation())
        return try Presentation(
            fetcher, opening: options.opensStream ?? { _ in true }, limits: options.limits)
    }

    /// Whether an input is a presentation for all that its name tells.
    static func mayBe(_ input: MediaInput) -> Bool {
        switch input {
        case .url: true
        case .file(let path): extensions.contains(PathName.fileExtension(path).lowercased())
        case .standardInput, .memory: false
        }
    }

    private static func address(
        of input: MediaInput, _ access: InputAccess
    ) throws(UndertextError) -> String? {
        if let path = access.localPath {
            guard extensions.contains(PathName.fileExtension(path).lowercased()) else { return nil }
            guard let folder = FileSystem.canonical(PathName.directoryName(path)) else {
                return nil
            }
            return URI(filePath: PathName.joining(folder, PathName.baseName(path))).description
        }
        switch input {
        case .url(let url): return String(url.prefix { $0 != "#" })
        case .standardInput:
            throw UndertextError(
                .nestedOpen,
                "it is a playlist, and what it names is opened only from an address: "
                    + "name that instead of a pipe", path: input.argument)
        case .file, .memory: return nil
        }
    }
}
