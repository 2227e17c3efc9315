/// Palette indices on a rectangle of pixels, drawn on by decoders.
struct IndexPlane: Hashable, Sendable {
    let width: Int
    let height: Int
    /// Row by row, `width * height` of them.
    private(set) var indices: [UInt8]

    /// A plane of one index; `nil` where it is empty or an edge is longer than `limit`.
    init?(width: Int, height: Int, fill: UInt8 = 0, limit: Int) {
        guard (1...max(1, limit)).contains(width), (1...max(1, limit)).contains(height) else {
            return nil
        }
        self.width = width
        self.height = height
        indices = [UInt8](repeating: fill, count: width * height)
    }

    /// A plane of given indices; `nil` where their number does not fit.
    init?(width: Int, height: Int, indices: [UInt8]) {
        guard width > 0, height > 0,
            case (indices.count, false) = width.multipliedReportingOverflow(by: height)
        else { return nil }
        self.width = width
        self.height = height
        self.indices = indices
    }

    var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

    /// Sets `count` pixels from `x` on in row `y`; what lies outside is left out.
    mutating func fill(_ index: UInt8, x: Int, y: Int, count: Int) {
        guard (0..<height).contains(y), x < width, count > 0 else { return }
        let start = max(0, x)
        let end = count > width - x ? width : x + count
        guard end > start else { return }
        let row = y * width
        for position in row + start..<row + end { indices[position] = index }
    }

    /// Sets all pixels.
    mutating func fill(_ index: UInt8) {
        for position in indices.indices { indices[position] = index }
    }

    /// The part in `rectangle`; `nil` where that is empty.
    func cropped(to rectangle: PixelRectangle) -> IndexPlane? {
        let part = rectangle.intersection(bounds)
        guard !part.isEmpty else { return nil }
        guard part != bounds else { return self }
        var kept: [UInt8] = []
        kept.reserveCapacity(part.width * part.height)
        for row in part.y..<part.y + part.height {
            let start = row * width + part.x
            kept += indices[start..<start + part.width]
        }
        return IndexPlane(width: part.width, height: part.height, indices: kept)
    }

    /// Draws `plane` with its top left corner at `x`, `y`; what lies outside is left out.
    mutating func draw(_ plane: IndexPlane, x: Int, y: Int) {
        let target = PixelRectangle(x: x, y: y, width: plane.width, height: plane.height)
            .intersection(bounds)
        guard !target.isEmpty else { return }
        for row in target.y..<target.y + target.height {
            let source = (row - y) * plane.width + (target.x - x)
            let place = row * width + target.x
            indices.replaceSubrange(
                place..<place + target.width, with: plane.indices[source..<source + target.width])
        }
    }

    /// Draws `plane` as ``draw(_:x:y:)`` does, but leaves what its pixels of `hole` would cover.
    mutating func draw(_ plane: IndexPlane, x: Int, y: Int, except hole: UInt8) {
        let target = PixelRectangle(x: x, y: y, width: plane.width, height: plane.height)
            .intersection(bounds)
        guard !target.isEmpty else { return }
        for row in target.y..<target.y + target.height {
            let source = (row - y) * plane.width - x
            for column in target.x..<target.x + target.width
            where plane.indices[source + column] != hole {
                indices[row * width + column] = plane.indices[source + column]
            }
        }
    }

    /// The smallest rectangle with all pixels whose index is visible: a table of 256 entries.
    ///
    /// `nil` where none is.
    func visibleBounds(_ isVisible: [Bool]) -> PixelRectangle? {
        guard isVisible.count == 256 else { return bounds }
        func shows(_ row: Int) -> Bool {
            indices[row * width..<(row + 1) * width].contains { isVisible[Int($0)] }
        }
        guard let top = (0..<height).first(where: shows),
            let bottom = (top..<height).last(where: shows)
        else { return nil }
        var left = width
        var right = 0
        for row in top...bottom {
            let line = indices[row * width..<(row + 1) * width]
            if let first = line.prefix(left).firstIndex(where: { isVisible[Int($0)] }) {
                left = first - line.startIndex
            }
            if let last = line.dropFirst(right).lastIndex(where: { isVisible[Int($0)] }) {
                right = last - line.startIndex + 1
            }
        }
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top + 1)
    }
}
