import UndertextDeflate

/// A small Matroska file whose tracks store their text in every way that FFmpeg and mkvmerge do.
struct SmallMatroska {
    /// The storage of a track's blocks.
    enum Storage: Int, CaseIterable {
        case plain, zlib, stripped, xiph, fixed, ebml
    }

    var storages = Storage.allCases
    var clusters = 4
    /// `true` if segment and clusters state no size, as live files have it.
    var isLive = false
    var hasCues = true
    var docType = "matroska"

    /// The file.
    var bytes: [UInt8] {
        let app = Array("Lavf59.27.100".utf8)
        let info = Self.element(
            0x1549_A966,
            Self.number(0x2AD7B1, 1_000_000) + Self.element(0x4D80, app)
                + Self.element(0x5741, app))
        var entries: [UInt8] = []
        for (index, storage) in storages.enumerated() { entries += Self.track(index, storage) }
        let head = info + Self.element(0x1654_AE6B, entries)
        var body: [UInt8] = []
        var cues: [UInt8] = []
        for cluster in 0..<clusters {
            var data = Self.number(0xE7, UInt64(cluster) * 4000)
            for index in 0..<4 {
                for (track, storage) in storages.enumerated() {
                    cues += Self.cue(
                        time: UInt64(cluster * 4000 + index * 1000), track: track + 1,
                        cluster: head.count + body.count, relative: data.count)
                    data += Self.block(cluster * 4 + index, track, storage, at: index * 1000)
                }
            }
            body += Self.element(0x1F43_B675, data, isEndless: isLive)
        }
        if hasCues, !isLive { body += Self.element(0x1C53_BB6B, cues) }
        return Self.element(0x1A45_DFA3, Self.element(0x4282, Array(docType.utf8)))
            + Self.element(0x1853_8067, head + body, isEndless: isLive)
    }

    private static func track(_ index: Int, _ storage: Storage) -> [UInt8] {
        var compression: [UInt8] = []
        if storage == .zlib { compression = number(0x4254, 0) }
        if storage == .stripped {
            compression = number(0x4254, 3) + element(0x4255, Array("Line ".utf8))
        }
        let encodings =
            compression.isEmpty
            ? [] : element(0x6D80, element(0x6240, element(0x5034, compression)))
        return element(
            0xAE,
            number(0xD7, UInt64(index + 1)) + number(0x73C5, UInt64(index + 101))
                + number(0x83, 17) + element(0x86, Array("S_TEXT/UTF8".utf8)) + encodings)
    }

    private static func block(
        _ index: Int, _ track: Int, _ storage: Storage, at time: Int
    ) -> [UInt8] {
        let text = Array("Line \(10 + index) of track \(track)".utf8)
        let stored: (flags: UInt8, data: [UInt8])
        switch storage {
        case .plain: stored = (0, text)
        case .zlib: stored = (0, compress(text, level: 9) ?? [])
        case .stripped: stored = (0, Array(text.dropFirst(5)))
        case .xiph: stored = (2, [1, UInt8(text.count)] + text + text)
        case .fixed: stored = (4, [1] + text + text)
        case .ebml: stored = (6, [1, 0x80 | UInt8(text.count)] + text + text)
        }
        let head = [0x80 | UInt8(track + 1), UInt8(time >> 8), UInt8(time & 255), stored.flags]
        return element(0xA0, element(0xA1, head + stored.data) + number(0x9B, 500))
    }

    private static func cue(time: UInt64, track: Int, cluster: Int, relative: Int) -> [UInt8] {
        element(
            0xBB,
            number(0xB3, time)
                + element(
                    0xB7,
                    number(0xF7, UInt64(track)) + number(0xF1, UInt64(cluster))
                        + number(0xF0, UInt64(relative))))
    }

    private static func element(
        _ id: UInt32, _ data: [UInt8], isEndless: Bool = false
    ) -> [UInt8] {
        let size: [UInt8] =
            isEndless ? [0xFF] : [0x20 | UInt8(data.count >> 16)] + low(data.count)
        return idBytes(id) + size + data
    }

    private static func low(_ count: Int) -> [UInt8] {
        [UInt8(count >> 8 & 255), UInt8(count & 255)]
    }

    private static func number(_ id: UInt32, _ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.insert(UInt8(rest & 255), at: 0)
            rest >>= 8
        } while rest > 0
        return element(id, bytes)
    }

    private static func idBytes(_ id: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: id >> UInt32(8 * $0)) }
            .drop { $0 == 0 }.map { $0 }
    }
}
