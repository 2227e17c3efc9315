internal import UndertextCore

extension CueLayout {
    /// Puts a cue where its region is, for formats that have no such regions.
    mutating func place(in region: Region) {
        guard line == nil else { return }
        line = region.viewportAnchor.y
        snapToLines = false
        lineAlignment =
            region.regionAnchor.y > 66 ? .end : region.regionAnchor.y < 34 ? .start : .center
        let left = region.viewportAnchor.x - region.regionAnchor.x * region.width / 100
        let usual: Double =
            switch textAlignment {
            case .start, .left: 0
            case .center: 50
            case .end, .right: 100
            }
        let inner = position ?? usual
        position = min(max(left + inner * region.width / 100, 0), 100)
    }
}
