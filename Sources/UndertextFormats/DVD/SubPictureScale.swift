internal import UndertextCore

/// Moves and stretches images as `org` and `scale` of an .idx file say.
struct SubPictureScale {
    private let settings: VobSubSettings

    init(_ settings: VobSubSettings) { self.settings = settings }

    /// Returns the position and size of an image, with edges up to `limit`.
    func target(of place: PixelRectangle, limit: Int) -> PixelRectangle {
        let left = place.x * settings.horizontalScale / 100
        let top = place.y * settings.verticalScale / 100
        var target = PixelRectangle(
            x: settings.left + left, y: settings.top + top,
            width: max(1, (place.x + place.width) * settings.horizontalScale / 100 - left),
            height: max(1, (place.y + place.height) * settings.verticalScale / 100 - top))
        if target.width != place.width || target.height != place.height {
            target.width = min(target.width, limit)
            target.height = min(target.height, limit)
        }
        return target
    }

    /// The plane in the size of its target; each pixel takes the nearest one, as indices cannot be
    /// mixed.
    func applied(to plane: IndexPlane, _ target: PixelRectangle) -> IndexPlane {
        guard target.width != plane.width || target.height != plane.height else { return plane }
        let columns = (0..<target.width).map { $0 * plane.width / target.width }
        var indices: [UInt8] = []
        indices.reserveCapacity(target.width * target.height)
        for row in 0..<target.height {
            let base = row * plane.height / target.height * plane.width
            for column in columns { indices.append(plane.indices[base + column]) }
        }
        return IndexPlane(width: target.width, height: target.height, indices: indices) ?? plane
    }
}
