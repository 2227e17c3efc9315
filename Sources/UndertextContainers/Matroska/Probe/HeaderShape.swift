internal import UndertextCore

/// The shape of the parts of a segment that describe it (RFC 9559, section 5.1), as muxers write them.
///
/// libavformat ends a damaged part earlier than our reader does, and an element that is there twice may count the first or
/// the last time. The lists are closed: whatever is not in them is unusual.
enum HeaderShape {
    /// The children of each element that has some.
    private static let children: [ElementID: Set<ElementID>] = [
        .info: [
            .timestampScale, .duration, .dateUTC, .title, .muxingApp, .writingApp,
            // SegmentUUID and SegmentFilename.
            ElementID(0x73A4), ElementID(0x7384),
        ],
        .tags: [.tag],
        .tag: [.targets, .simpleTag],
        // TargetTypeValue is the first, TagEditionUID the last.
        .targets: [
            ElementID(0x68CA), .targetType, .tagTrackUID, .tagChapterUID, .tagAttachmentUID,
            ElementID(0x63C9),
        ],
        // TagLanguageBCP47 is the last.
        .simpleTag: [
            .tagName, .tagLanguage, .tagDefault, .tagString, .simpleTag, ElementID(0x447B),
        ],
        .chapters: [.editionEntry],
        // EditionUID, EditionFlagHidden, EditionFlagDefault, EditionFlagOrdered.
        .editionEntry: [
            .chapterAtom, ElementID(0x45BC), ElementID(0x45BD), ElementID(0x45DB),
            ElementID(0x45DD),
        ],
        // ChapterFlagHidden and ChapterFlagEnabled.
        .chapterAtom: [
            .chapterUID, .chapterTimeStart, .chapterTimeEnd, .chapterDisplay, ElementID(0x98),
            ElementID(0x4598),
        ],
        // ChapLanguage, ChapLanguageBCP47, ChapCountry.
        .chapterDisplay: [
            .chapString, ElementID(0x437C), ElementID(0x437D), ElementID(0x437E),
        ],
        .attachedFile: [.fileDescription, .fileName, .fileMediaType, .fileData, .fileUID],
    ]
    private static let repeatable: Set<ElementID> = [
        .tag, .simpleTag, .editionEntry, .chapterAtom, .attachedFile,
    ]
    private static let texts: Set<ElementID> = [
        .title, .muxingApp, .writingApp, .tagString, .chapString, .fileDescription, .fileName,
    ]
    private static let deepest = 8

    /// `true` if the data of an element has the usual shape.
    static func isUsual(_ id: ElementID, _ data: ArraySlice<UInt8>, depth: Int = 0) -> Bool {
        guard let allowed = children[id] else {
            return !data.isEmpty || texts.contains(id)
        }
        guard depth < deepest else { return false }
        var seen: Set<ElementID> = []
        var cursor = ElementCursor(data)
        while let element = cursor.next() {
            guard allowed.contains(element.id),
                seen.insert(element.id).inserted || repeatable.contains(element.id),
                isUsual(element.id, element.data, depth: depth + 1)
            else { return false }
        }
        return !cursor.isDamaged
    }

    /// `true` if the Attachments element `parent` has the usual shape, by the headers of the elements in it.
    static func areUsualAttachments(
        _ parent: ElementHeader, _ window: SourceWindow, atMost count: Int
    ) throws(UndertextError) -> Bool {
        guard let end = parent.end else { return false }
        var position = parent.dataStart
        for _ in 0..<count {
            guard position < end else { break }
            guard let file = try window.element(at: position, before: end, ahead: 64),
                let next = file.end, next <= end
            else { return false }
            guard file.id == .attachedFile || file.id == .void || file.id == .crc32 else {
                return false
            }
            if file.id == .attachedFile {
                guard try isUsualFile(file, end: next, window) else { return false }
            }
            position = next
        }
        return position == end
    }

    private static func isUsualFile(
        _ file: ElementHeader, end: UInt64, _ window: SourceWindow
    ) throws(UndertextError) -> Bool {
        var position = file.dataStart
        var seen: Set<ElementID> = []
        while position < end {
            guard let child = try window.element(at: position, before: end, ahead: 64),
                let next = child.end, next <= end,
                children[.attachedFile]?.contains(child.id) == true,
                seen.insert(child.id).inserted
            else { return false }
            position = next
        }
        return position == end
    }
}
