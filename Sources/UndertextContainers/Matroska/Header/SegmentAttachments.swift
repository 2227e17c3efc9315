internal import UndertextCore

/// A file inside the segment (RFC 9559, section 5.1.6); its data stays where it is.
struct SegmentAttachment: Hashable, Sendable {
    var name: String?
    var mimeType: String?
    var description: String?
    var uid: UInt64 = 0
    /// The range of its data in the source.
    var position: UInt64 = 0
    /// The length of its data.
    var size: UInt64 = 0

    /// `true` if its element claims to reach beyond the one it lies in, so that something is lost.
    var isCutOff = false

    /// `true` if libavformat makes a stream of it.
    var isStream: Bool { name != nil && mimeType != nil && size > 0 }
}

extension SegmentAttachment {
    /// Reads an Attachments element without reading the files in it.
    static func parse(
        _ parent: ElementHeader, end: UInt64, window: SourceWindow, limits: Limits
    ) throws(UndertextError) -> [SegmentAttachment] {
        var files: [SegmentAttachment] = []
        var position = parent.dataStart
        while files.count < limits.streams,
            let header = try window.element(at: position, before: end)
        {
            let next = min(header.end ?? end, end)
            if header.id == .attachedFile {
                var file = try read(header, end: next, window: window)
                if header.end.map({ $0 > end }) ?? true { file.isCutOff = true }
                files.append(file)
            }
            guard header.end == next else { break }
            position = next
        }
        return files
    }

    private static func read(
        _ parent: ElementHeader, end: UInt64, window: SourceWindow
    ) throws(UndertextError) -> SegmentAttachment {
        var file = SegmentAttachment()
        var position = parent.dataStart
        // A file has some ten elements; the bound keeps a crafted one from costing many reads.
        for _ in 0..<256 {
            guard let header = try window.element(at: position, before: end, ahead: 64) else {
                break
            }
            guard let size = header.size, let next = header.end, next <= end else {
                file.isCutOff = true
                break
            }
            position = next
            if header.id == .fileData {
                file.position = header.dataStart
                file.size = min(size, window.remaining(at: header.dataStart))
                continue
            }
            guard size <= 4096 else { continue }
            let data = try window.bytes(at: header.dataStart, count: Int(size))
            let element = Element(id: header.id, data: data, offset: 0)
            switch header.id {
            case .fileName: file.name = element.string
            case .fileMediaType: file.mimeType = element.string
            case .fileDescription: file.description = element.string
            case .fileUID: file.uid = element.unsigned ?? 0
            default: break
            }
        }
        return file
    }
}
