internal import UndertextCore

extension MP4SampleEntry {
    /// The scheme by which samples are encrypted, such as `cenc` or `cbcs`; `nil` if they are not, or the entry does not
    /// say.
    ///
    /// ISO/IEC 14496-12, section 8.12: the boxes `sinf` and `schm` of entries whose type begins with `enc`.
    var protectionScheme: String? {
        guard format.hasPrefix("enc") else { return nil }
        for skipped in fixedFields where body.count > skipped {
            var boxes = MP4MemoryBoxes(body[skipped...])
            while let (type, content) = boxes.next() {
                guard type == "sinf" else { continue }
                var parts = MP4MemoryBoxes(content)
                while let (part, fields) = parts.next() {
                    // Version and flags, then the type of the scheme.
                    guard part == "schm", fields.count >= 8 else { continue }
                    return String(decoding: fields.dropFirst(4).prefix(4), as: UTF8.self)
                }
            }
        }
        return nil
    }

    /// The bytes that may precede the boxes of the entry: fields of video, of audio by its version (QuickTime), of others.
    private var fixedFields: [Int] {
        switch format {
        case "encv": [70]
        case "enca": [20, 36, 56]
        default: [0]
        }
    }
}

extension DRMInfo.System {
    /// Reads the content of `pssh`: a protection system specific header (ISO/IEC 23001-7, section 8.1).
    init?(protectionHeader content: ByteReader) {
        var reader = content
        guard let version = reader.uint8(), reader.skip(3), let uuid = reader.slice(16) else {
            return nil
        }
        if version > 0 {
            guard let keys = reader.uint32(), reader.skip(16 * Int(keys)) else { return nil }
        }
        guard let size = reader.uint32(), let data = reader.slice(Int(size)) else { return nil }
        let digits = uuid.map { zeroPadded($0, to: 2, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        self.init(id: groups.joined(separator: "-"), initData: Array(data))
    }
}
