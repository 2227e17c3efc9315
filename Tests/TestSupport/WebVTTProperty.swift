public import UndertextCore

/// A property of a cue by the name that the W3C's tests use, such as `line` or `region.lines`.
///
/// Returns `nil` for a property that a layout does not have.
public func webVTTProperty(
    _ name: String, of layout: CueLayout, regions: [Region]
) -> CorpusJSON? {
    switch name {
    case "line": return layout.line.map { .number($0) } ?? .string("auto")
    case "snapToLines": return .bool(layout.snapToLines)
    case "lineAlign": return .string(layout.lineAlignment.rawValue)
    case "position": return layout.position.map { .number($0) } ?? .string("auto")
    case "positionAlign": return .string(layout.positionAlignment.rawValue)
    case "size": return .number(layout.size)
    case "align": return .string(layout.textAlignment.rawValue)
    case "vertical": return .string(layout.vertical.rawValue)
    case "region": return layout.region.map { .string($0) } ?? .null
    default: break
    }
    guard let region = regions.first(where: { $0.id == layout.region }) else { return nil }
    switch name {
    case "region.id": return .string(region.id)
    case "region.width": return .number(region.width)
    // Numbers beyond Int saturate.
    case "region.lines": return .number(Double(region.lines))
    case "region.regionAnchorX": return .number(region.regionAnchor.x)
    case "region.regionAnchorY": return .number(region.regionAnchor.y)
    case "region.viewportAnchorX": return .number(region.viewportAnchor.x)
    case "region.viewportAnchorY": return .number(region.viewportAnchor.y)
    case "region.scroll": return .string(region.scrollsUp ? "up" : "")
    default: return nil
    }
}
