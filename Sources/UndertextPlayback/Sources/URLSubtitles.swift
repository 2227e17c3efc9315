public import Undertext
internal import UndertextCore
internal import UndertextIO

/// Subtitles at addresses that a player knows: `file://`, `http://` and `https://`.
///
/// Nothing is asked for before it is chosen. A server may not lead from https to http, nor to private or
/// local machines that the player did not name.
public final class URLSubtitles: SubtitleDataSource {
    /// An address and what is known of what is there.
    public struct Item: Hashable, Sendable {
        /// The address.
        public var url: String
        /// What a list shows; `nil` = what the address says.
        public var name: String?
        /// The language; `nil` = what the address says.
        public var language: LanguageTag?
        /// What it is meant for, besides what the address says.
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

    /// What users see.
    public let name: String
    /// The addresses.
    public let items: [Item]
    private let video: String
    private let sizeLimit: UInt64
    private let options: Media.Options?

    /// Creates a source; nothing is asked for yet.
    ///
    /// - Parameters:
    ///   - items: the addresses.
    ///   - video: the video's file name, which names of subtitles begin with.
    ///   - sizeLimit: bytes that may be read of one of them.
    ///   - options: how they are read, `nil` = as the model reads files; ``Media/Options/userAgent`` is sent to servers.
    ///   - name: what users see.
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

    /// The addresses as subtitles; one that cannot be read has an error.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        items.map(info)
    }

    /// The file at an address, read as this source reads it.
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
        // As if it lay in a folder of the video's: its name need not begin with the video's.
        let file = SidecarName(address.fileName, of: video, in: .ofVideo)
        let disposition = item.disposition.union(file?.disposition ?? [])
        let language = item.language ?? file?.language
        let isLocal = address.urlScheme == "file"
        var info = SubtitleInfo(
            id: "\(name):\(item.url)", name: "", language: language, disposition: disposition,
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
