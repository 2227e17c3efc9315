internal import UndertextCore

/// Drawing: objects into regions, and regions onto the screen.
extension DVBComposer {
    /// Draws all objects of changed regions, and those that arrived wherever they are listed.
    mutating func draw(_ arrived: Set<UInt16>, changed: Set<UInt8>) -> Bool {
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
                // Drawn in place: a copy of the plane for each field would cost more than the drawing.
                if var region = regions.removeValue(forKey: id) {
                    strings.draw(on: &region.plane, x: place.x, y: y)
                    regions[id] = region
                }
                if let damage = strings.damage { note(.pixels(damage)) }
            }
        case .progressive(let width, let height, _):
            guard spend(width * height) else { return }
            do throws(DVBProgressiveBlock.Failure) {
                guard let plane = try plane(of: object.id, depth: depth) else { return }
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

    /// The visible parts of the page's regions, in its order.
    mutating func images() -> [PlacedBitmap] {
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
            guard maySearch(region.plane), let visible = region.plane.visibleBounds(isVisible)
            else { continue }
            // The part of it within the window.
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
