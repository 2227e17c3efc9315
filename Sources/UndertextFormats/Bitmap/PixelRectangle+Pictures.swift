public import UndertextCore

extension PixelRectangle {
    /// The place of a picture.
    package init(_ picture: PlacedBitmap) {
        self.init(
            x: picture.x, y: picture.y, width: picture.bitmap.width, height: picture.bitmap.height)
    }

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The smallest rectangle that holds all pictures; `nil` for none.
    package init?(around pictures: [PlacedBitmap]) {
        guard let first = pictures.first else { return nil }
        self = pictures.dropFirst().reduce(PixelRectangle(first)) {
            $0.union(PixelRectangle($1))
        }
    }
}

extension PlacedBitmap {
    /// The part that lies in `bounds`; `nil` if nothing does.
    public func cropped(to bounds: PixelRectangle) -> PlacedBitmap? {
        let place = PixelRectangle(self)
        let part = place.intersection(bounds)
        guard !part.isEmpty else { return nil }
        guard part != place else { return self }
        var kept: [UInt8] = []
        kept.reserveCapacity(part.width * part.height)
        for row in part.y..<part.y + part.height {
            let start = (row - y) * bitmap.width + (part.x - x)
            kept += bitmap.indices[start..<start + part.width]
        }
        return IndexedBitmap(
            width: part.width, height: part.height, indices: kept, palette: bitmap.palette
        ).map { PlacedBitmap(x: part.x, y: part.y, bitmap: $0) }
    }
}
