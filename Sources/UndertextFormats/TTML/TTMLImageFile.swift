public import UndertextCore

/// A file that a document refers to, as side data of its packet.
public enum TTMLImageFile {
    /// Side data with a file: the length of its name as two bytes, the name, the bytes.
    public static func sideData(name: String, bytes: [UInt8]) -> SideData {
        var data: [UInt8] = []
        let name = Array(name.utf8.prefix(0xFFFF))
        data.appendBigEndian(UInt16(clamping: name.count))
        data += name
        data += bytes
        return SideData(.ttmlImage, data)
    }

    /// The files that came with a packet, by name.
    static func files(of packet: Packet) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for data in packet.sideData where data.kind == .ttmlImage {
            var reader = ByteReader(data.bytes)
            guard let length = reader.uint16(), let name = reader.slice(Int(length)) else {
                continue
            }
            files[String(decoding: name, as: UTF8.self)] = Array(data.bytes[(2 + name.count)...])
        }
        return files
    }
}

extension SideData.Kind {
    /// An image file that a TTML document refers to: see ``TTMLImageFile``.
    public static let ttmlImage = SideData.Kind(rawValue: "ttml-picture")
}
