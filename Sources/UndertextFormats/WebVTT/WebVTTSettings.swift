package import UndertextCore

/// The settings of a WebVTT cue: what follows the times on the timing line.
///
/// W3C WebVTT, section 6.3, "parse the WebVTT cue settings".
package enum WebVTTSettings {
    /// The layout that `bytes` describe; what is not understood is ignored.
    ///
    /// A region counts only if it is among `regions`; pass `nil` to keep any.
    package static func layout(_ bytes: ArraySlice<UInt8>, regions: [Region]? = nil) -> CueLayout {
        var ignored: ArraySlice<UInt8>?
        return layout(
            bytes, regions: regions.map { Set($0.map(\.id)) }, ignored: &ignored)
    }

    /// The same; `ignored` becomes the first setting that has no effect for what it says.
    static func layout(
        _ bytes: ArraySlice<UInt8>, regions: Set<String>?, ignored: inout ArraySlice<UInt8>?
    ) -> CueLayout {
        var layout = CueLayout()
        for token in bytes.split(whereSeparator: \.isSpace) {
            if !apply(token, regions: regions, to: &layout), ignored == nil { ignored = token }
        }
        // A region has its own idea of all three.
        if layout.line != nil || layout.size != 100 || layout.vertical != .horizontal {
            layout.region = nil
        }
        return layout
    }

    /// `true` if a setting is understood.
    private static func apply(
        _ token: ArraySlice<UInt8>, regions: Set<String>?, to layout: inout CueLayout
    ) -> Bool {
        guard let colon = token.firstIndex(of: 0x3A), colon > token.startIndex,
            colon < token.endIndex - 1
        else { return false }
        let value = token[(colon + 1)...]
        switch token[..<colon].text {
        case "region":
            let id = value.text
            let isKnown = regions?.contains(id) != false
            layout.region = isKnown ? id : nil
            return isKnown
        case "vertical":
            guard let vertical = CueLayout.Vertical(rawValue: value.text), vertical != .horizontal
            else { return false }
            layout.vertical = vertical
        case "line": return setLine(value, of: &layout)
        case "position": return setPosition(value, of: &layout)
        case "size":
            guard let size = WebVTTNumber.percentage(value) else { return false }
            layout.size = size
        case "align":
            guard let alignment = CueLayout.TextAlignment(rawValue: value.text) else {
                return false
            }
            layout.textAlignment = alignment
        default: return false
        }
        return true
    }

    private static func setLine(_ value: ArraySlice<UInt8>, of layout: inout CueLayout) -> Bool {
        let (number, alignment) = halves(value)
        var lineAlignment: CueLayout.LineAlignment?
        if let alignment {
            lineAlignment = CueLayout.LineAlignment(rawValue: alignment)
            guard lineAlignment != nil else { return false }
        }
        if number.last == 0x25 {
            guard let percentage = WebVTTNumber.percentage(number) else { return false }
            layout.line = percentage
            layout.snapToLines = false
        } else {
            guard let line = WebVTTNumber.line(number) else { return false }
            layout.line = line
            layout.snapToLines = true
        }
        layout.lineAlignment = lineAlignment ?? layout.lineAlignment
        return true
    }

    private static func setPosition(
        _ value: ArraySlice<UInt8>, of layout: inout CueLayout
    ) -> Bool {
        let (number, alignment) = halves(value)
        var positionAlignment: CueLayout.PositionAlignment?
        if let alignment {
            positionAlignment = CueLayout.PositionAlignment(rawValue: alignment)
            guard let positionAlignment, positionAlignment != .auto else { return false }
        }
        guard let percentage = WebVTTNumber.percentage(number) else { return false }
        layout.position = percentage
        layout.positionAlignment = positionAlignment ?? layout.positionAlignment
        return true
    }

    /// The parts before and after the first comma.
    private static func halves(_ value: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, String?) {
        guard let comma = value.firstIndex(of: 0x2C) else { return (value, nil) }
        return (value[..<comma], value[(comma + 1)...].text)
    }
}
