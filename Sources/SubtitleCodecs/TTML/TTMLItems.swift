internal import MediaCore

/// A paragraph or a picture in one region: what becomes cues.
struct TTMLItem {
    /// The elements from the body to it.
    var path: [TTMLElement]
    /// Its region; `nil` = that of a document without regions.
    var region: TTMLElement?
    /// Whether only the parts of it count that are put into the region themselves.
    var onlyRegion = false

    /// The paragraph or picture.
    var element: TTMLElement { path[path.count - 1] }

    /// When it may be on screen.
    var active: Range<TTMLTime> {
        guard let region else { return element.active }
        return element.active.clamped(to: region.active)
    }
}

/// Finds the paragraphs and pictures of a document and the regions that they belong to.
///
/// TTML2, section 11.3.1.4: content belongs to the region that it or its nearest ancestor names; what names none is
/// not shown where there are regions.
struct TTMLItems {
    private(set) var items: [TTMLItem] = []
    private(set) var notes: TTMLNotes
    private let tree: TTMLTree
    private var path: [TTMLElement] = []

    init(_ tree: TTMLTree, notes: TTMLNotes) {
        self.tree = tree
        self.notes = notes
        if let body = tree.body { visit(body, region: nil, isUnknown: false) }
    }

    private mutating func visit(_ element: TTMLElement, region: TTMLElement?, isUnknown: Bool) {
        var region = region
        var isUnknown = isUnknown
        // What is put into another region than what is around it would never be shown; it is meant to be.
        if let own = tree.region(named: element.regionID) {
            region = own
            isUnknown = false
        } else if region == nil, !element.regionID.isEmpty {
            isUnknown = true
        }
        path.append(element)
        defer { path.removeLast() }
        if element.kind == .paragraph || element.kind == .image || hasPicture(element) {
            add(element, region, isUnknown)
        }
        guard element.kind != .paragraph else { return }
        for child in element.children {
            switch child.kind {
            case .division, .paragraph, .image:
                visit(child, region: region, isUnknown: isUnknown)
            default: break
            }
        }
    }

    private mutating func add(_ element: TTMLElement, _ region: TTMLElement?, _ isUnknown: Bool) {
        guard !element.active.isEmpty else { return }
        if region != nil || !tree.usesRegions || isUnknown {
            items.append(TTMLItem(path: path, region: region))
            return
        }
        var names: [String] = []
        Self.collect(element, into: &names)
        let regions = names.compactMap { tree.region(named: $0) }
        for region in regions {
            items.append(TTMLItem(path: path, region: region, onlyRegion: true))
        }
        if regions.isEmpty, element.content.contains(where: Self.isWord) {
            notes.add(
                .warning, "no-region",
                "text that is put into no region is not shown in a document with regions",
                time: Timestamp(nanoseconds: element.active.lowerBound))
        }
    }

    private static func isWord(_ content: TTMLElement.Content) -> Bool {
        switch content {
        case .text(let text): text.utf8.contains { !$0.isSpace }
        case .element(let element): element.content.contains(where: isWord)
        }
    }

    /// The regions that spans of a paragraph name.
    private static func collect(_ element: TTMLElement, into names: inout [String]) {
        for child in element.children where child.kind == .span {
            if !child.regionID.isEmpty, names.count < 64, !names.contains(child.regionID) {
                names.append(child.regionID)
            }
            collect(child, into: &names)
        }
    }

    private func hasPicture(_ element: TTMLElement) -> Bool {
        func isPicture(_ setting: TTMLSetting) -> Bool {
            if case .picture = setting { true } else { false }
        }
        return element.style.settings.contains(where: isPicture)
    }
}
