internal import UndertextCore

/// Cue settings and region definitions as text.
///
/// W3C WebVTT, sections 4.4 (cue settings list) and 4.3 (region settings list).
enum WebVTTSettingsText {
    /// Appends the settings that differ from the defaults, each after a space.
    ///
    /// - Returns: `true` if every value could be expressed; percentages are clamped to 0 to 100.
    static func append(_ layout: CueLayout, to output: inout [UInt8]) -> Bool {
        var isExact = true
        func percentage(_ value: Double) -> String {
            if !(0...100).contains(value) { isExact = false }
            return decimalText(min(100, max(0, value))) + "%"
        }
        if layout.vertical != .horizontal {
            output += " vertical:\(layout.vertical.rawValue)".utf8
        }
        if let line = layout.line, line.isFinite {
            output += " line:".utf8
            // Authors write whole lines; renderers round others like this.
            output +=
                (layout.snapToLines ? decimalText((line + 0.5).rounded(.down)) : percentage(line))
                .utf8
            if layout.lineAlignment != .start {
                output += ",\(layout.lineAlignment.rawValue)".utf8
            }
        }
        if let position = layout.position, position.isFinite {
            output += " position:\(percentage(position))".utf8
            if layout.positionAlignment != .auto {
                output += ",\(layout.positionAlignment.rawValue)".utf8
            }
        }
        if layout.size != 100, layout.size.isFinite {
            output += " size:\(percentage(layout.size))".utf8
        }
        if layout.textAlignment != .center {
            output += " align:\(layout.textAlignment.rawValue)".utf8
        }
        if let region = layout.region, let id = token(region) { output += " region:\(id)".utf8 }
        return isExact
    }

    /// Appends a REGION block without the empty line that precedes it.
    static func append(_ region: Region, to output: inout [UInt8]) {
        guard let id = token(region.id) else { return }
        let defaults = Region(id: region.id)
        func point(_ anchor: Region.Anchor) -> String {
            "\(percent(anchor.x)),\(percent(anchor.y))"
        }
        output += "\nREGION\nid:\(id)\n".utf8
        if region.width != defaults.width { output += "width:\(percent(region.width))\n".utf8 }
        if region.lines != defaults.lines { output += "lines:\(max(0, region.lines))\n".utf8 }
        if region.regionAnchor != defaults.regionAnchor {
            output += "regionanchor:\(point(region.regionAnchor))\n".utf8
        }
        if region.viewportAnchor != defaults.viewportAnchor {
            output += "viewportanchor:\(point(region.viewportAnchor))\n".utf8
        }
        if region.scrollsUp { output += "scroll:up\n".utf8 }
    }

    private static func percent(_ value: Double) -> String {
        decimalText(value.isFinite ? min(100, max(0, value)) : 0) + "%"
    }

    /// An identifier without white space and without an arrow; `nil` if nothing is left.
    private static func token(_ text: String) -> String? {
        let kept = text.utf8.filter { $0 > Byte.space && $0 != 0x7F }
        let bytes = replacing("-->", with: "->", in: kept)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
