package import UndertextCore

/// The input of an ``FFmpegDemuxer``.
package enum DemuxInput {
    /// A local file; its name is never parsed as a URL.
    case path(String)
    /// An address such as `https://host/film.mkv`.
    case url(String)
    /// An open local file (``RandomAccessSource/fileDescriptor``), with its path, by which formats are guessed:
    /// the examined file is the one that is read, even if the path changes.
    case opened(any RandomAccessSource, path: String)
    /// Bytes that can be read at any offset.
    case source(any RandomAccessSource)
    /// Bytes that come in order only.
    case stream(any SequentialSource)

    /// The name of the input, for messages.
    package var name: String {
        switch self {
        case .path(let text), .url(let text), .opened(_, path: let text): text
        case .source(let source): source.name
        case .stream(let source): source.name
        }
    }
}
