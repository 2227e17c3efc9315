public import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// A source of a subtitle file or URL that the viewer specified.
public final class FileSubtitles: SubtitleDataSource {
    /// The name that users see.
    public let name: String
    /// The file.
    public let input: MediaInput
    private let language: LanguageTag?
    private let charset: String?
    private let addressSizeLimit: UInt64
    private let options: Media.Options?

    /// The default limit in bytes for reading a subtitle file from a URL.
    public static let addressSizeLimit: UInt64 = 64 << 20

    /// Creates a source without opening the file yet.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - language: The language, or `nil` for that of the file or its name.
    ///   - charset: The charset of its text, as named by iconv, or `nil` to detect it.
    ///   - addressSizeLimit: The maximum number of bytes to read from a URL.
    ///   - options: The options for reading it, or `nil` for those of the model.
    ///   - name: The name that users see.
    public init(
        _ input: MediaInput, language: LanguageTag? = nil, charset: String? = nil,
        addressSizeLimit: UInt64 = FileSubtitles.addressSizeLimit,
        options: Media.Options? = nil, name: String = "application"
    ) {
        self.input = input
        self.language = language
        self.charset = charset
        self.addressSizeLimit = addressSizeLimit
        self.options = options
        self.name = name
    }

    /// Opens the file and returns its tracks.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        var options = limited(options)
        options.cancellation = Cancellation(parent: cancellation)
        options.charset = charset ?? options.charset
        let file = try Media(input, options: options)
        if let size = file.size, let sizeLimit, size > sizeLimit {
            throw UndertextError(
                .limit, "it has \(size) bytes, more than the \(sizeLimit) allowed",
                path: input.argument)
        }
        let name = fileName.flatMap { SidecarName($0, of: "", in: .ofVideo) }
        return file.subtitleTracks.map { info($0, name) }
    }

    /// Returns the track of the file with the options of this source.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        var content = SubtitleContent(of: info.origin, options: limited(options))
        content?.sizeLimit = sizeLimit
        return content
    }

    private var sizeLimit: UInt64? {
        if case .url = input { addressSizeLimit } else { nil }
    }

    /// Returns the options for reading the file in a model with `options`.
    private func limited(_ options: Media.Options) -> Media.Options {
        var options = self.options ?? options
        if let sizeLimit {
            // Text that comes without its length is counted as it comes.
            options.limits.textFileSize = min(
                options.limits.textFileSize, Int(clamping: sizeLimit))
        }
        return options
    }

    /// The file name, which may state language and role; `nil` for standard input.
    private var fileName: String? {
        switch input {
        case .file(let path): PathName.baseName(path)
        case .url(let address): (try? S3Location(address))?.fileName ?? URI(address).fileName
        case .bytes, .source: input.argument
        case .standardInput, .pipe: nil
        }
    }

    private func info(_ track: SubtitleTrack, _ file: SidecarName?) -> SubtitleInfo {
        let language = language ?? track.language ?? file?.language
        let disposition = track.disposition.union(file?.disposition ?? [])
        var info = SubtitleInfo(
            id: "\(name):\(SubtitleInfo.identity(of: input.argument))#\(track.id)", name: "",
            language: language,
            disposition: disposition, isBitmap: track.kind == .bitmap, codec: track.codec,
            source: name, origin: .file(input, stream: track.id), charset: charset)
        info.name = SubtitleInfo.listName(
            title: track.title, language: language, info.kind, else: input.stem)
        if let reason = track.decodingRefusal {
            info.refuse(UndertextError(.unsupported, reason, path: info.name))
        }
        return info
    }
}
