internal import UndertextCore

extension Region {
    /// The region that the lines of a REGION block describe; `nil` without an id.
    ///
    /// W3C WebVTT, section 6.2, "collect WebVTT region settings".
    init?(webVTTSettings bytes: ArraySlice<UInt8>) {
        self.init(id: "")
        for token in bytes.split(whereSeparator: \.isSpace) {
            guard let colon = token.firstIndex(of: 0x3A), colon > token.startIndex,
                colon < token.endIndex - 1
            else { continue }
            let value = token[(colon + 1)...]
            switch token[..<colon].text {
            case "id": id = value.text
            case "width": width = WebVTTNumber.percentage(value) ?? width
            case "lines": lines = WebVTTNumber.integer(value) ?? lines
            case "regionanchor": regionAnchor = Self.anchor(value) ?? regionAnchor
            case "viewportanchor": viewportAnchor = Self.anchor(value) ?? viewportAnchor
            case "scroll": if value.text == "up" { scrollsUp = true }
            default: break
            }
        }
        if id.isEmpty { return nil }
    }

    private static func anchor(_ value: ArraySlice<UInt8>) -> Anchor? {
        guard let comma = value.firstIndex(of: 0x2C),
            let x = WebVTTNumber.percentage(value[..<comma]),
            let y = WebVTTNumber.percentage(value[(comma + 1)...])
        else { return nil }
        return Anchor(x: x, y: y)
    }
}
