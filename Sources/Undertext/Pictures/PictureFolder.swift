internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG

/// A folder of pictures with BDN XML as an input: one bitmap track.
struct PictureFolder {
    let document: BDNDocument
    let description: ContainerDescription
    /// Where the pictures lie.
    let folder: String

    private static let headSize = 4096

    /// What `input` is to be opened as: a folder stands for the XML in it.
    ///
    /// - Throws: `MediaError` with code `is-directory` where there is none.
    static func resolved(_ input: MediaInput) throws(MediaError) -> MediaInput {
        guard case .file(let path) = input, FileSystem.isDirectory(path) else { return input }
        let index = PathName.joining(path, PictureIndex.xmlName)
        guard FileSystem.exists(index) else {
            throw MediaError(
                .isDirectory,
                "it is a folder without \(PictureIndex.xmlName): name a file in it; a folder of "
                    + "pictures is read by its BDN XML", path: path)
        }
        return .file(index)
    }

    /// Opens the XML; `nil` where the input is something else.
    ///
    /// - Throws: `MediaError` where it begins like BDN XML and is none.
    init?(
        _ input: MediaInput, source: (any ByteSource)?, limits: Limits
    ) throws(MediaError) {
        guard case .file(let path) = input, let source, let size = source.size else { return nil }
        guard BDNReader.recognises(try source.read(at: 0, count: Self.headSize)) else { return nil }
        guard let count = Int(exactly: size), count <= limits.packetSize else {
            throw MediaError(
                .limit, "it has \(size) bytes, more than the \(limits.packetSize) allowed",
                path: path)
        }
        do throws(MediaError) {
            var document = try BDNReader.read(source.read(at: 0, count: count), limits: limits)
            if let index = Self.index(beside: path, limits) {
                document.events =
                    PictureTimes(index, of: document).applied(to: document) ?? document.events
            }
            self.document = document
        } catch {
            var placed = error
            placed.path = path
            throw placed
        }
        folder = PathName.directoryName(path)
        let end = document.events.map(\.end).max()
        let stream = StreamDescription(
            index: 0, kind: .bitmap, codec: .bdn, timeBase: .nanoseconds,
            language: document.language, size: document.canvas,
            packetCount: document.events.count)
        description = ContainerDescription(
            formatName: "bdn", formatLongName: "BDN XML and PNG pictures",
            duration: end?.ticks(in: .microseconds), size: size, streams: [stream])
    }

    /// The `index.json` beside an `index.xml`.
    private static func index(beside path: String, _ limits: Limits) -> [UInt8]? {
        guard PathName.baseName(path) == PictureIndex.xmlName else { return nil }
        let folder = PathName.directoryName(path)
        let index = PathName.joining(folder, PictureIndex.name)
        guard (try? FileKind(of: index)) == .regular, FileSystem.resolves(index, into: folder)
        else { return nil }
        return try? FileSystem.contents(of: index, limit: limits.packetSize)
    }

    /// A reader that makes a packet of each event, with its pictures' files in it.
    ///
    /// - Parameters:
    ///   - limits: how large a packet may be.
    ///   - window: only the files of events that are on screen in it are read.
    /// - Returns: the reader.
    func reader(limits: Limits, window: TimeWindow = .all) -> any PacketReader {
        PictureFolderReader(self, limits: limits, window: window)
    }
}

/// The packets of a picture folder: what ``PictureFolderDecoder`` reads.
private final class PictureFolderReader: PacketReader {
    private let pictures: PictureFolder
    private let limits: Limits
    private let window: TimeWindow
    /// The canonical path of the folder.
    private let root: String?
    private var next = 0
    private var diagnostics: [Diagnostic] = []

    init(_ pictures: PictureFolder, limits: Limits, window: TimeWindow) {
        self.window = window
        root = FileSystem.canonical(pictures.folder)
        self.pictures = pictures
        self.limits = limits
    }

    func nextPacket() throws(MediaError) -> Packet? {
        while next < pictures.document.events.count {
            let event = pictures.document.events[next]
            next += 1
            guard window.overlaps(from: event.start, until: event.end) else { continue }
            var packet = PictureFolderPacket(isForced: event.isForced)
            for graphic in event.graphics {
                if let bytes = file(of: graphic, room: limits.packetSize - packet.size, event) {
                    packet.add(
                        .init(name: graphic.file, x: graphic.x, y: graphic.y, bytes: bytes))
                }
            }
            guard packet.count > 0 else { continue }
            return Packet(
                streamIndex: 0, pts: event.start.nanoseconds,
                duration: Int64(
                    clamping: event.start.duration(to: event.end).nanoseconds128),
                timeBase: .nanoseconds,
                data: packet.bytes)
        }
        return nil
    }

    func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    private func file(
        of graphic: BDNDocument.Graphic, room: Int, _ event: BDNDocument.Event
    ) -> [UInt8]? {
        do throws(MediaError) {
            let bytes = try FolderFile.contents(
                of: graphic.file, in: pictures.folder, canonical: root, limit: room)
            checkSize(of: bytes, graphic, event)
            return bytes
        } catch {
            diagnostics.append(
                Diagnostic(
                    .error, "missing-picture", "\(graphic.file): \(error.message)", streamIndex: 0,
                    time: event.start))
            return nil
        }
    }

    /// The file decides; where the XML says something else, somebody should know.
    private func checkSize(
        of png: [UInt8], _ graphic: BDNDocument.Graphic, _ event: BDNDocument.Event
    ) {
        guard let width = graphic.width, let height = graphic.height,
            let (realWidth, realHeight) = PNGDecoder.size(of: png),
            realWidth != width || realHeight != height
        else { return }
        diagnostics.append(
            Diagnostic(
                .warning, "picture-size",
                "\(graphic.file) has \(realWidth)x\(realHeight) pixels, the XML says "
                    + "\(width)x\(height)", streamIndex: 0, time: event.start))
    }
}
