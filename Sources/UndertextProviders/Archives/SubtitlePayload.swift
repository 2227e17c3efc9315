internal import UndertextCore
internal import UndertextDeflate
internal import UndertextIO

/// A downloaded subtitle: a file, or an archive that contains one.
struct SubtitlePayload {
    let bytes: [UInt8]
    /// The name stated by the server, with or without folders.
    let name: String
    /// Bytes of a file at most, after it is unpacked.
    var limit = ProviderConnection.fileLimit

    private static let rar: [UInt8] = Array("Rar!\u{1A}\u{07}".utf8)
    private static let sevenZip: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]

    /// Extracts the subtitle.
    ///
    /// - Throws: `UndertextError` for archives other than ZIP, and for content that is not a subtitle.
    func download(for query: OnlineQuery) throws(UndertextError) -> OnlineDownload {
        if ZipArchive.begins(bytes) { return try fromArchive(query) }
        var (bytes, name) = (bytes, PathName.baseName(name))
        if bytes.starts(with: [0x1F, 0x8B]) {
            bytes = try unzipped(bytes)
            if name.lowercased().hasSuffix(".gz") { name = String(name.dropLast(3)) }
        }
        try check(bytes)
        return OnlineDownload(files: [file(name, bytes)])
    }

    private func unzipped(_ bytes: [UInt8]) throws(UndertextError) -> [UInt8] {
        do throws(InflateError) {
            return try gunzip(bytes[...], limit: limit)
        } catch {
            guard error != .limit else {
                throw UndertextError(
                    .limit, "the file unpacks to more than the \(limit) bytes allowed")
            }
            throw UndertextError(.malformedAnswer, "the packed file is damaged; try again")
        }
    }

    private func fromArchive(_ query: OnlineQuery) throws(UndertextError) -> OnlineDownload {
        let archive = try ZipArchive(bytes)
        let names = archive.entries.map(\.name)
        let ranked = FileChoice.ranked(names, for: query)
        guard let best = ranked.first else {
            throw UndertextError(.malformedAnswer, "the archive has no subtitle file")
        }
        var chosen = [best]
        // The images of an .idx file lie in the .sub file of the same name.
        let stem = PathName.stem(names[best])
        let ending = PathName.fileExtension(names[best]).lowercased()
        if ending == "idx" || ending == "sub",
            let other = ranked.first(where: { place in
                PathName.stem(names[place]) == stem
                    && PathName.fileExtension(names[place]).lowercased()
                        == (ending == "idx" ? "sub" : "idx")
            })
        {
            chosen = ending == "idx" ? [best, other] : [other, best]
        }
        var files: [OnlineDownload.File] = []
        var room = limit
        for place in chosen {
            let contents = try archive.contents(of: archive.entries[place], limit: room)
            room -= contents.count
            if chosen.count == 1 { try check(contents) }
            files.append(file(names[place], contents))
        }
        if chosen.count == 2 { (files[0].fileExtension, files[1].fileExtension) = ("idx", "sub") }
        return OnlineDownload(
            files: files,
            leftOut: ranked.filter { !chosen.contains($0) }.map { names[$0] })
    }

    private func file(_ name: String, _ bytes: [UInt8]) -> OnlineDownload.File {
        OnlineDownload.File(
            name: name, fileExtension: SubtitleFileKind.fileExtension(of: bytes, named: name),
            bytes: bytes)
    }

    private func check(_ bytes: [UInt8]) throws(UndertextError) {
        if bytes.isEmpty { throw UndertextError(.malformedAnswer, "the server sent an empty file") }
        if bytes.starts(with: Self.rar) || bytes.starts(with: Self.sevenZip) {
            let kind = bytes[0] == 0x52 ? "RAR" : "7z"
            throw UndertextError(
                .unsupported, "it is a \(kind) archive, which is not read; unpack it yourself")
        }
        if SubtitleFileKind.isWebPage(bytes) {
            throw UndertextError(
                .malformedAnswer, "the server sent a web page instead of a subtitle file")
        }
    }
}
