public import CueModel

/// The settings of a WebVTT cue: what follows the times on the timing line.
///
/// W3C WebVTT, section 6.3, "parse the WebVTT cue settings".
public enum WebVTTSettings {
    /// The layout that `bytes` describe; what is not understood is ignored.
    ///
    /// A region counts only if it is among `regions`; pass `nil` to keep any.
    public static func layout(_ bytes: ArraySlice<UInt8>, regions: [Region]? = nil) -> CueLayout {
        var layout = CueLayout()
        for token in bytes.split(whereSeparator: \.isSpace) {
            guard let colon = token.firstIndex(of: 0x3A), colon > token.startIndex,
                colon < token.endIndex - 1
            else { continue }
            let value = token[(colon + 1)...]
            switch token[..<colon].text {
            case "region":
                let id = value.text
                layout.region = regions?.contains { $0.id == id } == false ? nil : id
            case "vertical":
                if let vertical = CueLayout.Vertical(rawValue: value.text) {
                    layout.vertical = vertical
                }
            case "line": setLine(value, of: &layout)
            case "position": setPosition(value, of: &layout)
            case "size": layout.size = WebVTTNumber.percentage(value) ?? layout.size
            case "align":
                if let alignment = CueLayout.TextAlignment(rawValue: value.text) {
                    layout.textAlignment = alignment
                }
            default: break
            }
        }
        // A region has its own idea of all three.
        if layout.line != nil || layout.size != 100 || layout.vertical != .horizontal {
            layout.region = nil
        }
        return layout
    }

    private static func setLine(_ value: ArraySlice<UInt8>, of layout: inout CueLayout) {
        let (number, alignment) = halves(value)
        var lineAlignment: CueLayout.LineAlignment?
        if let alignment {
            lineAlignment = CueLayout.LineAlignment(rawValue: alignment)
            guard lineAlignment != nil else { return }
        }
        if number.last == 0x25 {
            guard let percentage = WebVTTNumber.percentage(number) else { return }
            layout.line = percentage
            layout.snapToLines = false
        } else {
            guard let line = WebVTTNumber.line(number) else { return }
            layout.line = line
            layout.snapToLines = true
        }
        layout.lineAlignment = lineAlignment ?? layout.lineAlignment
    }

    private static func setPosition(_ value: ArraySlice<UInt8>, of layout: inout CueLayout) {
        let (number, alignment) = halves(value)
        var positionAlignment: CueLayout.PositionAlignment?
        if let alignment {
            positionAlignment = CueLayout.PositionAlignment(rawValue: alignment)
            guard let positionAlignment, positionAlignment != .auto else { return }
        }
        guard let percentage = WebVTTNumber.percentage(number) else { return }
        layout.position = percentage
        layout.positionAlignment = positionAlignment ?? layout.positionAlignment
    }

    /// What stands before the first comma, and what stands after it.
    private static func halves(_ value: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, String?) {
        guard let comma = value.firstIndex(of: 0x2C) else { return (value, nil) }
        return (value[..<comma], value[(comma + 1)...].text)
    }
}
