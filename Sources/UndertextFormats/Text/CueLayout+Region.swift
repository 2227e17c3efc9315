internal import UndertextCore

extension CueLayout {
    /// Puts a cue where its region is, for formats that have no such regions.
    mutating func place(in region: Region) {
        guard line == nil else { return }
        line = region.viewportAnchor.y
        snapToLines = false
        lineAlignment =
            region.regionAnchor.y > 66 ? .end : region.regionAnchor.y < 34 ? .start : .center
        let inner = position ?? [0, 50, 100][CueBox(self).side.rawValue]
        position = min(max(region.left + inner * region.width / 100, 0), 100)
    }
}
