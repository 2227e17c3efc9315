package import UndertextCore

/// A file that a document refers to, as side data of its packet.
package enum LinkedFile {
    /// Side data with a file: the length of its name as two bytes, the name, the bytes.
    package static func sideData(name: String, bytes: [UInt8]) -> SideData {
        var data: [UInt8] = []
        let name = Array(name.utf8.prefix(0xFFFF))
        data.appendBigEndian(UInt16(clamping: name.count))
        data += name
        data += bytes
        return SideData(.linkedFile, data)
    }

    /// The files in the side data of a packet, by name.
    static func files(of packet: Packet) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for data in packet.sideData where data.kind == .linkedFile {
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
    /// A file that a document refers to: see ``LinkedFile``.
    package static let linkedFile = SideData.Kind(rawValue: "linked-file")
}
