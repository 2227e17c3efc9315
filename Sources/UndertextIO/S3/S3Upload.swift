internal import UndertextCore
internal import UndertextXML

/// Creates an object from a file; it appears when it is complete.
///
/// Small files are one request. Others are sent in parts, which the server discards if anything fails.
struct S3Upload {
    let location: S3Location
    /// `true` to replace an object; otherwise one that exists is an error, even if it has just been created.
    let isReplacing: Bool
    let store: S3Store
    let cancellation: Cancellation
    /// Discards the parts if the process is stopped.
    let registry: TemporaryRegistry

    /// Bytes of a request; a part has more only if there would be too many.
    static let partSize = 8 << 20
    /// The largest number of parts (Amazon S3 User Guide, "Multipart upload limits").
    private static let mostParts: UInt64 = 10_000
    /// The time in which an upload is discarded when the process is stopped.
    private static let abortTime = Duration.seconds(2)

    /// Uploads a file.
    ///
    /// - Parameters:
    ///   - path: The file, which nothing else writes.
    ///   - partSize: The bytes of a request.
    /// - Throws: ``UndertextError`` with code `output-exists`, `output-is-input`, `cancelled`, or as ``S3Client`` does.
    func perform(_ path: String, partSize: Int = Self.partSize) throws(UndertextError) {
        try InputFiles.refuse(location.description)
        if !isReplacing { try refuseExisting() }
        let file = try FileSource(path: path, access: .sequential, isInput: false)
        let size = file.size ?? 0
        guard size > UInt64(partSize) else {
            let body = size == 0 ? [] : try file.read(at: 0, count: Int(size))
            return try put(body)
        }
        let least = (size + Self.mostParts - 1) / Self.mostParts
        try send(file, size: size, partSize: max(partSize, Int(clamping: least)))
    }

    /// Servers that ignore conditions would replace the object.
    private func refuseExisting() throws(UndertextError) {
        guard try store.object(location, cancellation) != nil else { return }
        throw exists
    }

    private var exists: UndertextError {
        UndertextError(
            .outputExists, "it exists already; remove it or allow replacing",
            path: location.description)
    }

    private func headers(_ client: S3Client) -> [HTTPHeader] {
        isReplacing || !client.takesConditions ? [] : [HTTPHeader("If-None-Match", "*")]
    }

    private var type: HTTPHeader { HTTPHeader("Content-Type", Self.type(of: location.fileName)) }

    /// Calls `work` with the condition that there is no object, and without it if the server does not know conditions.
    private func conditionally<Value>(
        _ client: S3Client, _ work: ([HTTPHeader]) throws(UndertextError) -> Value
    ) throws(UndertextError) -> Value {
        do throws(UndertextError) {
            return try work(headers(client))
        } catch {
            guard error.code == .unsupported, !headers(client).isEmpty else { throw error }
            client.takesConditions = false
            return try work([])
        }
    }

    // MARK: - One request

    private func put(_ body: [UInt8]) throws(UndertextError) {
        try store.with(location, cancellation) { client throws(UndertextError) in
            do throws(UndertextError) {
                try conditionally(client) { condition throws(UndertextError) in
                    _ = try client.send(
                        "PUT", location, headers: [type] + condition, body: body)
                }
            } catch {
                // The response of an earlier attempt may have been lost after the object was there; libcurl repeats
                // requests on connections that were closed, too.
                guard error.code == .outputExists,
                    try client.send("GET", location, limit: body.count + 1, cuts: true).body == body
                else { throw error.code == .outputExists ? exists : error }
            }
        }
    }

    // MARK: - Parts

    private func send(
        _ file: FileSource, size: UInt64, partSize: Int
    ) throws(UndertextError) {
        try store.with(location, cancellation) { client throws(UndertextError) in
            let created = try client.send(
                "POST", location, query: [("uploads", "")], headers: [type])
            guard let id = S3Texts(of: ["UploadId"], in: created.body)["UploadId"].first,
                !id.isEmpty, id.utf8.count <= 4096
            else {
                throw UndertextError(
                    .io, "the server gives no name to the upload", path: location.description)
            }
            let ticket = registry.register { [location, store] in
                Self.abort(id, location, store)
            }
            guard let ticket else {
                Self.abort(id, location, store)
                throw UndertextError(.cancelled, "the job was stopped", path: location.description)
            }
            do throws(UndertextError) {
                let tags = try sendParts(of: file, size: size, partSize: partSize, id, client)
                let replaced = isReplacing ? try store.object(location, cancellation)?.tag : nil
                try complete(id, tags, size: size, replacing: replaced, client)
                registry.cancel(ticket)
            } catch {
                registry.run(ticket)
                throw error
            }
        }
    }

    private func sendParts(
        of file: FileSource, size: UInt64, partSize: Int, _ id: String, _ client: S3Client
    ) throws(UndertextError) -> [String] {
        var tags: [String] = []
        var offset: UInt64 = 0
        while offset < size {
            let count = Int(min(UInt64(partSize), size - offset))
            let part = try file.read(at: offset, count: count)
            guard part.count == count else {
                throw UndertextError(
                    .io, "the temporary file was cut off", path: location.description)
            }
            let answer = try client.send(
                "PUT", location,
                query: [("partNumber", "\(tags.count + 1)"), ("uploadId", id)],
                headers: [HTTPHeader("Content-Type", "application/octet-stream")], body: part)
            guard let tag = answer.fields["etag"], tag.utf8.allSatisfy(Self.isTagByte) else {
                throw UndertextError(
                    .io, "the server does not confirm a part", path: location.description)
            }
            tags.append(tag)
            offset += UInt64(count)
        }
        return tags
    }

    /// A tag becomes part of XML.
    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || [0x22, 0x2D, 0x2F, 0x2B, 0x3D, 0x5F, 0x2E, 0x3A].contains(byte)
    }

    /// Joins the parts to an object of `size` bytes; `replaced` is the tag of the one it replaces, `nil` if there is none.
    private func complete(
        _ id: String, _ tags: [String], size: UInt64, replacing replaced: String?,
        _ client: S3Client
    ) throws(UndertextError) {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        let list =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + parts.joined() + "</CompleteMultipartUpload>"
        do throws(UndertextError) {
            let answer = try conditionally(client) { condition throws(UndertextError) in
                try client.send(
                    "POST", location, query: [("uploadId", id)],
                    headers: [HTTPHeader("Content-Type", "application/xml")] + condition,
                    body: Array(list.utf8))
            }
            // The status is sent before the parts are joined, so it may precede an error.
            let texts = S3Texts(of: ["Code", "ETag"], in: answer.body)
            guard texts["Code"].isEmpty, !texts["ETag"].isEmpty else {
                throw UndertextError(
                    .io, "the server could not join the parts; try again",
                    path: location.description, underlying: texts["Code"].first)
            }
        } catch {
            // The response of an earlier attempt may have been lost after the parts were joined.
            guard [.notFound, .outputExists].contains(error.code),
                let object = try store.object(location, cancellation),
                UInt64(exactly: object.size) == size, object.tag.hasSuffix("-\(tags.count)\""),
                object.tag != replaced
            else { throw error.code == .outputExists ? exists : error }
        }
    }

    /// Discards the parts of an upload; a rule of the bucket has to discard what this cannot reach.
    private static func abort(_ id: String, _ location: S3Location, _ store: S3Store) {
        try? store.with(location, deadline: .now + abortTime) { client throws(UndertextError) in
            _ = try client.send("DELETE", location, query: [("uploadId", id)])
        }
    }

    // MARK: - Types

    /// The media type of an output by its extension, for programs that serve the object.
    static func type(of name: String) -> String {
        switch PathName.fileExtension(name).lowercased() {
        case "vtt": "text/vtt"
        case "srt": "application/x-subrip"
        case "ass", "ssa": "text/x-ssa"
        case "ttml", "dfxp": "application/ttml+xml"
        case "json": "application/json"
        case "jsonl": "application/x-ndjson"
        case "xml": "application/xml"
        case "html": "text/html; charset=utf-8"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "ttf": "font/ttf"
        case "otf": "font/otf"
        default: "application/octet-stream"
        }
    }
}
