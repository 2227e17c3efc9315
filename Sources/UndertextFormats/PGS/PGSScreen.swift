internal import UndertextCore

/// A screen as PGS can show it: two objects at most, of one palette, in one or two windows.
struct PGSScreen {
    /// An object at a position.
    struct Object {
        var image: PlacedBitmap
        var isForced: Bool
        /// The number of its window.
        var window: Int
        /// The pixels by the palette of the composition.
        var indices: [UInt8] = []
    }

    /// Index of pixels that show nothing, by convention.
    static let clearIndex: UInt8 = 0xFF
    /// Colors besides ``clearIndex``.
    static let colorsAtMost = 255
    /// The maximum of the field of an object's length.
    static let objectSizeAtMost = 0xFF_FFFF - 4

    private(set) var objects: [Object]
    private(set) var windows: [PixelRectangle]
    /// The visible colors, index by index.
    private(set) var palette: [RGBA] = []
    /// The problems that were found.
    private(set) var losses: LossKinds = []

    /// Composes the images of a span on a canvas; `nil` if all of them are outside.
    init?(_ cues: [Cue], canvas: PixelSize) {
        let bounds = PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height)
        var groups: [[PlacedBitmap]] = []
        var forced: [Bool] = []
        var cropped = false
        for cue in cues {
            guard case .images(let content) = cue.content else { continue }
            for image in content.images {
                let part = image.cropped(to: bounds)
                cropped = cropped || part != image
                guard let part else { continue }
                groups.append([part])
                forced.append(cue.isForced)
            }
        }
        guard !groups.isEmpty else { return nil }
        Self.merge(&groups, &forced)
        objects = []
        windows = []
        if cropped { losses.insert(.image) }
        for (group, isForced) in zip(groups, forced) {
            guard let image = flattened(group) else { continue }
            objects.append(Object(image: image, isForced: isForced, window: objects.count))
        }
        guard !objects.isEmpty else { return nil }
        windows = objects.map { PixelRectangle($0.image) }
        if windows.count == 2, !windows[0].intersection(windows[1]).isEmpty {
            // Windows must not overlap; two objects may share one.
            windows = [windows[0].union(windows[1])]
            objects[1].window = 0
        }
        paint()
    }

    /// Joins images until two are left: those whose common rectangle wastes least.
    ///
    /// Forced ones are joined only with forced ones. Overlapping ones are joined as well, since they share pixels.
    private static func merge(_ groups: inout [[PlacedBitmap]], _ forced: inout [Bool]) {
        if groups.count > comparedAtMost { gather(&groups, &forced) }
        while groups.count > 1 {
            var best: (first: Int, second: Int, waste: Int)?
            for second in 1..<groups.count {
                for first in 0..<second where forced[first] == forced[second] {
                    guard let one = PixelRectangle(around: groups[first]),
                        let other = PixelRectangle(around: groups[second])
                    else { continue }
                    let isNeeded = groups.count > 2 || !one.intersection(other).isEmpty
                    guard isNeeded else { continue }
                    let whole = one.union(other)
                    let waste =
                        whole.width * whole.height - one.width * one.height
                        - other.width * other.height
                    if waste < best?.waste ?? .max { best = (first, second, waste) }
                }
            }
            guard let best else { return }
            groups[best.first] += groups.remove(at: best.second)
            forced.remove(at: best.second)
        }
    }

    /// Images up to which all pairs are examined; the work grows with the cube of it.
    private static let comparedAtMost = 16

    /// Joins each image beyond the first ones with the group that it wastes least with.
    private static func gather(_ groups: inout [[PlacedBitmap]], _ forced: inout [Bool]) {
        var kept: [[PlacedBitmap]] = []
        var keptForced: [Bool] = []
        var places: [PixelRectangle] = []
        for (group, isForced) in zip(groups, forced) {
            guard let place = PixelRectangle(around: group) else { continue }
            let allies = places.indices.filter { keptForced[$0] == isForced }
            guard kept.count >= comparedAtMost, !allies.isEmpty else {
                kept.append(group)
                keptForced.append(isForced)
                places.append(place)
                continue
            }
            var best = (group: allies[0], waste: Int.max)
            for index in allies {
                let whole = places[index].union(place)
                let waste =
                    whole.width * whole.height - places[index].width * places[index].height
                if waste < best.waste { best = (index, waste) }
            }
            kept[best.group] += group
            places[best.group] = places[best.group].union(place)
        }
        (groups, forced) = (kept, keptForced)
    }

    /// The images of a group as one.
    private mutating func flattened(_ group: [PlacedBitmap]) -> PlacedBitmap? {
        if group.count == 1 { return group[0] }
        guard let raster = Raster(drawing: group),
            let result = ColorReduction.indexed(raster, limit: Self.colorsAtMost + 1)
        else {
            losses.insert(.image)
            return nil
        }
        if !result.isExact { losses.insert(.color) }
        return result.image
    }

    /// Converts all objects to one palette.
    private mutating func paint() {
        var colors = usedColors()
        if colors.count > Self.colorsAtMost {
            losses.insert(.color)
            // Half the room for each of two objects, as they may have nothing in common.
            let limit = Self.colorsAtMost / objects.count + (objects.count == 1 ? 1 : 0)
            for index in objects.indices {
                let image = objects[index].image
                guard let fewer = ColorReduction.indexed(image, limit: limit) else { continue }
                objects[index].image = fewer.image
            }
            colors = usedColors()
        }
        palette = colors
        var numbers: [RGBA: UInt8] = [:]
        for (index, color) in colors.prefix(Self.colorsAtMost).enumerated() {
            numbers[color] = UInt8(truncatingIfNeeded: index)
        }
        for index in objects.indices {
            let bitmap = objects[index].image.bitmap
            let table = bitmap.palette.map { color in
                color.alpha == 0 ? Self.clearIndex : numbers[color] ?? Self.clearIndex
            }
            objects[index].indices = bitmap.indices.map { table[Int($0)] }
        }
    }

    /// The visible colors of all objects, each once, in the order of their palettes.
    private func usedColors() -> [RGBA] {
        var seen: Set<RGBA> = []
        var colors: [RGBA] = []
        for object in objects {
            let bitmap = object.image.bitmap
            var isUsed = [Bool](repeating: false, count: 256)
            for index in bitmap.indices { isUsed[Int(index)] = true }
            for (index, color) in bitmap.palette.enumerated()
            where isUsed[index] && color.alpha > 0 && seen.insert(color).inserted {
                colors.append(color)
            }
        }
        return colors
    }
}
