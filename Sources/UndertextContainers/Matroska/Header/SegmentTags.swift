/// A Tag element: names and values for tracks, chapters, attachments or the whole segment.
///
/// RFC 9559, section 5.1.8.
struct SegmentTag: Hashable, Sendable {
    /// TargetType, which libavformat puts before the names.
    var targetType: String?
    var trackUID: UInt64 = 0
    var chapterUID: UInt64 = 0
    var attachmentUID: UInt64 = 0
    var values: [SimpleTag] = []

    /// The maximum number of tags of a file; further tags are ignored.
    static let limit = 20_000

    /// Reads a Tag element and takes the tags it has off `room`.
    init(_ element: Element, depth: Int, room: inout Int) {
        for child in element.children {
            switch child.id {
            case .targets: readTargets(child)
            case .simpleTag:
                guard room > 0 else { return }
                values.append(SimpleTag(child, depth: depth, room: &room))
            default: break
            }
        }
    }

    private mutating func readTargets(_ element: Element) {
        for target in element.children {
            switch target.id {
            case .targetType: targetType = target.string
            case .tagTrackUID: trackUID = target.unsigned ?? 0
            case .tagChapterUID: chapterUID = target.unsigned ?? 0
            case .tagAttachmentUID: attachmentUID = target.unsigned ?? 0
            default: break
            }
        }
    }
}

/// A name and a value, with further ones below it.
struct SimpleTag: Hashable, Sendable {
    var name: String?
    var value = ""
    var language = "und"
    var isDefault = false
    var children: [SimpleTag] = []

    /// Reads a SimpleTag element; those nested deeper than `depth` are left out.
    init(_ element: Element, depth: Int, room: inout Int) {
        room -= 1
        for child in element.children {
            switch child.id {
            case .tagName: name = child.string
            case .tagString: value = child.string
            case .tagLanguage: language = child.string
            case .tagDefault, .tagDefaultMisspelt: isDefault = child.unsigned != 0
            case .simpleTag:
                guard depth > 1, room > 0 else { continue }
                children.append(SimpleTag(child, depth: depth - 1, room: &room))
            default: break
            }
        }
    }
}
