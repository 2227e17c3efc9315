internal import UndertextCore

/// The rectangle of a region in percent of the root, without its padding.
struct TTMLBox: Hashable {
    var left = 0.0
    var top = 0.0
    var right = 100.0
    var bottom = 100.0
    var displayAlign = TTMLDisplayAlign.before
    var writingMode = TTMLWritingMode.leftToRight
    /// The colored area of the region, its padding included.
    private(set) var background: RegionBackground?

    init() {}

    /// `true` if it is the whole root, that of the default region: it does not state a position of lines.
    var isWhole: Bool { left == 0 && top == 0 && right == 100 && bottom == 100 }

    /// The area of a region at a time; without a region, that of the root.
    ///
    /// TTML2, sections 10.2.16 (`extent`), 10.2.32 (`origin`), 10.2.33 (`padding`), 10.2.34 (`position`).
    init(_ region: TTMLElement?, at time: TTMLTime, root: TTMLRoot) {
        guard let region else { return }
        var origin: TTMLPair?
        var extent: TTMLPair?
        var position: TTMLPosition?
        var padding: [TTMLLength] = []
        var color: RGBA?
        var opacity = 1.0
        var isAlwaysShown = true
        for setting in region.settings(at: time).settings {
            switch setting {
            case .origin(let value): origin = value
            case .extent(let value): extent = value
            case .position(let value): position = value
            case .padding(let value): padding = value
            case .displayAlign(let value): displayAlign = value
            case .writingMode(let value): writingMode = value
            case .background(let value): color = value
            case .opacity(let value): opacity *= value
            case .showsBackgroundAlways(let value): isAlwaysShown = value
            default: break
            }
        }
        let width = extent.map { max(root.horizontal($0.x), 0) } ?? 100
        let height = extent.map { max(root.vertical($0.y), 0) } ?? 100
        if let position {
            let x = root.horizontal(position.x, percentOf: 100 - width)
            let y = root.vertical(position.y, percentOf: 100 - height)
            left = position.countsFromRight ? 100 - width - x : x
            top = position.countsFromBottom ? 100 - height - y : y
        } else if let origin {
            left = root.horizontal(origin.x)
            top = root.vertical(origin.y)
        }
        right = left + width
        bottom = top + height
        if let color = color?.faded(opacity), color.alpha > 0, width > 0, height > 0 {
            background = RegionBackground(
                color: color, left: left, top: top, right: right, bottom: bottom,
                isAlwaysShown: isAlwaysShown)
        }
        shrink(by: padding, width: width, height: height, root)
    }

    /// Subtracts the padding, whose edges depend on the writing mode.
    private mutating func shrink(
        by padding: [TTMLLength], width: Double, height: Double, _ root: TTMLRoot
    ) {
        guard padding.count == 4 else { return }
        func across(_ length: TTMLLength) -> Double { root.horizontal(length, percentOf: width) }
        func down(_ length: TTMLLength) -> Double { root.vertical(length, percentOf: height) }
        let (before, end, after, start) = (padding[0], padding[1], padding[2], padding[3])
        switch writingMode {
        case .leftToRight:
            top += down(before)
            bottom -= down(after)
            left += across(start)
            right -= across(end)
        case .rightToLeft:
            top += down(before)
            bottom -= down(after)
            right -= across(start)
            left += across(end)
        case .verticalLeftwards:
            right -= across(before)
            left += across(after)
            top += down(start)
            bottom -= down(end)
        case .verticalRightwards:
            left += across(before)
            right -= across(after)
            top += down(start)
            bottom -= down(end)
        }
        if right < left { right = left }
        if bottom < top { bottom = top }
    }
}

/// Converts the area of a region and the alignment of a paragraph to a layout.
enum TTMLPlacement {
    /// The layout of a paragraph.
    ///
    /// - Parameters:
    ///   - box: the region.
    ///   - look: the computed style of the paragraph.
    ///   - isStated: `true` if the document states the position of text: it has a region, or conforms to a
    ///     profile that defines a default. Otherwise players choose the position.
    /// - Returns: the layout.
    static func layout(_ box: TTMLBox, _ look: TTMLComputedStyle, isStated: Bool) -> CueLayout {
        var layout = CueLayout()
        let isReversed = look.isRightToLeft || box.writingMode == .rightToLeft
        switch look.textAlign ?? (isStated ? .start : .center) {
        case .start: layout.textAlignment = isReversed ? .right : .start
        case .end: layout.textAlignment = isReversed ? .left : .end
        case .left: layout.textAlignment = .left
        case .right: layout.textAlignment = .right
        case .center: layout.textAlignment = .center
        }
        guard isStated else { return layout }
        switch box.writingMode {
        case .leftToRight, .rightToLeft:
            setLine(of: &layout, box)
            setPosition(of: &layout, from: box.left, to: box.right)
        case .verticalLeftwards, .verticalRightwards:
            let leftwards = box.writingMode == .verticalLeftwards
            layout.vertical = leftwards ? .growingLeft : .growingRight
            setColumn(of: &layout, box, leftwards: leftwards)
            setPosition(of: &layout, from: box.top, to: box.bottom)
        }
        return layout
    }

    /// The base direction of lines if it differs from that of their text.
    ///
    /// TTML2, section 10.2.12 (`direction`): the default is left to right.
    static func direction(
        _ look: TTMLComputedStyle, of text: StyledText, isStated: Bool
    ) -> TextDirection? {
        let direction: TextDirection = look.isRightToLeft ? .rightToLeft : .leftToRight
        guard direction != TextDirection(of: text.plainText) else { return nil }
        return isStated || look.isRightToLeft ? direction : nil
    }

    private static func setLine(of layout: inout CueLayout, _ box: TTMLBox) {
        switch box.displayAlign {
        case .before:
            guard !box.isWhole else {
                layout.line = 0
                return
            }
            layout.line = percent(box.top)
            layout.lineAlignment = .start
        case .after:
            guard !box.isWhole else { return }
            layout.line = percent(box.bottom)
            layout.lineAlignment = .end
        case .center:
            layout.line = percent((box.top + box.bottom) / 2)
            layout.lineAlignment = .center
        }
        layout.snapToLines = false
    }

    private static func setColumn(of layout: inout CueLayout, _ box: TTMLBox, leftwards: Bool) {
        layout.snapToLines = false
        switch box.displayAlign {
        case .center:
            layout.line = percent((box.left + box.right) / 2)
            layout.lineAlignment = .center
        case .before, .after:
            let isRight = (box.displayAlign == .before) == leftwards
            layout.line = percent(isRight ? box.right : box.left)
            layout.lineAlignment = isRight ? .end : .start
        }
    }

    private static func setPosition(
        of layout: inout CueLayout, from start: Double, to end: Double
    ) {
        let (start, end) = (percent(start), percent(end))
        switch layout.textAlignment {
        case .start, .left:
            layout.position = start
            layout.positionAlignment = .lineLeft
        case .end, .right:
            layout.position = end
            layout.positionAlignment = .lineRight
        case .center:
            let middle = percent((start + end) / 2)
            if middle != 50 {
                layout.position = middle
                layout.positionAlignment = .center
            }
        }
        // No letter has room in less: the region lies off the video.
        let width = rounded(end - start)
        layout.size = width < 1 ? 100 : width
    }

    /// A percentage of the video, rounded to a thousandth.
    private static func percent(_ value: Double) -> Double { rounded(min(max(value, 0), 100)) }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
