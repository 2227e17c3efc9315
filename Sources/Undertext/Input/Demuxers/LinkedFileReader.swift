internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// A text file together with the files beside it that it names.
final class LinkedFileReader: PacketReader {
    private let reader: any TextFileReader
    private let folder: String
    private let limits: Limits
    private let diagnostics: DiagnosticSink

    init(
        _ reader: any TextFileReader, folder: String, limits: Limits, diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        self.reader = reader
        self.folder = folder
        self.limits = limits
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        guard var packet = try reader.nextPacket() else { return nil }
        // All of them are held at once.
        var room = limits.packetSize
        for name in reader.linkedFiles {
            guard let bytes = file(name, room: room) else { continue }
            room -= bytes.count
            packet.sideData.append(LinkedFile.sideData(name: name, bytes: bytes))
        }
        return packet
    }

    private func file(_ name: String, room: Int) -> [UInt8]? {
        do throws(UndertextError) {
            return try FolderFile.contents(of: name, in: folder, limit: room)
        } catch {
            diagnostics.report(
                .error, "unreadable-image", "\(name): \(error.message)", streamIndex: 0)
            return nil
        }
    }
}

/// A file that a document names, in the folder of the document.
enum FolderFile {
    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - folder: the folder of the document.
    ///   - root: the canonical path of `folder`, if known.
    ///   - limit: the maximum size in bytes.
    /// - Returns: the bytes.
    /// - Throws: `UndertextError` if it is not a regular file, is outside of the folder, or is too large.
    static func contents(
        of name: String, in folder: String, canonical root: String? = nil, limit: Int
    ) throws(UndertextError) -> [UInt8] {
        let path = PathName.joining(folder, "./" + name)
        // A pipe or a device would block, or never end.
        guard try FileKind(of: path) == .regular else {
            throw UndertextError(.notFound, "it is not a file", path: path)
        }
        // A link must not lead out of the folder that the user passed in.
        let isInside =
            root.map { FileSystem.resolves(path, intoCanonical: $0) }
            ?? FileSystem.resolves(path, into: folder)
        guard isInside else {
            throw UndertextError(
                .permission, "it is a link to a file outside of the folder and is not followed",
                path: path)
        }
        return try FileSystem.contents(of: path, limit: max(0, limit))
    }
}
