internal import UndertextCore

/// Applies CHG_COLCON: on parts of the screen pixel values have other colors and opacities.
enum SubPictureChanges {
    /// A plane on which changing pixels have their own indices, and the extended palette.
    ///
    /// Lines and columns are screen coordinates; `area` maps them to the plane. Pixels to the left of the first
    /// column keep the unit's colors.
    static func applied(
        _ changes: [SubPictureLineChange], to plane: IndexPlane, at area: PixelRectangle,
        _ palette: [RGBA], _ colors: SubPictureColors
    ) -> (plane: IndexPlane, palette: [RGBA]) {
        var indices = plane.indices
        var palette = palette
        var done = 0
        // Lines rise; a line that was changed already is left as it is.
        for change in changes {
            let first = max(done, change.lines.lowerBound - area.y)
            let last = min(plane.height - 1, change.lines.upperBound - area.y)
            guard first <= last else { continue }
            done = last + 1
            for (number, column) in change.columns.enumerated() {
                let isLast = number + 1 == change.columns.count
                let next = isLast ? Int.max : change.columns[number + 1].start
                let start = max(0, column.start - area.x)
                let end = isLast ? plane.width : min(plane.width, next - area.x)
                guard start < end else { continue }
                let map = colors.four(colors: column.colors, contrasts: column.contrasts)
                    .map { index(of: $0, in: &palette) }
                for row in first...last {
                    let base = row * plane.width
                    for place in base + start..<base + end {
                        indices[place] = map[Int(plane.indices[place] & 3)]
                    }
                }
            }
        }
        let changed = IndexPlane(width: plane.width, height: plane.height, indices: indices)
        return (changed ?? plane, palette)
    }

    /// The index of a color after the first four, which keep their meaning.
    ///
    /// Sixteen colors with sixteen opacities fit into 256 entries.
    private static func index(of color: RGBA, in palette: inout [RGBA]) -> UInt8 {
        if let place = palette.firstIndex(of: color) { return UInt8(place) }
        guard palette.count < 256 else { return 0 }
        palette.append(color)
        return UInt8(palette.count - 1)
    }
}
