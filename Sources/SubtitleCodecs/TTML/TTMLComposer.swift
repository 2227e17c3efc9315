internal import CueModel

/// What a paragraph or a picture looks like at one time in one region.
struct TTMLComposition: Hashable {
    var text = StyledText()
    var layout = CueLayout()
    var isForced = false
    /// Whether an intermediate document has anything of it, even if nobody can see it.
    var hasContent = false
    /// Whether there is something to see.
    var isVisible = false
    /// The picture that is shown, and where: percent of the root.
    var picture: String?
    var box = TTMLBox()
    var opacity = 1.0
}

/// Composes paragraphs and pictures.
struct TTMLComposer {
    private let tree: TTMLTree
    private let ground: TTMLLook
    private let documentLanguage: String?
    /// Elements that were looked at so far: what hostile documents are measured by.
    private(set) var work = 0

    init(_ tree: TTMLTree) {
        self.tree = tree
        documentLanguage = tree.document.language
        ground = TTMLLook(root: tree.parameters.root, initial: tree.initial)
            .entering(tree.document, at: 0)
    }

    /// Composes the last of `path`, the elements from the body to a paragraph or picture.
    ///
    /// - Parameters:
    ///   - path: the elements.
    ///   - region: the region; `nil` = the one that is used where there is none.
    ///   - onlyRegion: whether parts of the paragraph that are put into other regions, or into none, are
    ///     left out.
    ///   - time: when.
    /// - Returns: what it looks like; nothing where the region or an element is not shown.
    mutating func compose(
        _ path: [TTMLElement], in region: TTMLElement?, onlyRegion: Bool, at time: TTMLTime
    ) -> TTMLComposition {
        var result = TTMLComposition()
        var look = ground
        if let region {
            guard region.active.contains(time) else { return result }
            look = look.entering(region, at: time)
            // A region's own picture lies behind its content.
            look.picture = nil
        }
        for element in path {
            look = look.entering(element, at: time)
            work += 1 + element.sets.count
        }
        guard look.isDisplayed, let item = path.last else { return result }
        result.box = TTMLBox(region, at: time, root: tree.parameters.root)
        result.opacity = look.opacity
        if let picture = look.picture ?? (item.kind == .image ? TTMLImage.address(of: item) : nil) {
            result.hasContent = true
            result.picture = picture
            result.isVisible = look.isVisible && look.opacity > 0
            result.isForced = look.isForced
            return result
        }
        guard item.kind == .paragraph else { return result }
        var part = Part(
            composer: self, region: onlyRegion ? region : nil, time: time,
            isIn: !onlyRegion)
        part.append(contentOf: item, look)
        work += part.work
        result.text = part.builder.finish()
        result.hasContent = part.builder.hasContent
        result.isVisible = part.builder.isVisible
        result.isForced = part.isForced
        result.layout = TTMLPlacement.layout(
            result.box, look, isStated: region != nil || tree.parameters.hasProfile)
        return result
    }

    /// Goes through the content of a paragraph.
    private struct Part {
        let composer: TTMLComposer
        /// The only region whose parts count; `nil` = all.
        let region: TTMLElement?
        let time: TTMLTime
        var isIn: Bool
        var builder = TTMLTextBuilder()
        var isForced = false
        var work = 0

        mutating func append(contentOf element: TTMLElement, _ look: TTMLLook) {
            guard look.isDisplayed else { return }
            let style = look.style(documentLanguage: composer.documentLanguage)
            let isShown = look.isVisible && look.opacity > 0
            for content in element.content {
                work += 1
                switch content {
                case .text(let text):
                    // Text by itself in a sequence lasts no time.
                    guard isIn, !element.isSequence else { continue }
                    builder.append(
                        text, style: style, keepsSpace: look.keepsSpace, isShown: isShown)
                    if look.isForced, isShown, text.utf8.contains(where: { !$0.isSpace }) {
                        isForced = true
                    }
                case .element(let child):
                    append(child, look, isSequence: element.isSequence)
                }
            }
        }

        private mutating func append(_ element: TTMLElement, _ look: TTMLLook, isSequence: Bool) {
            guard element.kind == .span || element.kind == .lineBreak,
                element.active.contains(time)
            else { return }
            let wasIn = isIn
            defer { isIn = wasIn }
            if let region, !element.regionID.isEmpty { isIn = element.regionID == region.id }
            let inner = look.entering(element, at: time)
            work += element.sets.count
            guard inner.isDisplayed else { return }
            guard element.kind == .span else {
                if isIn {
                    builder.breakLine(
                        style: inner.style(documentLanguage: composer.documentLanguage))
                }
                return
            }
            switch inner.ruby {
            case .container: appendRuby(element, inner)
            case .none, .base, .baseContainer: append(contentOf: element, inner)
            // Outside a container there is nothing that they belong to.
            case .text, .textContainer, .delimiter: break
            }
        }

        // MARK: Ruby

        private mutating func appendRuby(_ container: TTMLElement, _ look: TTMLLook) {
            var bases: [(text: String, style: TextStyle)] = []
            var rubies: [String] = []
            collect(container, look, &bases, &rubies)
            guard isIn, look.isVisible, look.opacity > 0 else { return }
            if look.isForced, !bases.isEmpty { isForced = true }
            for (index, base) in bases.enumerated() {
                // What has no partner of its own goes to the last base.
                let own =
                    index == bases.count - 1
                    ? rubies.dropFirst(index).joined() : rubies.dropFirst(index).first ?? ""
                builder.append(base: base.text, ruby: own, style: base.style)
            }
        }

        private mutating func collect(
            _ element: TTMLElement, _ look: TTMLLook,
            _ bases: inout [(text: String, style: TextStyle)], _ rubies: inout [String]
        ) {
            for child in element.children
            where child.kind == .span && child.active.contains(time) {
                work += 1
                let inner = look.entering(child, at: time)
                guard inner.isDisplayed else { continue }
                switch inner.ruby {
                case .base:
                    bases.append(
                        (
                            words(of: child, inner),
                            inner.style(documentLanguage: composer.documentLanguage)
                        ))
                case .text: rubies.append(words(of: child, inner))
                case .baseContainer, .container, .none: collect(child, inner, &bases, &rubies)
                // A second container stands on the other side, for which there is no place.
                case .textContainer: if rubies.isEmpty { collect(child, inner, &bases, &rubies) }
                case .delimiter: break
                }
            }
        }

        /// The text of an element on one line.
        private mutating func words(of element: TTMLElement, _ look: TTMLLook) -> String {
            var inner = Part(composer: composer, region: nil, time: time, isIn: true)
            inner.append(contentOf: element, look)
            work += inner.work
            let text = inner.builder.finish().plainText
            return String(decoding: text.utf8.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
        }
    }
}
