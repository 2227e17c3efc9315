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

    /// The file's bytes, or the part that is asked for.
    public func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        guard request.url.hasPrefix("file://") else {
            return try client.fetch(request, cancellation: cancellation)
        }
        guard let path = FileAddress.path(of: request.url),
            path.utf8.starts(with: folder.utf8)
        else {
            throw UndertextError(.nestedOpen, "lies outside of the folder", path: request.name)
        }
        guard try FileKind(of: path) == .regular else {
            throw UndertextError(.notFound, "it is no file", path: path)
        }
        guard let root, FileSystem.resolves(path, intoCanonical: root) else {
            throw UndertextError(
                .nestedOpen, "it is a link that leads out of the folder and is not followed",
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

/// Paths as addresses: `file:///…` with escapes (RFC 8089).
public enum FileAddress: Sendable {
    /// The address of a path that begins with a slash.
    public static func text(ofPath path: String) -> String {
        var result = Array("file://".utf8)
        for byte in path.utf8 {
            let isPlain =
                byte > 0x20 && byte < 0x7F && !"%?#\\^`{|}\"<>".utf8.contains(byte)
            if isPlain {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result += [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The path that an address names; `nil` for one with a host, or with escapes that hide a slash, a
    /// dot segment or a NUL.
    public static func path(of address: String) -> String? {
        let reference = URIReference(address)
        guard reference.scheme?.lowercased() == "file", (reference.authority ?? "").isEmpty,
            reference.path.hasPrefix("/")
        else { return nil }
        var parts: [String] = []
        for part in reference.path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = decoded(part), !name.utf8.contains(0x2F), !name.utf8.contains(0),
                name != ".", name != ".."
            else { return nil }
            parts.append(name)
        }
        return parts.joined(separator: "/")
    }

    private static func decoded(_ part: Substring) -> String? {
        guard part.utf8.contains(UInt8(ascii: "%")) else { return String(part) }
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The address seen from a folder: `../video/a.m3u8`; other addresses stay.
    ///
    /// - Parameters:
    ///   - address: an address of a file.
    ///   - folder: a path from the root.
    /// - Returns: the reference.
    public static func relative(_ address: String, from folder: String) -> String {
        guard address.hasPrefix("file:///") else { return address }
        let end = address.utf8.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? address.endIndex
        let target = address[..<end].dropFirst(8)
            .split(separator: "/", omittingEmptySubsequences: false)
        let base = text(ofPath: folder).dropFirst(7).split(separator: "/")
        var common = 0
        while common < min(base.count, target.count - 1), base[common] == target[common] {
            common += 1
        }
        let up = [Substring](repeating: "..", count: base.count - common)
        let path = (up + target[common...]).joined(separator: "/")
        // A colon in the first part would be taken for the end of a scheme.
        let isSafe = !path.prefix { $0 != "/" }.contains(":")
        return (isSafe ? "" : "./") + path + address[end...]
    }
}
