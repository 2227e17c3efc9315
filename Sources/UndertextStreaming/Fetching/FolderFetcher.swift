public import UndertextCore
internal import UndertextIO

/// Answers for the files of one folder, and leaves everything else to another client.
///
/// The files of a presentation that the user has as a file: in its own folder and below it. Links that
/// lead out of it, pipes and devices are not opened.
public struct FolderFetcher: Fetcher {
    /// The folder, ending with a slash.
    let folder: String
    let client: any Fetcher
    /// The folder with links followed, looked up once; `nil` where it is none.
    private let root: String?

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - folder: a path from the root, ending with a slash.
    ///   - client: who answers for other addresses.
    public init(folder: String, else client: any Fetcher) {
        self.folder = folder
        self.client = client
        root = FileSystem.canonical(folder)
    }

    /// Returns the file's bytes, or the requested range.
    public func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        guard request.url.hasPrefix("file://") else {
            return try client.fetch(request, cancellation: cancellation)
        }
        guard let path = URI(request.url).filePath,
            path.utf8.starts(with: folder.utf8)
        else {
            throw UndertextError(.nestedOpen, "is outside of the folder", path: request.name)
        }
        guard try FileKind(of: path) == .regular else {
            throw UndertextError(.notFound, "it is not a file", path: path)
        }
        guard let root, FileSystem.resolves(path, intoCanonical: root) else {
            throw UndertextError(
                .nestedOpen, "it is a link to a file outside of the folder and is not followed",
                path: path)
        }
        guard let range = request.range else {
            let bytes = try FileSystem.contents(
                of: path, limit: request.bodyLimit, cancellation: cancellation)
            return HTTPResponse(status: 200, body: bytes, url: request.url)
        }
        guard range.count <= request.bodyLimit else {
            throw UndertextError(
                .limit, "the part is longer than the \(request.bodyLimit) bytes allowed", path: path
            )
        }
        let source = try FileSource(path: path, cancellation: cancellation)
        // No more is made room for than the file can fill.
        let room = (source.size ?? 0) - min(source.size ?? 0, range.offset)
        let bytes = try source.read(
            at: range.offset, count: min(range.count, Int(clamping: room)))
        var headers: [String: String] = [:]
        if let size = source.size, !bytes.isEmpty {
            let last = range.offset + UInt64(bytes.count - 1)
            headers["content-range"] = "bytes \(range.offset)-\(last)/\(size)"
        }
        return HTTPResponse(status: 206, headers: headers, body: bytes, url: request.url)
    }
}
