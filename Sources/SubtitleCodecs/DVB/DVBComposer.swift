internal import CueModel
internal import MediaCore

/// What display sets have built up: regions, colour tables, objects, the page that is shown.
///
/// Lives from one mode change or acquisition point to the next; pages in between may change parts
/// only (EN 300 743, sections 4.3 and 5).
struct DVBComposer {
    private struct Region {
        var composition: DVBRegionComposition
        var segment: [UInt8]
        var plane: IndexPlane

        /// Whether its pixels have the size and the depth of `new`.
        func holds(_ new: DVBRegionComposition) -> Bool {
            plane.width == new.width && plane.height == new.height
                && composition.depth == new.depth
        }

        /// Whether `new` says nothing new: what was drawn stays.
        ///
        /// A version that did not change says so; but only where no fill and no object contradict,
        /// since some senders never count.
        func isSame(as new: DVBRegionComposition, _ body: [UInt8]) -> Bool {
            segment == body
                || composition.version == new.version && composition.clut == new.clut
                    && !new.isFilled && new.objects.isEmpty
        }

        mutating func take(_ new: DVBRegionComposition, _ body: [UInt8], limit: Int) {
            composition = new
            composition.objects = Array(new.objects.prefix(limit))
            segment = body
        }
    }

    private struct CLUT {
        var table = DVBCLUT()
        var segment: [UInt8]
    }

    private struct Object {
        var data: DVBObjectData
        var segment: [UInt8]
        /// Those that came later are drawn over those that came before (section 8).
        var arrival: Int
    }

    private static let problemsAtMost = 1000

    private let limits: Limits
    private let matrix: ColorMatrix
    private var display = DVBDisplayDefinition.standard
    private var page: DVBPageComposition?
    private var regions: [UInt8: Region] = [:]
    private var cluts: [UInt8: CLUT] = [:]
    private var objects: [UInt16: Object] = [:]
    private var arrivals = 0
    /// Pixels and bytes that the packet at hand may still cost.
    private var budget = 0
    private(set) var problems: [DVBProblem] = []

    init(limits: Limits, matrix: ColorMatrix) {
        self.limits = limits
        self.matrix = matrix
    }

    /// Seconds after which the page leaves the screen; `nil` where it has no time-out.
    var timeOut: Int? { page.flatMap { $0.timeOut > 0 ? $0.timeOut : nil } }

    /// The canvas that the pictures lie on.
    var canvas: PixelSize { PixelSize(width: display.width, height: display.height) }

    mutating func takeProblems() -> [DVBProblem] {
        defer { problems = [] }
        return problems
    }

    /// Renews what a packet may cost, whatever sizes it states.
    mutating func beginPacket() { budget = limits.canvas * limits.canvas }

    /// Takes over a display set.
    ///
    /// - Returns: whether the screen may have changed.
    mutating func apply(_ set: DVBDisplaySet) -> Bool {
        if let page = set.page {
            if page.state == .acquisitionPoint || page.state == .modeChange {
                regions = [:]
                cluts = [:]
                objects = [:]
                // Who begins here has to see the same, so a definition from before counts no more:
                // without one the canvas is that of a standard television (section 7.2.1).
                display = .standard
            }
            setPage(page)
        }
        if set.isOverfull { note(.tooMany("segments in a display set", limits.objects)) }
        let hasNewCanvas = set.display.map { define($0) } ?? false
        var changed: Set<UInt8> = []
        for body in set.regions {
            if let id = compose(body) { changed.insert(id) }
        }
        let hasNewColors = set.cluts.reduce(false) { defineColors($1) || $0 }
        let arrived = takeObjects(set.objects)
        let hasNewPixels = draw(arrived, changed: changed)
        return set.page != nil || hasNewCanvas || !changed.isEmpty || hasNewColors || hasNewPixels
    }

    // MARK: Segments

    private mutating func setPage(_ new: DVBPageComposition) {
        var page = new
        if page.regions.count > limits.objects {
            note(.tooMany("regions on a page", page.regions.count))
            page.regions.removeLast(page.regions.count - limits.objects)
        }
        var seen: Set<UInt8> = []
        page.regions = page.regions.filter { seen.insert($0.id).inserted }
        self.page = page
    }

    /// Takes over a display definition; whether it says anything new.
    private mutating func define(_ body: [UInt8]) -> Bool {
        guard var new = DVBDisplayDefinition(body[...]) else {
            note(.truncated("display definition"))
            return false
        }
        guard new.width <= limits.canvas, new.height <= limits.canvas else {
            note(.tooLarge("canvas", new.width, new.height))
            return false
        }
        let whole = PixelRectangle(x: 0, y: 0, width: new.width, height: new.height)
        if new.window.isEmpty || new.window.intersection(whole) != new.window {
            note(.windowOutside)
            // Its corner still says where regions are meant to be.
            new.window.width = max(0, new.width - new.window.x)
            new.window.height = max(0, new.height - new.window.y)
        }
        defer { display = new }
        return new != display
    }

    /// The id of a region that is new or changed.
    private mutating func compose(_ body: [UInt8]) -> UInt8? {
        guard let new = DVBRegionComposition(body[...]) else {
            note(.truncated("region"))
            return nil
        }
        if new.objects.count > limits.objects {
            note(.tooMany("objects in a region", new.objects.count))
        }
        // Out of the table, so that its pixels are filled in place.
        let old = regions.removeValue(forKey: new.id)
        guard let old, old.holds(new) else {
            regions[new.id] = region(new, body)
            return new.id
        }
        guard !old.isSame(as: new, body) else {
            regions[new.id] = old
            return nil
        }
        var changed = old
        changed.take(new, body, limit: limits.objects)
        if new.isFilled, spend(new.width * new.height) {
            changed.plane.fill(new.background)
        }
        regions[new.id] = changed
        return new.id
    }

    /// A fresh region; `nil` where it is too large.
    private mutating func region(_ new: DVBRegionComposition, _ body: [UInt8]) -> Region? {
        let area = new.width * new.height
        let others = regions.values.reduce(0) { $0 + $1.plane.indices.count }
        guard regions.count < limits.objects, area + others <= limits.canvas * limits.canvas,
            spend(area),
            let plane = IndexPlane(
                width: new.width, height: new.height, fill: new.background, limit: limits.canvas)
        else {
            note(.tooLarge("region", new.width, new.height))
            return nil
        }
        var result = Region(composition: new, segment: body, plane: plane)
        result.take(new, body, limit: limits.objects)
        return result
    }

    /// Takes over a CLUT definition; whether it says anything new.
    private mutating func defineColors(_ body: [UInt8]) -> Bool {
        guard body.count >= 2, let id = body.first else {
            note(.truncated("colour table"))
            return false
        }
        var clut = cluts[id] ?? CLUT(segment: [])
        guard clut.segment != body else { return false }
        clut.segment = body
        if !clut.table.apply(body.dropFirst(2), matrix: matrix) {
            note(.truncated("colour table"))
        }
        cluts[id] = clut
        return true
    }

    /// Keeps the objects of a set; returns those that are new or changed.
    private mutating func takeObjects(_ bodies: [[UInt8]]) -> Set<UInt16> {
        var arrived: Set<UInt16> = []
        for body in bodies {
            guard let data = DVBObjectData(body[...]) else {
                note(.truncated("object"))
                continue
            }
            guard objects[data.id]?.segment != body else { continue }
            if data.isTruncated { note(.truncated("object")) }
            switch data.coding {
            case .characters: note(.characters)
            case .unknown: note(.unknownCoding)
            case .fields, .progressive: break
            }
            arrivals += 1
            objects[data.id] = Object(data: data, segment: body, arrival: arrivals)
            arrived.insert(data.id)
        }
        while objects.count > limits.objects * 2,
            let oldest = objects.min(by: { $0.value.arrival < $1.value.arrival })?.key
        {
            objects[oldest] = nil
        }
        return arrived
    }

    // MARK: Pixels

    /// Draws all objects of changed regions, and those that arrived wherever they are listed.
    private mutating func draw(_ arrived: Set<UInt16>, changed: Set<UInt8>) -> Bool {
        var hasDrawn = false
        for id in regions.keys.sorted() {
            guard let listed = regions[id]?.composition.objects else { continue }
            let isChanged = changed.contains(id)
            let wanted = listed.enumerated().filter { isChanged || arrived.contains($1.id) }
            let ordered = wanted.sorted {
                let first = objects[$0.element.id]?.arrival ?? 0
                let second = objects[$1.element.id]?.arrival ?? 0
                return (first, $0.offset) < (second, $1.offset)
            }
            for (_, place) in ordered {
                if place.type == 1 || place.type == 2 { note(.characters) }
                guard let object = objects[place.id]?.data else {
                    if place.type == 0 { note(.missingObject(place.id)) }
                    continue
                }
                draw(object, at: place, in: id)
                hasDrawn = true
            }
        }
        return hasDrawn
    }

    private mutating func draw(
        _ object: DVBObjectData, at place: DVBRegionComposition.Object, in id: UInt8
    ) {
        guard let depth = regions[id]?.composition.depth else { return }
        switch object.coding {
        case .fields(let top, let bottom):
            let fields = [(top, 0), (bottom.isEmpty ? top : bottom, 1)]
            for (field, row) in fields {
                guard spend(field.count &* 8) else { return }
                var strings = DVBPixelStrings(
                    field, depth: depth, leavesEntryOne: object.leavesEntryOne)
                let y = place.y + row
                // In place: a copy of the plane for each field would cost more than the drawing.
                if var region = regions.removeValue(forKey: id) {
                    strings.draw(on: &region.plane, x: place.x, y: y)
                    regions[id] = region
                }
                if let damage = strings.damage { note(.pixels(damage)) }
            }
        case .progressive(let width, let height, let data):
            guard spend(width * height) else { return }
            do throws(DVBProgressiveBlock.Failure) {
                let plane = try DVBProgressiveBlock.plane(
                    data, width: width, height: height, depth: depth, limit: limits.canvas)
                if object.leavesEntryOne {
                    regions[id]?.plane.draw(plane, x: place.x, y: place.y, except: 1)
                } else {
                    regions[id]?.plane.draw(plane, x: place.x, y: place.y)
                }
            } catch {
                note(
                    error == .tooLarge
                        ? .tooLarge("object", width, height) : .truncated("compressed object"))
            }
        case .characters, .unknown: break
        }
    }

    private mutating func note(_ problem: DVBProblem) {
        // One of many is enough to know; hostile input has them by the million.
        if problems.count < Self.problemsAtMost { problems.append(problem) }
    }

    private mutating func spend(_ amount: Int) -> Bool {
        guard amount <= budget else {
            note(.tooCostly)
            return false
        }
        budget -= amount
        return true
    }

    // MARK: The screen

    /// The visible parts of the page's regions, in its order.
    mutating func pictures() -> [PlacedBitmap] {
        guard let page else { return [] }
        var result: [PlacedBitmap] = []
        for place in page.regions {
            guard let region = regions[place.id] else {
                note(.missingRegion(place.id))
                continue
            }
            let colors =
                (cluts[region.composition.clut]?.table ?? DVBCLUT())
                .colors(region.composition.depth)
            var isVisible = [Bool](repeating: false, count: 256)
            for (index, color) in colors.enumerated() { isVisible[index] = color.alpha > 0 }
            let x = display.window.x + place.x
            let y = display.window.y + place.y
            guard let visible = region.plane.visibleBounds(isVisible) else { continue }
            // What of it lies in the window.
            let shown = visible.intersection(
                PixelRectangle(
                    x: display.window.x - x, y: display.window.y - y,
                    width: display.window.width, height: display.window.height))
            if shown != visible { note(.regionOutside(place.id)) }
            guard let part = region.plane.cropped(to: shown),
                let bitmap = IndexedBitmap(
                    width: part.width, height: part.height, indices: part.indices,
                    palette: colors)
            else { continue }
            result.append(PlacedBitmap(x: x + shown.x, y: y + shown.y, bitmap: bitmap))
        }
        return result
    }
}
