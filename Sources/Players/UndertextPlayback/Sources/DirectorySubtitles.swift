public import Undertext
public import UndertextCore
public import UndertextFormats
internal import UndertextIO

/// A source of the subtitle files that belong to a video by name: beside it, in `Subs/` and in `Subs/NAME/`.
///
/// Names have the conventions of mpv, Jellyfin, Kodi and Plex, see `SidecarName`. Only files that may contain
/// several tracks (.mks, .idx, SAMI) are opened to list them.
public final class DirectorySubtitles: SubtitleDataSource {
    /// The name that users see.
    public let name: String
    /// The path of the video.
    public let video: String
    private let matching: SidecarMatch
    private let folders: [String]
    private let options: Media.Options?

    /// Infos of one folder at most; who has more does not look through a list.
    private static let infosAtMost = 1000

    /// Creates a source without reading folders yet.
    ///
    /// - Parameters:
    ///   - video: The path of the video, which need not exist.
    ///   - matching: The loosest match of names to accept.
    ///   - folders: Further folders with subtitles, relative to that of the video.
    ///   - options: The options for reading files, or `nil` for those of the model.
    ///   - name: The name that users see.
    public init(
        of video: String, matching: SidecarMatch = .titled, folders: [String] = [],
        options: Media.Options? = nil, name: String = "folder"
    ) {
        self.video = video
        self.matching = matching
        self.folders = folders
        self.options = options
        self.name = name
    }

    /// Returns the files, the best match first, at most a thousand.
    ///
    /// - Throws: `UndertextError` if the folder of the video cannot be read.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        var opening = self.options ?? options
        opening.cancellation = Cancellation(parent: cancellation)
        let home = PathName.directoryName(video)
        let names = try FileSystem.names(in: home)
        var found = files(in: home, names, .beside)
        for name in names where SidecarFolder.names.contains(name.lowercased()) {
            found += below(PathName.joining(home, name))
        }
        for folder in folders {
            let path = PathName.joining(home, folder)
            found += files(in: path, (try? FileSystem.names(in: path)) ?? [], .subtitles)
        }
        var infos: [SubtitleInfo] = []
        var seen: Set<FileSystem.FileIdentity> = []
        for (path, sidecar) in found {
            // A folder may be reached in two ways.
            if let identity = FileSystem.identity(of: path), !seen.insert(identity).inserted {
                continue
            }
            if cancellation.isCancelled {
                throw UndertextError(.cancelled, "looking for subtitles was stopped", path: home)
            }
            infos += self.infos(path, sidecar, opening)
            if infos.count >= Self.infosAtMost { break }
        }
        return SubtitleInfo.distinguished(infos)
    }

    /// Returns the file with the options of this source.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        SubtitleContent(of: info.origin, options: self.options ?? options)
    }

    /// The files in a folder for subtitles, and in that of the video in it.
    private func below(_ folder: String) -> [(String, Sidecar)] {
        guard FileSystem.isDirectory(folder), let names = try? FileSystem.names(in: folder) else {
            return []
        }
        var found: [(String, Sidecar)] = []
        let parent = PathName.baseName(folder)
        for name in names {
            let path = PathName.joining(folder, name)
            guard
                SidecarFolder(components: [parent, name], of: PathName.baseName(video)) == .ofVideo,
                FileSystem.isDirectory(path)
            else { continue }
            found += files(in: path, (try? FileSystem.names(in: path)) ?? [], .ofVideo)
        }
        return files(in: folder, names, .subtitles) + found
    }

    private func files(
        in folder: String, _ names: [String], _ kind: SidecarFolder
    ) -> [(String, Sidecar)] {
        sidecars(
            of: PathName.baseName(video), among: names, folder: kind, matching: matching
        ).compactMap { sidecar in
            let path = PathName.joining(folder, sidecar.name.fileName)
            guard path != video else { return nil }
            // Images are in a folder; anything else in a file. A pipe that the user did not name would
            // make the player wait, or a device.
            let kind: FileKind = sidecar.name.isFolder ? .directory : .regular
            if let found = try? FileKind(of: path), found != kind { return nil }
            return (path, sidecar)
        }
    }

    /// One info for a file, or one for each of its tracks.
    private func infos(
        _ path: String, _ sidecar: Sidecar, _ options: Media.Options
    ) -> [SubtitleInfo] {
        let whole = info(path, sidecar, nil)
        guard sidecar.name.mayHoldSeveralTracks else { return [whole] }
        // A file that cannot be opened is reported when it is selected.
        guard let file = try? Media(.file(path), options: options) else { return [whole] }
        let tracks = file.subtitleTracks
        return tracks.count > 1 ? tracks.map { info(path, sidecar, $0) } : [whole]
    }

    private func info(
        _ path: String, _ sidecar: Sidecar, _ track: SubtitleTrack?
    ) -> SubtitleInfo {
        let file = sidecar.name
        let disposition = file.disposition.union(track?.disposition ?? [])
        let language = track?.language ?? file.language
        var info = SubtitleInfo(
            id: "\(name):\(path)" + (track.map { "#\($0.id)" } ?? ""),
            name: "", language: language, disposition: disposition,
            isBitmap: track.map { $0.kind == .bitmap } ?? file.isBitmap,
            codec: track?.codec ?? SubtitleFormat.codec(ofFileNamed: path),
            source: name, origin: .file(.file(path), stream: track?.id))
        info.name = SubtitleInfo.listName(
            title: track?.title ?? file.title, language: language, info.kind,
            else: PathName.stem(path))
        return info
    }
}
