internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG

/// A folder of images with BDN XML as an input: one bitmap track.
final class ImageFolder: Demuxer {
    let document: BDNDocument
    let description: ContainerDescription
    /// The folder of the images.
    let folder: String
    private let access: InputAccess

    private static let headSize = 4096

    /// The input to open: for a folder, the XML file in it.
    ///
    /// - Throws: `UndertextError` with code `is-directory` where there is none.
    static func resolved(_ input: MediaInput) throws(UndertextError) -> MediaInput {
        guard case .file(let path) = input, FileSystem.isDirectory(path) else { return input }
        let index = PathName.joining(path, ImageIndex.xmlName)
        guard FileSystem.exists(index) else {
            throw UndertextError(
                .isDirectory,
                "the folder has no \(ImageIndex.xmlName); specify a file in it. A folder of images is "
                    + "read by its BDN XML", path: path)
        }
        return .file(index)
    }

    /// Opens the XML; `nil` if the input is something else.
    ///
    /// - Throws: `UndertextError` if it begins like BDN XML and is malformed.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        try ImageFolder(candidate)
    }

    private init?(_ candidate: InputCandidate) throws(UndertextError) {
        let access = candidate.access
        let limits = access.options.limits
        guard let path = access.localPath, let source = access.source, let size = source.size else {
            guard BDNReader.recognizes(candidate.head) else { return nil }
            throw UndertextError(
                .nestedOpen,
                "it is BDN XML; the images are in the files beside it: open it by its path",
                path: access.input.argument)
        }
        self.access = access
        guard BDNReader.recognizes(try source.read(at: 0, count: Self.headSize)) else { return nil }
        guard let count = Int(exactly: size), count <= limits.packetSize else {
            throw UndertextError(
                .limit, "it has \(size) bytes, more than the \(limits.packetSize) allowed",
                path: path)
        }
        do throws(UndertextError) {
            var document = try BDNReader.read(source.read(at: 0, count: count), limits: limits)
            if let index = Self.index(beside: path, limits) {
                document.events =
                    ImageTimes(index, of: document).applied(to: document) ?? document.events
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
            formatName: "bdn", formatLongName: "BDN XML and PNG images",
            duration: end?.ticks(in: .microseconds), size: size, streams: [stream])
    }

    /// The `index.json` beside an `index.xml`.
    private static func index(beside path: String, _ limits: Limits) -> [UInt8]? {
        guard PathName.baseName(path) == ImageIndex.xmlName else { return nil }
        let folder = PathName.directoryName(path)
        let index = PathName.joining(folder, ImageIndex.name)
        guard (try? FileKind(of: index)) == .regular, FileSystem.resolves(index, into: folder)
        else { return nil }
        return try? FileSystem.contents(of: index, limit: limits.packetSize)
    }

    var diagnostics: [Diagnostic] { document.diagnostics }

    /// Plans a reader that makes a packet of each event, with its images' files in it.
    func readPlan(
        for streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        var plan = ReadPlan(streams, of: description, in: window, access)
        plan.add(.file) { _, diagnostics in
            ImageFolderReader(
                self, limits: self.access.options.limits, window: window, diagnostics: diagnostics)
        }
        return plan
    }
}

/// The packets of an image folder: what ``ImageFolderDecoder`` reads.
private final class ImageFolderReader: PacketReader {
    private let images: ImageFolder
    private let limits: Limits
    private let window: TimeWindow
    /// The canonical path of the folder.
    private let root: String?
    private var next = 0
    private let diagnostics: DiagnosticSink

    init(
        _ images: ImageFolder, limits: Limits, window: TimeWindow, diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        self.window = window
        root = FileSystem.canonical(images.folder)
        self.images = images
        self.limits = limits
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        while next < images.document.events.count {
            let event = images.document.events[next]
            next += 1
            guard window.overlaps(from: event.start, until: event.end) else { continue }
            var packet = BDNPacket(isForced: event.isForced)
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

    private func file(
        of graphic: BDNDocument.Graphic, room: Int, _ event: BDNDocument.Event
    ) -> [UInt8]? {
        do throws(UndertextError) {
            let bytes = try FolderFile.contents(
                of: graphic.file, in: images.folder, canonical: root, limit: room)
            checkSize(of: bytes, graphic, event)
            return bytes
        } catch {
            diagnostics.report(
                .error, "missing-image", "\(graphic.file): \(error.message)", streamIndex: 0,
                time: event.start)
            return nil
        }
    }

    /// The image file's size is used; a different size in the XML is reported.
    private func checkSize(
        of png: [UInt8], _ graphic: BDNDocument.Graphic, _ event: BDNDocument.Event
    ) {
        guard let width = graphic.width, let height = graphic.height,
            let (realWidth, realHeight) = PNGDecoder.size(of: png),
            realWidth != width || realHeight != height
        else { return }
        diagnostics.report(
            .warning, "image-size",
            "\(graphic.file) has \(realWidth)x\(realHeight) pixels, but the XML states \(width)x\(height)",
            streamIndex: 0, time: event.start)
    }
}
