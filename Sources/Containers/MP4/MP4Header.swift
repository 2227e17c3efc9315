public import MediaCore

/// What libavformat ignores in MP4: the BCP 47 languages of tracks (`moov/trak/mdia/elng`), and
/// whether the file was cut off.
///
/// ISO/IEC 14496-12, 8.4.6. A damaged file yields what was found before the damage.
public struct MP4Header: Hashable, Sendable {
    /// Languages by `track_ID`.
    public private(set) var byTrackID: [Int64: LanguageTag] = [:]

    /// Whether a box at the top says that it ends behind the end of the file.
    public private(set) var isCutOff = false

    private static let boxesAtMost = 10_000

    /// Reads the box headers of `source`, and nothing of its media data.
    public init(source: any ByteSource) {
        guard let size = source.size else { return }
        var walker = BoxWalker(source: source, budget: Self.boxesAtMost)
        defer { isCutOff = walker.metOverrun }
        walker.forEach(in: 0..<size) { walker, box in
            guard box.type == "moov" else { return }
            walker.forEach(in: box.content) { walker, track in
                guard track.type == "trak" else { return }
                var id: Int64?
                var language: LanguageTag?
                walker.forEach(in: track.content) { walker, child in
                    if child.type == "tkhd" { id = walker.trackID(child) }
                    guard child.type == "mdia" else { return }
                    walker.forEach(in: child.content) { walker, leaf in
                        if leaf.type == "elng" { language = walker.language(leaf) }
                    }
                }
                if let id, let language { byTrackID[id] = language }
            }
        }
    }
}

/// A box of the ISO base media file format.
private struct Box {
    let type: String
    let content: Range<UInt64>
}

/// Reads box headers, at most as many as its budget allows.
private struct BoxWalker {
    let source: any ByteSource
    var budget: Int
    /// Whether a box was met that ends behind its parent, at the top of the file.
    private(set) var metOverrun = false

    mutating func forEach(in range: Range<UInt64>, _ body: (inout BoxWalker, Box) -> Void) {
        var offset = range.lowerBound
        while budget > 0, offset < range.upperBound, let (box, end) = header(at: offset, in: range)
        {
            guard end <= range.upperBound else {
                if range.lowerBound == 0 { metOverrun = true }
                return
            }
            budget -= 1
            body(&self, box)
            offset = end
        }
    }

    private func header(at offset: UInt64, in range: Range<UInt64>) -> (Box, UInt64)? {
        guard var reader = read(at: offset, count: 16), let size32 = reader.uint32(),
            let type = reader.slice(4)
        else { return nil }
        var headerSize: UInt64 = 8
        var size = UInt64(size32)
        if size32 == 1 {
            guard let large = reader.uint64() else { return nil }
            headerSize = 16
            size = large
        } else if size32 == 0 {
            size = range.upperBound - offset
        }
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard size >= headerSize, !overflow else { return nil }
        let box = Box(
            type: String(decoding: type, as: UTF8.self),
            content: min(offset + headerSize, end)..<end)
        return (box, end)
    }

    /// `tkhd`: version, flags, two times, then `track_ID`.
    func trackID(_ box: Box) -> Int64? {
        guard var reader = read(at: box.content.lowerBound, count: 24), let version = reader.uint8()
        else { return nil }
        guard reader.skip(3 + (version == 1 ? 16 : 8)) else { return nil }
        return reader.uint32().map(Int64.init)
    }

    /// `elng`: version, flags, then a zero-terminated tag.
    func language(_ box: Box) -> LanguageTag? {
        let count = min(box.content.upperBound - box.content.lowerBound, 4 + 64)
        guard var reader = read(at: box.content.lowerBound, count: Int(count)), reader.skip(4)
        else { return nil }
        return LanguageTag(String(decoding: reader.rest().prefix { $0 != 0 }, as: UTF8.self))
    }

    private func read(at offset: UInt64, count: Int) -> ByteReader? {
        (try? source.read(at: offset, count: count)).map { ByteReader($0) }
    }
}
