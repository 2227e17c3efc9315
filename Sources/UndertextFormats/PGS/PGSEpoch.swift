internal import UndertextCore

/// The objects and palettes that the display sets of an epoch have defined; draws compositions.
struct PGSEpoch {
    var objects: PGSObjectStore
    private var palettes: [UInt8: PGSPalette] = [:]
    private var windows: [UInt8: PixelRectangle] = [:]
    /// `true` if the epoch start or an acquisition point was read.
    private var hasBegun = false
    private var problems: [PGSProblem] = []
    private let options: DecodingOptions
    private let budget: PixelBudget
    /// The visible part of the last plane that was searched for it.
    private var lastPart:
        (plane: IndexPlane, isVisible: [Bool], part: (PixelRectangle, IndexPlane)?)?

    init(options: DecodingOptions) {
        self.options = options
        budget = options.spending
        objects = PGSObjectStore(limits: options.limits, budget: budget)
    }

    /// Applies the composition state of a display set.
    ///
    /// Only an epoch start discards objects. An acquisition point repeats the data that a decoder needs; a
    /// decoder that already has it continues as at a Normal Case, and Epoch Continue keeps everything by
    /// definition.
    mutating func enter(_ state: PGSComposition.State) {
        switch state {
        case .epochStart:
            objects.removeAll()
            palettes = [:]
            windows = [:]
            hasBegun = true
        case .acquisitionPoint: hasBegun = true
        case .normal, .epochContinue: break
        }
    }

    /// Adds a palette definition segment; returns the number of the palette.
    mutating func addPalette(_ body: ArraySlice<UInt8>) -> UInt8? {
        var reader = ByteReader(body)
        guard let number = reader.uint8(), reader.skip(1) else {
            problems.append(PGSProblem(.error, "damaged-palette", "a palette has no number"))
            return nil
        }
        if !palettes[number, default: PGSPalette()].update(reader.rest()) {
            problems.append(
                PGSProblem(.error, "damaged-palette", "an entry of palette \(number) is incomplete")
            )
        }
        return number
    }

    /// Adds a window definition segment.
    mutating func addWindows(_ body: ArraySlice<UInt8>) {
        windows.merge(PGSWindows.read(body)) { $1 }
    }

    /// The diagnostics since the last call.
    mutating func takeProblems() -> [PGSProblem] {
        defer { problems = [] }
        return problems + objects.takeProblems()
    }

    /// Draws the objects of a composition; reports and skips those that cannot be drawn.
    mutating func draw(
        _ placements: [PGSComposition.Placement], palette number: UInt8, on canvas: PixelSize?,
        isForced: Bool
    ) -> [PlacedBitmap] {
        guard let colors = colors(number, canvas) else {
            if !hasForgotten("palette \(number)") {
                problems.append(
                    PGSProblem(.error, "missing-palette", "palette \(number) was never sent"))
            }
            return []
        }
        var images: [PlacedBitmap] = []
        var budget = options.limits.canvas.multipliedReportingOverflow(by: options.limits.canvas)
            .partialValue
        for placement in placements where placement.isForced == isForced {
            guard let target = target(of: placement, on: canvas) else { continue }
            budget -= target.part.width * target.part.height
            guard budget >= 0 else {
                problems.append(
                    PGSProblem(.error, "image-too-large", "the images of a set are too large"))
                break
            }
            guard let found = objects.image(placement.object, target.part),
                knows(number, found.used),
                let image = image(found, target, colors, canvas)
            else { continue }
            images.append(image)
        }
        return images
    }

    /// `true` if an image has its colors.
    ///
    /// Sets within an epoch may send a part of a palette. Who was not there at the beginning does not
    /// know the rest of it.
    private mutating func knows(_ number: UInt8, _ used: [Bool]) -> Bool {
        guard !hasBegun, let palette = palettes[number] else { return true }
        guard used.indices.contains(where: { used[$0] && !palette.isDefined($0) }) else {
            return true
        }
        return !hasForgotten("a part of palette \(number)")
    }

    private mutating func colors(_ number: UInt8, _ canvas: PixelSize?) -> [RGBA]? {
        let matrix = options.colorMatrix ?? ColorMatrix(height: canvas?.height ?? 1080)
        return palettes[number]?.colors(matrix)
    }

    /// Returns `true`, with a diagnostic, if `what` may have been defined before the first packet that was
    /// read.
    private mutating func hasForgotten(_ what: String) -> Bool {
        guard !hasBegun else { return false }
        problems.append(
            PGSProblem(
                .warning, "mid-epoch",
                "\(what) was sent before the first packet that was read"))
        return true
    }

    /// The visible part of an object and its position.
    private struct Target {
        /// In the object.
        var part: PixelRectangle
        /// Left and top edge on the plane.
        var x: Int
        var y: Int
    }

    /// Crops an object and clips it to its window and to the plane; `nil` if nothing is left.
    private mutating func target(
        of placement: PGSComposition.Placement, on canvas: PixelSize?
    ) -> Target? {
        guard let size = objects.size(placement.object) else {
            if !objects.isRefused(placement.object), !hasForgotten("object \(placement.object)") {
                problems.append(
                    PGSProblem(
                        .error, "missing-object", "object \(placement.object) was never sent"))
            }
            return nil
        }
        let whole = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
        let crop = placement.crop ?? whole
        let part = crop.intersection(whole)
        // Cropping moves the part's corner to the stated position.
        var shown = PixelRectangle(
            x: placement.x, y: placement.y, width: part.width, height: part.height)
        if let window = windows[placement.window] {
            shown = shown.intersection(window)
        } else if !windows.isEmpty || hasBegun {
            problems.append(
                PGSProblem(
                    .warning, "missing-window",
                    "window \(placement.window) was not defined; its object is shown whole"))
        }
        // A plane of unknown size is no larger than any that is allowed.
        let limit = options.limits.canvas
        shown = shown.intersection(
            PixelRectangle(
                x: 0, y: 0, width: canvas?.width ?? limit, height: canvas?.height ?? limit))
        guard !shown.isEmpty else { return nil }
        let visible = PixelRectangle(
            x: part.x + shown.x - placement.x, y: part.y + shown.y - placement.y,
            width: shown.width, height: shown.height)
        return Target(part: visible, x: shown.x, y: shown.y)
    }

    /// The part of a plane that is visible; the steps of a fade share it.
    private mutating func visiblePart(
        of plane: IndexPlane, _ isVisible: [Bool]
    ) -> (PixelRectangle, IndexPlane)? {
        if let lastPart, lastPart.isVisible == isVisible, lastPart.plane == plane {
            return lastPart.part
        }
        guard budget.spend(width: plane.width, height: plane.height) else { return nil }
        let part = plane.visibleBounds(isVisible).flatMap { bounds in
            plane.cropped(to: bounds).map { (bounds, $0) }
        }
        lastPart = (plane, isVisible, part)
        return part
    }

    /// The image with the colors that it uses; `nil` if it is wholly transparent.
    private mutating func image(
        _ found: PGSImage, _ target: Target, _ colors: [RGBA], _ canvas: PixelSize?
    ) -> PlacedBitmap? {
        guard found.used.count == 256 else { return nil }
        var palette = [RGBA](repeating: .clear, count: 256)
        var isVisible = [Bool](repeating: false, count: 256)
        for index in 0..<256 where found.used[index] {
            palette[index] = colors[index]
            isVisible[index] = colors[index].alpha > 0
        }
        guard isVisible.contains(true) else { return nil }
        var plane = found.plane
        var (x, y) = (target.x, target.y)
        // Full frames carry little more than the text on them.
        if let canvas, plane.width * plane.height * 2 >= canvas.width * canvas.height {
            guard let (bounds, part) = visiblePart(of: plane, isVisible) else { return nil }
            plane = part
            x += bounds.x
            y += bounds.y
        }
        let bitmap = IndexedBitmap(
            width: plane.width, height: plane.height, indices: plane.indices, palette: palette)
        return bitmap.map { PlacedBitmap(x: x, y: y, bitmap: $0) }
    }
}
