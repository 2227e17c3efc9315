internal import UndertextCore

/// The state that display sets have defined: regions, color tables, objects, the visible page.
///
/// Lives from one mode change or acquisition point to the next; pages in between may change parts
/// only (EN 300 743, sections 4.3 and 5).
struct DVBComposer {
    private static let problemsAtMost = 1000

    let limits: Limits
    private let matrix: ColorMatrix
    private(set) var display = DVBDisplayDefinition.standard
    private(set) var page: DVBPageComposition?
    var regions: [UInt8: DVBRegion] = [:]
    private(set) var cluts: [UInt8: DVBKeptCLUT] = [:]
    private(set) var objects: [UInt16: DVBKeptObject] = [:]
    private var arrivals = 0
    /// Pixels and bytes that the packet at hand may still cost.
    private var packetBudget = 0
    /// The pixels that the track may still use.
    private let budget: PixelBudget
    private(set) var problems: [DVBProblem] = []

    init(limits: Limits, matrix: ColorMatrix, budget: PixelBudget = PixelBudget()) {
        self.limits = limits
        self.budget = budget
        self.matrix = matrix
    }

    /// Seconds after which the page leaves the screen; `nil` where it has no time-out.
    var timeOut: Int? { page.flatMap { $0.timeOut > 0 ? $0.timeOut : nil } }

    /// The canvas of the images.
    var canvas: PixelSize { PixelSize(width: display.width, height: display.height) }

    mutating func takeProblems() -> [DVBProblem] {
        defer { problems = [] }
        return problems
    }

    /// Resets the budget of a packet, which does not depend on the sizes it states.
    mutating func beginPacket() { packetBudget = limits.canvas * limits.canvas }

    /// Applies a display set.
    ///
    /// - Returns: `true` if the screen may have changed.
    mutating func apply(_ set: DVBDisplaySet) -> Bool {
        if let page = set.page {
            if page.state == .acquisitionPoint || page.state == .modeChange {
                regions = [:]
                cluts = [:]
                objects = [:]
                // A decoder that starts here must show the same, so earlier definitions are discarded: without
                // a new one the canvas is that of standard definition television (section 7.2.1).
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

    /// Applies a display definition; returns `true` if it differs from the current one.
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
            // Its corner still defines the position of regions.
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
        // Removed from the dictionary, so that its pixels are filled in place.
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
    private mutating func region(_ new: DVBRegionComposition, _ body: [UInt8]) -> DVBRegion? {
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
        var result = DVBRegion(composition: new, segment: body, plane: plane)
        result.take(new, body, limit: limits.objects)
        return result
    }

    /// Applies a CLUT definition; returns `true` if it differs from the current one.
    private mutating func defineColors(_ body: [UInt8]) -> Bool {
        guard body.count >= 2, let id = body.first else {
            note(.truncated("color table"))
            return false
        }
        var clut = cluts[id] ?? DVBKeptCLUT(segment: [])
        guard clut.segment != body else { return false }
        clut.segment = body
        if !clut.table.apply(body.dropFirst(2), matrix: matrix) {
            note(.truncated("color table"))
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
            objects[data.id] = DVBKeptObject(data: data, segment: body, arrival: arrivals)
            arrived.insert(data.id)
        }
        while objects.count > limits.objects * 2,
            let oldest = objects.min(by: { $0.value.arrival < $1.value.arrival })?.key
        {
            objects[oldest] = nil
        }
        return arrived
    }

    /// The pixels of a compressed object in a region's depth.
    ///
    /// They are kept, since each page may draw the object again; all that are kept have no more pixels
    /// than the largest canvas.
    mutating func plane(
        of number: UInt16, depth: DVBPixelDepth
    ) throws(DVBProgressiveBlock.Failure) -> IndexPlane? {
        guard let object = objects[number],
            case .progressive(let width, let height, let data) = object.data.coding
        else { return nil }
        if let pixels = object.pixels, pixels.depth == depth { return try pixels.plane.get() }
        let plane = Result { () throws(DVBProgressiveBlock.Failure) in
            try DVBProgressiveBlock.plane(
                data, width: width, height: height, depth: depth, limit: limits.canvas)
        }
        objects[number]?.pixels = nil
        let kept = objects.values.reduce(0) { $0 + $1.keptPixels }
        let size = (try? plane.get())?.indices.count ?? 0
        if kept + size <= limits.canvas * limits.canvas {
            objects[number]?.pixels = (depth, plane)
        }
        return try plane.get()
    }

    mutating func note(_ problem: DVBProblem) {
        // One of many is enough to know; hostile input has them by the million.
        if problems.count < Self.problemsAtMost { problems.append(problem) }
    }

    /// `true` if looking at all pixels of a plane is allowed.
    func maySearch(_ plane: IndexPlane) -> Bool {
        budget.spend(width: plane.width, height: plane.height)
    }

    mutating func spend(_ amount: Int) -> Bool {
        guard amount <= packetBudget else {
            note(.tooCostly)
            return false
        }
        packetBudget -= amount
        return budget.spend(amount)
    }
}
