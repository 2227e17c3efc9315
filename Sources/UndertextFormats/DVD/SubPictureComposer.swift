internal import UndertextCore

/// Draws what a unit shows from each of its times on.
struct SubPictureComposer {
    /// The image on screen from a time on.
    struct Step: Hashable {
        /// Since the unit's own time, in ticks of 90 kHz.
        var ticks: Int64
        /// The image, cropped to what is visible; `nil` where nothing is.
        var image: PlacedBitmap?
        var isForced: Bool
    }

    /// A defect of a unit, in the order in which defects are reported.
    enum Issue: Hashable, CaseIterable {
        case clippedRun
        case truncatedPixels
        case badArea
        case noPixels
        case tooLarge
        case noStart
        case badStop
    }

    /// Pixels drawn for one unit at most: thirty full images of high definition.
    private static let pixelBudget = 1 << 26

    private struct PlaneKey: Hashable {
        var area: PixelRectangle
        var hasByteDepth: Bool
        var top: Int
        var bottom: Int
    }

    private let settings: VobSubSettings
    private let limits: Limits
    private let budget: PixelBudget
    private let matrix: ColorMatrix
    private let unit: SubPictureUnit
    private var issues: Set<Issue> = []
    private var drawnPixels = 0
    private var lastPlane: (key: PlaneKey, plane: IndexPlane)?
    /// The visible part of `lastPlane`, which the steps of a fade share.
    private var lastPart: (visible: [Bool], part: (PixelRectangle, IndexPlane)?)?

    private init(
        _ unit: SubPictureUnit, _ settings: VobSubSettings, _ limits: Limits, _ matrix: ColorMatrix,
        _ budget: PixelBudget
    ) {
        self.unit = unit
        self.settings = settings
        self.limits = limits
        self.matrix = matrix
        self.budget = budget
    }

    /// Returns the images of `unit`, each step different from the previous one; issues are reported once per unit.
    static func steps(
        of unit: SubPictureUnit, settings: VobSubSettings, limits: Limits, matrix: ColorMatrix,
        budget: PixelBudget
    ) -> (steps: [Step], issues: Set<Issue>) {
        var composer = SubPictureComposer(unit, settings, limits, matrix, budget)
        let (moments, hasBadStop) = SubPictureMoment.moments(of: unit)
        let visible = moments.reduce(into: UInt16(0)) {
            $0 |= $1.state.isShown ? $1.state.visibleColors : 0
        }
        let places = (0..<16 as Range<UInt8>).filter { visible >> UInt16($0) & 1 == 1 }
        let colors = SubPictureColors(settings, visible: Set(places), matrix: matrix)
        if !unit.hasStart, moments.contains(where: { $0.state.topField != nil }) {
            composer.issues.insert(.noStart)
        }
        if hasBadStop { composer.issues.insert(.badStop) }
        var steps: [Step] = []
        for moment in moments {
            // An image that has not started is not on screen.
            guard moment.state.isShown || moment.state.wasStopped else { continue }
            let image = composer.image(moment.state, colors)
            let step = Step(
                ticks: moment.ticks, image: image,
                isForced: image != nil && moment.state.isForced)
            if let last = steps.last, last.image == step.image, last.isForced == step.isForced {
                continue
            }
            steps.append(step)
            if composer.issues.contains(.tooLarge) || budget.isExhausted { break }
        }
        return (steps, composer.issues)
    }

    private mutating func image(
        _ state: SubPictureState, _ colors: SubPictureColors
    ) -> PlacedBitmap? {
        guard state.isShown else { return nil }
        guard let area = state.area, let top = state.topField, let bottom = state.bottomField else {
            issues.insert(.noPixels)
            return nil
        }
        let key = PlaneKey(
            area: area, hasByteDepth: state.hasByteDepth, top: top, bottom: bottom)
        if lastPlane?.key != key {
            lastPart = nil
            lastPlane = plane(key).map { (key, $0) }
        }
        guard let plane = lastPlane?.plane else { return nil }
        if state.hasByteDepth {
            let palette = colors.full(colors: state.fullColors, contrasts: state.fullContrasts)
            return placed(plane, palette, area, isShared: true)
        }
        let palette = colors.four(colors: state.colors, contrasts: state.contrasts)
        guard !state.changes.isEmpty else { return placed(plane, palette, area, isShared: true) }
        // Each column makes a table of colors, whether it draws many pixels or none.
        guard spend(plane.width * plane.height + state.changedColumns * Self.columnCost) else {
            return nil
        }
        let (changed, wider) = SubPictureChanges.applied(
            state.changes, to: plane, at: area, palette, colors)
        return placed(changed, wider, area, isShared: false)
    }

    /// The pixels of the unit in an area.
    private mutating func plane(_ key: PlaneKey) -> IndexPlane? {
        guard
            var plane = IndexPlane(
                width: key.area.width, height: key.area.height, limit: limits.canvas)
        else {
            issues.insert(.badArea)
            return nil
        }
        guard spend(plane) else { return nil }
        var runs = SubPictureRunLength(unit.bytes)
        for (offset, line) in [(key.top, 0), (key.bottom, 1)] {
            if key.hasByteDepth {
                runs.drawBytes(from: offset, line: line, on: &plane)
            } else {
                runs.drawNibbles(from: offset, line: line, on: &plane)
            }
        }
        if runs.hasClippedRun { issues.insert(.clippedRun) }
        if runs.isTruncated { issues.insert(.truncatedPixels) }
        return plane
    }

    /// The cost of a column of CHG_COLCON, in pixels.
    private static let columnCost = 64

    private mutating func spend(_ plane: IndexPlane) -> Bool { spend(plane.width * plane.height) }

    private mutating func spend(_ pixels: Int) -> Bool {
        drawnPixels += pixels
        if drawnPixels > Self.pixelBudget { issues.insert(.tooLarge) }
        return drawnPixels <= Self.pixelBudget && budget.spend(pixels)
    }

    /// The visible part of `plane` on the canvas.
    private mutating func placed(
        _ plane: IndexPlane, _ palette: [RGBA], _ area: PixelRectangle, isShared: Bool
    ) -> PlacedBitmap? {
        var visible = [Bool](repeating: false, count: 256)
        for (index, color) in palette.enumerated() { visible[index] = color.alpha > 0 }
        let part: (PixelRectangle, IndexPlane)?
        if isShared, let lastPart, lastPart.visible == visible {
            part = lastPart.part
        } else {
            guard spend(plane) else { return nil }
            part = plane.visibleBounds(visible).flatMap { bounds in
                plane.cropped(to: bounds).map { (bounds, $0) }
            }
            if isShared { lastPart = (visible, part) }
        }
        guard let (bounds, cropped) = part else { return nil }
        let place = PixelRectangle(
            x: area.x + bounds.x, y: area.y + bounds.y, width: bounds.width, height: bounds.height)
        let scale = SubPictureScale(settings)
        let target = scale.target(of: place, limit: limits.canvas)
        if target.width != place.width || target.height != place.height {
            guard spend(target.width * target.height) else { return nil }
        }
        let scaled = scale.applied(to: cropped, target)
        return IndexedBitmap(
            width: scaled.width, height: scaled.height, indices: scaled.indices, palette: palette
        ).map { PlacedBitmap(x: target.x, y: target.y, bitmap: $0) }
    }
}
