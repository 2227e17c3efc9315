internal import UndertextCore

/// Computes the content and style of a paragraph or an image at one time in one region.
struct TTMLComposition: Hashable {
    var text = StyledText()
    var layout = CueLayout()
    var isForced = false
    /// `true` if an intermediate document contains part of it, even an invisible one.
    var hasContent = false
    /// `true` if there is something to see.
    var isVisible = false
    /// `true` if some of the text is forced and some is not.
    var isMixed = false
    /// `true` if ruby text is on two sides of its base, of which one is left out.
    var losesRuby = false
    /// The image that is shown, and where: percent of the root.
    var image: String?
    var box = TTMLBox()
    var opacity = 1.0
}

/// Composes paragraphs and images.
struct TTMLComposer {
    private let tree: TTMLTree
    private let ground: TTMLComputedStyle
    private let documentLanguage: String?
    /// Elements that were looked at so far: what hostile documents are measured by.
    private(set) var work = 0
    /// The computed styles of the last item's containers, outermost first, if none of them changes in time.
    private var looks: [(container: TTMLContainer, look: TTMLComputedStyle)] = []
    private var looksRegion: TTMLElement?
    /// The style of the last text: documents have a few, which their texts share.
    private var lastStyle = TextStyle()

    init(_ tree: TTMLTree) {
        self.tree = tree
        documentLanguage = tree.document.language
        ground = TTMLComputedStyle(root: tree.parameters.root, initial: tree.initial)
            .entering(tree.document, at: 0)
    }

    /// Composes a paragraph or an image.
    ///
    /// - Parameters:
    ///   - whole: the item, its containers and its region. Parts that are assigned to other regions, or to
    ///     none, are skipped.
    ///   - time: the time.
    ///   - forced: `true` for forced text only, `false` for other text only; `nil` for all.
    /// - Returns: the composed content; `nil` if the region or an element is not shown.
    mutating func compose(
        _ whole: TTMLContentElement, at time: TTMLTime, forced: Bool? = nil
    ) -> TTMLComposition {
        var result = TTMLComposition()
        let (region, item) = (whole.region, whole.element)
        if let region, !region.active.contains(time) { return result }
        let look = look(within: whole.container, region, at: time).entering(item, at: time)
        work += 1 + item.sets.count
        guard look.isDisplayed else { return result }
        result.box = TTMLBox(region, at: time, root: tree.parameters.root)
        result.opacity = look.opacity
        if let image = look.image ?? (item.kind == .image ? TTMLImage.address(of: item) : nil) {
            result.hasContent = true
            result.image = image
            result.isVisible = look.isVisible && look.opacity > 0
            result.isForced = look.isForced
            return result
        }
        guard item.kind == .paragraph else { return result }
        var part = Part(
            documentLanguage: documentLanguage, region: whole.onlyRegion ? region : nil,
            time: time, forced: forced, isIn: !whole.onlyRegion,
            lastStyle: lastStyle, builder: TTMLTextBuilder(keepsEmptyLines: forced == nil))
        part.append(contentOf: item, look)
        lastStyle = part.lastStyle
        work += part.work
        result.text = part.builder.finish()
        result.hasContent = part.builder.hasContent
        result.isVisible = part.builder.isVisible
        result.isForced = part.hasForced
        result.isMixed = part.hasForced && part.hasOther
        result.losesRuby = part.losesRuby
        let isStated = region != nil || tree.parameters.hasProfile
        result.layout = TTMLPlacement.layout(result.box, look, isStated: isStated)
        result.layout.background = result.box.background
        result.layout.direction = TTMLPlacement.direction(
            look, of: result.text, isStated: isStated)
        return result
    }

    /// Returns the style that is inherited within a container at a time.
    private mutating func look(
        within container: TTMLContainer?, _ region: TTMLElement?, at time: TTMLTime
    ) -> TTMLComputedStyle {
        let isAnimated = !(region?.sets.isEmpty ?? true) || container?.isAnimated ?? false
        if isAnimated || looksRegion !== region { looks = [] }
        looksRegion = region
        // The computed styles of the ancestors of the container are kept.
        var missing: [TTMLContainer] = []
        var known = container
        while let current = known,
            !(current.depth < looks.count && looks[current.depth].container === current)
        {
            missing.append(current)
            known = current.outer
        }
        looks.removeSubrange((known.map { $0.depth + 1 } ?? 0)...)
        var look: TTMLComputedStyle
        if let last = looks.last {
            look = last.look
        } else {
            look = region.map { ground.entering($0, at: time) } ?? ground
            work += region?.sets.count ?? 0
            // The background image of a region is drawn behind its content.
            look.image = nil
        }
        for next in missing.reversed() {
            look = look.entering(next.element, at: time)
            work += 1 + next.element.sets.count
            looks.append((next, look))
        }
        if isAnimated { looks = [] }
        return look
    }

    /// Goes through the content of a paragraph.
    private struct Part {
        let documentLanguage: String?
        /// The only region whose parts count; `nil` = all.
        let region: TTMLElement?
        let time: TTMLTime
        /// `true` for forced text only, `false` for other text only; `nil` = all.
        let forced: Bool?
        var isIn: Bool
        var lastStyle: TextStyle
        var builder = TTMLTextBuilder()
        var hasForced = false
        var hasOther = false
        var losesRuby = false
        var work = 0

        mutating func append(contentOf element: TTMLElement, _ look: TTMLComputedStyle) {
            guard look.isDisplayed else { return }
            let style = style(of: look)
            let isShown = look.isVisible && look.opacity > 0
            for content in element.content {
                work += 1
                switch content {
                case .text(let text):
                    // Text directly in a sequence has no duration.
                    guard isIn, !element.isSequence else { continue }
                    work += text.utf8.count / 64
                    if isShown, text.utf8.contains(where: { !$0.isSpace }) {
                        guard counts(look) else { continue }
                    }
                    builder.append(
                        text, style: style, keepsSpace: look.keepsSpace, isShown: isShown)
                case .element(let child):
                    append(child, look, isSequence: element.isSequence)
                }
            }
        }

        private mutating func style(of look: TTMLComputedStyle) -> TextStyle {
            let style = look.style(documentLanguage: documentLanguage)
            if style != lastStyle { lastStyle = style }
            return lastStyle
        }

        /// Records whether visible content is forced; returns `false` for content that is not wanted.
        private mutating func counts(_ look: TTMLComputedStyle) -> Bool {
            if let forced, forced != look.isForced { return false }
            if look.isForced { hasForced = true } else { hasOther = true }
            return true
        }

        private mutating func append(
            _ element: TTMLElement, _ look: TTMLComputedStyle, isSequence: Bool
        ) {
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
                    builder.breakLine(style: style(of: inner))
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

        private mutating func appendRuby(_ container: TTMLElement, _ look: TTMLComputedStyle) {
            var bases: [(text: String, style: TextStyle)] = []
            var rubies: [String] = []
            collect(container, look, &bases, &rubies)
            guard isIn, look.isVisible, look.opacity > 0, !bases.isEmpty, counts(look) else {
                return
            }
            for (index, base) in bases.enumerated() {
                // Ruby text without its own base belongs to the last base.
                let own =
                    index == bases.count - 1
                    ? rubies.dropFirst(index).joined() : rubies.dropFirst(index).first ?? ""
                builder.append(base: base.text, ruby: own, style: base.style)
            }
        }

        private mutating func collect(
            _ element: TTMLElement, _ look: TTMLComputedStyle,
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
                            style(of: inner)
                        ))
                case .text: rubies.append(words(of: child, inner))
                case .baseContainer, .container, .none: collect(child, inner, &bases, &rubies)
                // A second container is on the other side, which cues cannot represent.
                case .textContainer:
                    if rubies.isEmpty {
                        collect(child, inner, &bases, &rubies)
                    } else {
                        losesRuby = true
                    }
                case .delimiter: break
                }
            }
        }

        /// The text of an element on one line.
        private mutating func words(of element: TTMLElement, _ look: TTMLComputedStyle) -> String {
            var inner = Part(
                documentLanguage: documentLanguage, region: nil, time: time, forced: nil,
                isIn: true, lastStyle: lastStyle)
            inner.append(contentOf: element, look)
            work += inner.work
            let text = inner.builder.finish().plainText
            return String(decoding: text.utf8.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
        }
    }
}
