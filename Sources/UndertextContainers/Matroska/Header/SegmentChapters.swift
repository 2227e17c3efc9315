/// A chapter as stored (RFC 9559, section 5.1.7).
struct SegmentChapter: Hashable, Sendable {
    var uid: UInt64 = 0
    /// Nanoseconds.
    var start: UInt64?
    /// Nanoseconds.
    var end: UInt64?
    var title: String?

    init(_ element: Element) {
        for child in element.children {
            switch child.id {
            case .chapterUID: uid = child.unsigned ?? 0
            case .chapterTimeStart: start = child.unsigned
            case .chapterTimeEnd: end = child.unsigned
            case .chapterDisplay:
                // Of several languages the last one is used, as libavformat has it.
                for display in child.children where display.id == .chapString {
                    title = display.string
                }
            default: break
            }
        }
    }

    /// Chapters of a file at most: discs have a hundred.
    static let limit = 10_000

    /// The first chapters of all editions, without those within chapters.
    static func parse(_ data: ArraySlice<UInt8>, atMost most: Int) -> [SegmentChapter] {
        var chapters: [SegmentChapter] = []
        for edition in ElementCursor(data, clips: true) where edition.id == .editionEntry {
            for atom in edition.children where atom.id == .chapterAtom {
                guard chapters.count < most else { return chapters }
                chapters.append(SegmentChapter(atom))
            }
        }
        return chapters
    }
}
