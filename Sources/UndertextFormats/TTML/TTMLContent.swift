internal import UndertextCore

/// The elements that an item is in, each with what it is in itself: shared by all within.
final class TTMLContainer {
    let element: TTMLElement
    let outer: TTMLContainer?
    /// The number of its ancestors.
    let depth: Int
    /// `true` if it or an ancestor is animated.
    let isAnimated: Bool

    init(_ element: TTMLElement, in outer: TTMLContainer?) {
        self.element = element
        self.outer = outer
        depth = outer.map { $0.depth + 1 } ?? 0
        isAnimated = !element.sets.isEmpty || outer?.isAnimated ?? false
    }
}

/// A paragraph or an image in one region: what becomes cues.
struct TTMLContentElement {
    /// The paragraph or image.
    var element: TTMLElement
    /// The parent; `nil` for the body.
    var container: TTMLContainer?
    /// Its region; `nil` = that of a document without regions.
    var region: TTMLElement?
    /// `true` if only the parts of it count that are put into the region themselves.
    var onlyRegion = false

    /// The time during which it may be on screen.
    var active: Range<TTMLTime> {
        guard let region else { return element.active }
        return element.active.clamped(to: region.active)
    }
}

/// Finds the paragraphs and images of a document and the regions that they belong to.
///
/// TTML2, section 11.3.1.4: content belongs to the region that it or its nearest ancestor names; what names none is
/// not shown where there are regions.
struct TTMLContent {
    private(set) var items: [TTMLContentElement] = []
    private(set) var notes: TTMLNotes
    private let tree: TTMLTree

    /// The maximum number of regions that the spans of one paragraph may name.
    private static let regionsAtMost = 64

    /// The position of an element.
    private struct Place {
        var container: TTMLContainer?
        var region: TTMLElement?
        /// `true` if it is put into a region that does not exist.
        var isUnknown = false
        /// `true` if it was reported that nothing here is shown.
        var isTold = false
    }

    init(_ tree: TTMLTree, notes: TTMLNotes) {
        self.tree = tree
        self.notes = notes
        if let body = tree.body { visit(body, Place()) }
    }

    private mutating func visit(_ element: TTMLElement, _ outer: Place) {
        var place = outer
        // By the standard, content in another region than its ancestors is never shown; authors expect that it is.
        if let own = tree.region(named: element.regionID) {
            place.region = own
            place.isUnknown = false
        } else if place.region == nil, !element.regionID.isEmpty {
            place.isUnknown = true
        }
        if element.neverBegins { place.isTold = true }
        if element.kind == .paragraph || element.kind == .image || element.hasImage {
            add(element, place)
        }
        guard element.kind != .paragraph else { return }
        var inner = place
        for child in element.children {
            switch child.kind {
            case .division, .paragraph, .image:
                if inner.container?.element !== element {
                    inner.container = TTMLContainer(element, in: place.container)
                }
                visit(child, inner)
            default: break
            }
        }
    }

    private mutating func add(_ element: TTMLElement, _ place: Place) {
        guard !element.active.isEmpty else {
            noteNeverShown(element, place)
            return
        }
        if element.kind == .paragraph { noteSpansNeverShown(of: element) }
        let item = TTMLContentElement(
            element: element, container: place.container, region: place.region)
        if place.region != nil || !tree.usesRegions || place.isUnknown {
            if item.active.isEmpty { noteNeverShown(element, place) }
            items.append(item)
            return
        }
        var names: [String] = []
        collect(element, into: &names)
        let regions = names.compactMap { tree.region(named: $0) }
        for region in regions {
            var part = item
            part.region = region
            part.onlyRegion = true
            items.append(part)
        }
        if regions.isEmpty, element.hasWords {
            notes.add(
                .warning, "no-region",
                "text without a region is not shown in a document with regions",
                time: Self.start(of: element))
        }
    }

    /// The regions that spans of a paragraph name.
    private mutating func collect(_ element: TTMLElement, into names: inout [String]) {
        for child in element.children where child.kind == .span {
            if !child.regionID.isEmpty, !names.contains(child.regionID) {
                if names.count < Self.regionsAtMost {
                    names.append(child.regionID)
                } else if child.hasWords {
                    notes.add(
                        .error, "too-many-regions",
                        "a paragraph refers to more than \(Self.regionsAtMost) regions; text in the "
                            + "others is left out",
                        time: Self.start(of: child))
                }
            }
            collect(child, into: &names)
        }
    }

    // MARK: What is never shown

    private static func start(of element: TTMLElement) -> Timestamp? {
        element.active.lowerBound == .indefinite
            ? nil : Timestamp(nanoseconds: element.active.lowerBound)
    }

    private mutating func noteNeverShown(_ element: TTMLElement, _ place: Place) {
        guard !place.isTold, !(place.region?.neverBegins ?? false) else { return }
        guard element.kind == .image || element.hasImage || element.hasWords else { return }
        notes.add(
            .warning, "never-shown",
            "an element that does not end after it begins, or ends before its parent begins, is never "
                + "shown",
            time: Self.start(of: element))
    }

    private mutating func noteSpansNeverShown(of element: TTMLElement) {
        for part in element.content {
            switch part {
            case .text(let text):
                guard element.isSequence, text.utf8.contains(where: { !$0.isSpace }) else { break }
                notes.add(
                    .warning, "never-shown",
                    "text directly in a sequential container has no duration and is never shown",
                    time: Self.start(of: element))
            case .element(let child):
                guard child.kind == .span, !child.neverBegins else { break }
                if child.active.isEmpty {
                    noteNeverShown(child, Place())
                } else {
                    noteSpansNeverShown(of: child)
                }
            }
        }
    }
}
