public import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// A source of subtitles at given URLs: `file://`, `http://` and `https://`.
///
/// Nothing is requested before it is selected. A server may not redirect from https to http, or to private or
/// local hosts that the player did not specify.
public final class URLSubtitles: SubtitleDataSource {
    /// A URL with the known properties of its subtitles.
    public struct Item: Hashable, Sendable {
        /// The URL.
        public var url: String
        /// The name to show in a list, or `nil` for the name in the URL.
        public var name: String?
        /// The language, or `nil` for the one in the URL.
        public var language: LanguageTag?
        /// The purpose, in addition to flags in the URL.
        public var disposition: Disposition

        /// Creates an item.
        public init(
            url: String, name: String? = nil, language: LanguageTag? = nil,
            disposition: Disposition = []
        ) {
            self.url = url
            self.name = name
            self.language = language
            self.disposition = disposition
        }
    }

    /// The name that users see.
    public let name: String
    /// The URLs.
    public let items: [Item]
    private let video: String
    private let sizeLimit: UInt64
    private let options: Media.Options?

    /// Creates a source without requesting anything yet.
    ///
    /// - Parameters:
    ///   - items: The URLs.
    ///   - video: The file name of the video, with which names of subtitles begin.
    ///   - sizeLimit: The maximum number of bytes to read from a URL.
    ///   - options: The options for reading them, or `nil` for those of the model; ``Undertext/Media/Options/userAgent`` is
    ///     sent to servers.
    ///   - name: The name that users see.
    public init(
        _ items: [Item], video: String = "", sizeLimit: UInt64 = 64 << 20,
        options: Media.Options? = nil, name: String = "web"
    ) {
        self.items = items
        self.video = video
        self.sizeLimit = sizeLimit
        self.options = options
        self.name = name
    }

    /// Returns the URLs as subtitles; those that cannot be read have an error.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        items.map(info)
    }

    /// Returns the file at a URL with the options of this source.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        var options = self.options ?? options
        // Text that comes without its length is counted as it comes.
        options.limits.textFileSize = min(
            options.limits.textFileSize, Int(clamping: sizeLimit))
        var content = SubtitleContent(of: info.origin, options: options)
        content?.sizeLimit = sizeLimit
        return content
    }

    private func info(_ item: Item) -> SubtitleInfo {
        let address = URI(item.url)
        // Treated like a file in the video's own folder: its name need not begin with the video's.
        let file = SidecarName(address.fileName, of: video, in: .ofVideo)
        let disposition = item.disposition.union(file?.disposition ?? [])
        let language = item.language ?? file?.language
        let isLocal = address.urlScheme == "file"
        var info = SubtitleInfo(
            id: "\(name):\(SubtitleInfo.identity(of: item.url))", name: "", language: language,
            disposition: disposition,
            isBitmap: file?.isBitmap ?? false, source: name,
            origin: .file(
                isLocal ? .file(URI.unescaped(address.path)) : .url(item.url), stream: nil))
        info.name =
            item.name
            ?? SubtitleInfo.listName(
                title: file?.title, language: language, info.kind, else: address.fileName)
        if !isLocal, !address.isHTTP {
            info.refuse(
                UndertextError(
                    .nestedOpen, "only addresses of file, http and https are read",
                    path: item.url))
        }
        return info
    }
}
