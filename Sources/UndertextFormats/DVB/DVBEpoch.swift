/// A region as it was drawn so far.
struct DVBRegion {
    var composition: DVBRegionComposition
    var segment: [UInt8]
    var plane: IndexPlane

    /// `true` if its pixels have the size and the depth of `new`.
    func holds(_ new: DVBRegionComposition) -> Bool {
        plane.width == new.width && plane.height == new.height
            && composition.depth == new.depth
    }

    /// `true` if `new` says nothing new: what was drawn stays.
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

/// A color table, and the segment that said it last.
struct DVBKeptCLUT {
    var table = DVBCLUT()
    var segment: [UInt8]
}

/// An object that regions may show again, and the segment that sent it.
struct DVBKeptObject {
    var data: DVBObjectData
    var segment: [UInt8]
    /// Later regions are drawn over earlier ones (section 8).
    var arrival: Int
    /// The pixels of a compressed object for regions of one depth, once they were needed, or why
    /// there are none.
    var pixels: (depth: DVBPixelDepth, plane: Result<IndexPlane, DVBProgressiveBlock.Failure>)?

    /// The number of its pixels.
    var keptPixels: Int {
        guard case .success(let plane)? = pixels?.plane else { return 0 }
        return plane.indices.count
    }
}
