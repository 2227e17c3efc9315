internal import UndertextCore

/// A box of the ISO base media file format.
///
/// ISO/IEC 14496-12, section 4.2.
struct MP4Box {
    /// The four characters of its type.
    let type: String
    /// The offset of its header.
    let start: UInt64
    /// The contents, limited to the end of the enclosing box.
    let content: Range<UInt64>
    /// `true` if it claims to reach beyond what holds it.
    let isCut: Bool

    /// The offset of the next box.
    var end: UInt64 { content.upperBound }
}

/// Reads the headers of boxes out of a source, and nothing of what they hold.
struct MP4BoxReader {
    let window: SourceWindow
    private let budget: Budget
    /// The longest list of boxes that is read with their content.
    private static let readAtOnce: UInt64 = 64 << 10

    /// Reads boxes within others up to a number of them.
    init(window: SourceWindow, boxesAtMost: Int = 100_000) {
        self.window = window
        budget = Budget(boxes: boxesAtMost)
    }

    /// Boxes within others that may still be looked at, in all of the file.
    private final class Budget {
        var boxes: Int
        init(boxes: Int) { self.boxes = boxes }
    }

    /// The box at `offset`; `nil` where there is no whole header of one before `end`.
    func box(at offset: UInt64, before end: UInt64) throws(UndertextError) -> MP4Box? {
        guard offset < end, end - offset >= 8 else { return nil }
        let count = Int(min(16, end - offset))
        var reader = ByteReader(try window.bytes(at: offset, count: count))
        guard let size32 = reader.uint32(), let type = reader.slice(4) else { return nil }
        var headerSize: UInt64 = 8
        var size = UInt64(size32)
        if size32 == 1 {
            guard let large = reader.uint64() else { return nil }
            headerSize = 16
            size = large
        } else if size32 == 0 {
            size = end - offset
        }
        let (boxEnd, overflow) = offset.addingReportingOverflow(size)
        guard size >= headerSize, !overflow else { return nil }
        let inner = min(boxEnd, end)
        return MP4Box(
            type: String(decoding: type, as: UTF8.self), start: offset,
            content: min(offset + headerSize, inner)..<inner, isCut: boxEnd > end)
    }

    /// The boxes of `range`, up to the first one that is damaged.
    func boxes(in range: Range<UInt64>) throws(UndertextError) -> [MP4Box] {
        // One read rather than one for each header.
        let length = range.upperBound - range.lowerBound
        if length <= Self.readAtOnce {
            _ = try window.bytes(at: range.lowerBound, count: Int(length))
        }
        var boxes: [MP4Box] = []
        var offset = range.lowerBound
        while budget.boxes > 0, let box = try box(at: offset, before: range.upperBound) {
            budget.boxes -= 1
            boxes.append(box)
            if box.isCut { break }
            offset = box.end
        }
        return boxes
    }

    /// The first `count` bytes of what a box holds, fewer where it holds fewer.
    func head(of box: MP4Box, _ count: Int) throws(UndertextError) -> ByteReader {
        let length = box.content.upperBound - box.content.lowerBound
        let wanted = Int(min(UInt64(max(0, count)), length))
        return ByteReader(try window.bytes(at: box.content.lowerBound, count: wanted))
    }

    /// All that a range holds, unless that is more than allowed.
    func all(
        of range: Range<UInt64>, limit: Int, _ name: String
    ) throws(UndertextError) -> [UInt8] {
        let length = range.upperBound - range.lowerBound
        guard length <= UInt64(max(0, limit)) else {
            throw UndertextError(
                .limit, "its box '\(name)' of \(length) bytes is larger than allowed",
                path: window.source.name, byteOffset: range.lowerBound)
        }
        return Array(try window.bytes(at: range.lowerBound, count: Int(length)))
    }
}

/// Iterates over boxes in memory.
struct MP4MemoryBoxes {
    private var reader: ByteReader

    init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

    /// The next box; `nil` at the end, or where the box does not fit.
    mutating func next() -> (type: String, content: ArraySlice<UInt8>)? {
        guard let size32 = reader.uint32(), let type = reader.slice(4) else { return nil }
        var length: UInt64
        switch size32 {
        case 0: length = UInt64(reader.remaining)
        case 1:
            guard let large = reader.uint64(), large >= 16 else { return nil }
            length = large - 16
        case 2...7: return nil
        default: length = UInt64(size32) - 8
        }
        guard length <= UInt64(reader.remaining), let content = reader.slice(Int(length)) else {
            return nil
        }
        return (String(decoding: type, as: UTF8.self), content)
    }
}
