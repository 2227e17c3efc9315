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

    /// `true` if `new` changes nothing, so that drawn pixels stay.
    ///
    /// An unchanged version number indicates this, but only if no fill and no object contradicts it, because
    /// some senders never increment it.
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

/// A color table, and the last segment that defined it.
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
