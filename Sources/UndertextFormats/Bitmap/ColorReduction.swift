package import UndertextCore

/// Reduces the colors of an image: exact ones if they are few enough, otherwise an optimized palette.
///
/// Median cut, then a few rounds of k-means, in premultiplied components, so that nearly invisible colors have
/// little weight. All fully transparent colors are one color, which is always kept. The result is
/// deterministic. Images with very many colors, which no palette could distinguish, are examined with fewer
/// bits, so that the time is bounded by the number of pixels.
package enum ColorReduction {
    /// An image of few colors.
    package struct Result: Hashable, Sendable {
        /// The image.
        package var image: PlacedBitmap
        /// `true` if every visible pixel has the color that it had.
        package var isExact: Bool
    }

    /// Reduces a raster to at most `limit` colors, 2 to 256 of them.
    package static func indexed(_ raster: Raster, limit: Int) -> Result? {
        let histogram = ColorHistogram(raster.pixels)
        let few = FewColors(histogram, limit: limit)
        return IndexedBitmap(
            width: raster.width, height: raster.height,
            indices: histogram.indices(of: raster.pixels, by: few.numbers), palette: few.palette
        ).map {
            Result(
                image: PlacedBitmap(x: raster.x, y: raster.y, bitmap: $0), isExact: few.isExact)
        }
    }

    /// The same for an image: its colors are counted by their indices, and no raster is made.
    package static func indexed(_ image: PlacedBitmap, limit: Int) -> Result? {
        let bitmap = image.bitmap
        let few = FewColors(ColorHistogram(bitmap), limit: limit)
        let table = bitmap.palette.map { few.numbers[$0.alpha == 0 ? .clear : $0] ?? 0 }
        return IndexedBitmap(
            width: bitmap.width, height: bitmap.height,
            indices: bitmap.indices.map { table[Int($0)] }, palette: few.palette
        ).map {
            Result(
                image: PlacedBitmap(x: image.x, y: image.y, bitmap: $0),
                isExact: few.isExact)
        }
    }
}

/// The reduced colors of an image.
private struct FewColors {
    private(set) var palette: [RGBA]
    /// The palette index of each counted color.
    private(set) var numbers: [RGBA: UInt8] = [:]
    let isExact: Bool

    init(_ histogram: ColorHistogram, limit: Int) {
        let limit = max(2, min(256, limit))
        let room = limit - (histogram.hasClear ? 1 : 0)
        let colors = histogram.colors
        palette = colors.map(\.color)
        isExact = histogram.isExact && colors.count <= room
        if colors.count <= room {
            for (index, color) in palette.enumerated() {
                numbers[color] = UInt8(truncatingIfNeeded: index)
            }
        } else {
            let points = colors.map { WeightedColor($0.color, count: $0.count) }
            let clusters = ColorClusters(points, limit: room)
            palette = clusters.colors
            for (color, cluster) in zip(colors, clusters.memberships) {
                numbers[color.color] = UInt8(truncatingIfNeeded: cluster)
            }
        }
        if histogram.hasClear {
            numbers[.clear] = UInt8(truncatingIfNeeded: palette.count)
            palette.append(.clear)
        }
    }
}
