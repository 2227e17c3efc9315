public import UndertextCore
internal import UndertextIO

/// Serves the files of a folder and of those below it: a packaged presentation.
///
/// No lists, no hidden names, nothing that a link leads to outside the folder.
public struct LocalFolderSite: ServerSite {
    private let folder: String

    /// The time in seconds for which players may cache responses.
    static let maxAge = 60

    /// Creates a site of a folder.
    ///
    /// - Throws: `UndertextError`: `notFound`, or `unsupported` where it is no folder.
    public init(_ folder: String) throws(UndertextError) {
        guard try FileKind(of: folder) == .directory else {
            throw UndertextError(.unsupported, "it is not a folder", path: folder)
        }
        self.folder = folder
    }

    /// Returns the file at the path, or the requested range (RFC 9110, section 14).
    public func answer(_ request: ServerRequest) -> ServerAnswer {
        guard let path = request.path, !path.isEmpty else { return Self.missing }
        let file = path.reduce(folder) { PathName.joining($0, $1) }
        guard FileSystem.resolves(file, into: folder) else { return Self.missing }
        return Self.answer(
            request, file, type: MediaTypes.type(ofName: file), caching: "max-age=\(Self.maxAge)")
    }

    /// Returns a file, or the requested range of it.
    static func answer(
        _ request: ServerRequest, _ file: String, type: String, caching: String
    ) -> ServerAnswer {
        let source: FileSource
        do throws(UndertextError) {
            source = try FileSource(path: file, access: .sequential, isInput: false)
        } catch {
            return error.code == .permission
                ? ServerAnswer(403, saying: "the file cannot be read") : missing
        }
        let size = source.size ?? 0
        var answer = ServerAnswer(
            200,
            headers: [
                HTTPHeader("Content-Type", type),
                HTTPHeader("Cache-Control", caching),
                HTTPHeader("Accept-Ranges", "bytes"),
            ])
        var part = 0..<size
        if request.method == "GET", let range = request.range,
            let wanted = Self.part(range, of: size)
        {
            guard !wanted.isEmpty else {
                var refusal = ServerAnswer(416, saying: "the file is shorter")
                refusal.headers.append(HTTPHeader("Content-Range", "bytes */\(size)"))
                return refusal
            }
            part = wanted
            answer.status = 206
            answer.headers.append(
                HTTPHeader(
                    "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
        }
        answer.body = .source(OpenFile(source, size: size), range: part)
        return answer
    }

    private static let missing = ServerAnswer(404, saying: "there is no such file")

    /// The range that `Range` requests, empty if the file is shorter; `nil` if the header must be ignored
    /// because it is invalid or has several ranges or other units.
    static func part(_ range: String, of size: UInt64) -> Range<UInt64>? {
        guard range.hasPrefix("bytes=") else { return nil }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, range.utf8.dropFirst(6).allSatisfy({ $0 == 0x2D || $0 &- 0x30 < 10 })
        else { return nil }
        if ends[0].isEmpty {
            guard let count = UInt64(ends[1]) else { return nil }
            return size - min(count, size)..<size
        }
        guard let first = UInt64(ends[0]) else { return nil }
        guard ends[1].isEmpty || (UInt64(ends[1]).map { $0 >= first } ?? false) else { return nil }
        guard first < size else { return size..<size }
        let last = ends[1].isEmpty ? size - 1 : min(UInt64(ends[1]) ?? 0, size - 1)
        return first..<last + 1
    }
}

/// An open file: the response has its bytes, even if its path changes.
private final class OpenFile: ByteSource {
    let name: String
    let size: UInt64
    private let connect: PrefetchingSource.Connector

    init(_ file: FileSource, size: UInt64) {
        name = file.name
        self.size = size
        connect = file.connector
    }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        try connect(Cancellation()).read(at: offset, count: count)
    }
}
