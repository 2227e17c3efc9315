internal import UndertextCore

/// The position of a cue in a script's terms: the inverse of ``ASSLayout``.
///
/// Margins are preferred, since players move text apart that has no exact position.
struct ASSPlacement: Hashable {
    /// 1 to 9: bottom left to top right.
    private(set) var key = 2
    /// An exact position in thousandths of a script pixel.
    private(set) var position: (x: Int, y: Int)?
    /// Script pixels; 0 = that of the style.
    private(set) var marginLeft = 0
    private(set) var marginRight = 0
    private(set) var marginVertical = 0
    /// The losses of the position.
    private(set) var losses: LossKinds = []

    private let canvas: PixelSize
    private let margins: ASSMargins

    /// Nearer to an edge text must begin or end there.
    private static let leastRoom = 10.0

    static func == (left: ASSPlacement, right: ASSPlacement) -> Bool {
        left.key == right.key && left.position?.x == right.position?.x
            && left.position?.y == right.position?.y && left.marginLeft == right.marginLeft
            && left.marginRight == right.marginRight
            && left.marginVertical == right.marginVertical
    }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The position of a layout.
    init(_ layout: CueLayout, regions: [Region], canvas: PixelSize, margins: ASSMargins) {
        self.canvas = canvas
        self.margins = margins
        guard !layout.isDefault else { return }
        if layout.background != nil { losses.insert(.region) }
        guard layout.vertical == .horizontal else {
            losses.insert(.position)
            key = SubRipPlacement(layout).key
            return
        }
        var layout = layout
        if let id = layout.region {
            losses.insert(.region)
            if let region = regions.last(where: { $0.id == id }) { layout.place(in: region) }
        }
        if layout.size >= 100, let place = layout.position, place <= 0 || place >= 100 {
            // A point on an edge of the video, from which lines run up to the margin.
            layout.textAlignment = column(of: layout) == 0 ? .left : .right
            layout.positionAlignment = .auto
        }
        let box = Self.box(of: layout)
        let column = if let box { box.side.rawValue } else { column(of: layout) }
        // Our decoder says of a middle that margins moved what it says of a point.
        let isPoint =
            box == nil && layout.position != nil
            && (layout.positionAlignment != .auto || column == 1)
        let row = row(of: layout, isPoint: isPoint)
        key = row.key * 3 + column + 1
        if let box {
            let (left, right) = setMargins(box)
            if let y = row.y {
                let x = [left * 2, left + canvas.width - right, (canvas.width - right) * 2]
                position = (x[column] * 500, thousandths(y, of: canvas.height))
            }
        } else if let y = row.y {
            let width = Double(max(canvas.width, 1))
            let usual = [
                Double(margins.left) * 100 / width, 50, 100 - Double(margins.right) * 100 / width,
            ]
            let x = layout.position.flatMap { $0.isFinite ? $0 : nil } ?? usual[column]
            position = (thousandths(x, of: canvas.width), thousandths(y, of: canvas.height))
        } else if let place = layout.position, place.isFinite {
            setMargins(place, column: column)
        }
    }

    /// The box that lines are broken for, percent, where margins make it; `nil` where no more than a point
    /// is known.
    private static func box(of layout: CueLayout) -> CueBox? {
        let box = CueBox(layout, atLeast: ASSRenderPlacement.narrowest)
        let place = layout.position.flatMap { $0.isFinite ? $0 : nil }
        let isFull =
            box.anchor == box.side
            && (box.side == .left && place.map { $0 <= 0 } ?? false
                || box.side == .right && place.map { $0 >= 100 } ?? false)
        return layout.size < 100 || isFull ? box : nil
    }

    /// 0 left, 1 center, 2 right: the part of the text that is placed.
    private mutating func column(of layout: CueLayout) -> Int {
        let box = CueBox(layout)
        let ofText = box.side.rawValue
        var column = box.anchor.rawValue
        if let place = layout.position, place.isFinite {
            if place < Self.leastRoom { column = 0 }
            if place > 100 - Self.leastRoom { column = 2 }
        } else {
            column = ofText
        }
        if column != ofText { losses.insert(.alignment) }
        return column
    }

    /// 0 bottom, 1 middle, 2 top; and the percentage from the top, where margins do not do.
    private mutating func row(
        of layout: CueLayout, isPoint: Bool
    ) -> (key: Int, y: Double?) {
        switch CueBox(layout).lines {
        case .automatic: return (0, nil)
        case .counted(0, let fromEnd): return (fromEnd ? 0 : 2, nil)
        case .counted(let count, let fromEnd):
            losses.insert(.position)
            let distance = min(CueBox.lineHeight * count, 100)
            return fromEnd ? atBottom(distance, isPoint) : atTop(distance, isPoint)
        case .percent(let line, let alignment):
            let place = min(max(line, 0), 100)
            if place != line { losses.insert(.position) }
            switch alignment {
            case .start: return atTop(place, isPoint)
            case .end: return atBottom(100 - place, isPoint)
            case .center: return (1, place == 50 && !isPoint ? nil : place)
            }
        }
    }

    private mutating func atTop(_ distance: Double, _ isPoint: Bool) -> (Int, Double?) {
        guard !isPoint else { return (2, distance) }
        setVertical(distance)
        return (2, nil)
    }

    private mutating func atBottom(_ distance: Double, _ isPoint: Bool) -> (Int, Double?) {
        guard !isPoint else { return (0, 100 - distance) }
        setVertical(distance)
        return (0, nil)
    }

    private mutating func setVertical(_ distance: Double) {
        let margin = Self.pixels(distance, of: canvas.height)
        if margin != margins.vertical { marginVertical = margin }
    }

    /// A margin; 0 would be that of the style.
    private static func pixels(_ percent: Double, of size: Int) -> Int {
        Int(min(max(percent * Double(size) / 100, 1), 100_000).rounded())
    }

    /// Makes lines as wide as a box; returns the resulting margins.
    private mutating func setMargins(_ box: CueBox) -> (left: Int, right: Int) {
        let left = Self.pixels(box.start, of: canvas.width)
        let right = Self.pixels(100 - box.end, of: canvas.width)
        if left != margins.left { marginLeft = left }
        if right != margins.right { marginRight = right }
        return (left, right)
    }

    private mutating func setMargins(_ place: Double, column: Int) {
        let width = Double(max(canvas.width, 1))
        func pixels(_ percent: Double) -> Int { Self.pixels(percent, of: canvas.width) }
        let left = Double(margins.left) * 100 / width
        let right = Double(margins.right) * 100 / width
        switch column {
        case 0:
            let margin = pixels(place)
            if margin != margins.left { marginLeft = margin }
        case 2:
            let margin = pixels(100 - place)
            if margin != margins.right { marginRight = margin }
        default:
            let usual = (left + 100 - right) / 2
            guard (place - usual).magnitude >= 0.01 else { return }
            // One margin grows, so that the middle between both lies there.
            var (one, other) = (0, 0)
            if place < usual {
                other = pixels(left + 100 - 2 * place)
            } else {
                one = pixels(2 * place - 100 + right)
            }
            let center =
                ((one > 0 ? Double(one) * 100 / width : left) + 100
                    - (other > 0 ? Double(other) * 100 / width : right)) / 2
            // Our decoder takes less than a percent from the middle for the middle.
            guard (center - 50).magnitude >= 1 else { return }
            marginLeft = one
            marginRight = other
        }
    }

    private func thousandths(_ percent: Double, of size: Int) -> Int {
        guard percent.isFinite else { return 0 }
        return Int((min(max(percent, 0), 100) * Double(size) * 10).rounded())
    }
}

/// A margin of an event, in script pixels.
struct ASSMargin {
    /// The margin of the event, otherwise that of its style.
    let value: Int
    /// `true` if the event states a margin other than that of its style.
    let isStated: Bool

    init(event: Int, style: Int) {
        value = event != 0 ? event : style
        isStated = value != style
    }
}

/// The position of an ASS event in WebVTT's terms.
struct ASSLayout {
    var canvas: PixelSize
    var alignment: NumpadAlignment
    /// Script pixels from `\pos` or `\move`.
    var position: (x: Double, y: Double)?
    var left: ASSMargin
    var right: ASSMargin
    var vertical: ASSMargin

    /// The largest distance from the edge, in percent, at which styled text is regarded as being at the edge.
    ///
    /// Players put text without a position at about this distance, clear of their controls.
    static let edge = 15.0

    var cueLayout: CueLayout {
        let width = Double(max(canvas.width, 1))
        let height = Double(max(canvas.height, 1))
        let left = percent(left.value, of: width)
        let right = percent(right.value, of: width)
        let vertical = percent(vertical.value, of: height)
        let room = 100 - left - right
        if let position {
            var layout = alignment.layout(
                x: position.x * 100 / width, y: position.y * 100 / height)
            if self.left.isStated || self.right.isStated, room > 0 {
                // Margins determine the width of its lines.
                layout.size = room
                layout.positionAlignment = [.lineLeft, .center, .lineRight][alignment.column]
            }
            return layout
        }
        var layout = alignment.layout(margin: alignment.column == 0 ? left : right)
        let isBox: Bool
        switch alignment.column {
        case 0: isBox = self.right.isStated
        case 1: isBox = self.left.isStated && self.right.isStated
        default: isBox = self.left.isStated
        }
        if isBox, room > 0 { layout.size = room }
        if alignment.column == 1 {
            // Unequal margins move the middle.
            let center = (left + 100 - right) / 2
            if (center - 50).magnitude >= 1 || isBox && self.left.value != self.right.value {
                layout.position = center
                layout.positionAlignment = .center
            }
        }
        if alignment.row != 1, vertical > Self.edge || self.vertical.isStated {
            layout.line = alignment.row == 0 ? 100 - vertical : vertical
            layout.snapToLines = false
            layout.lineAlignment = alignment.row == 0 ? .end : .start
        }
        return layout
    }

    private func percent(_ margin: Int, of size: Double) -> Double {
        min(max(Double(margin) * 100 / size, 0), 100)
    }
}
