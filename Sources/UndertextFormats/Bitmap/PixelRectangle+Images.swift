package import UndertextCore

extension PixelRectangle {
    /// The rectangle of an image.
    package init(_ image: PlacedBitmap) {
        self.init(
            x: image.x, y: image.y, width: image.bitmap.width, height: image.bitmap.height)
    }

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The smallest rectangle that holds all images; `nil` for none.
    package init?(around images: [PlacedBitmap]) {
        guard let first = images.first else { return nil }
        self = images.dropFirst().reduce(PixelRectangle(first)) {
            $0.union(PixelRectangle($1))
        }
    }
}

extension PlacedBitmap {
    /// The part within `bounds`; `nil` if it is empty.
    package func cropped(to bounds: PixelRectangle) -> PlacedBitmap? {
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
