internal import UndertextCore

/// A length with its unit: TTML2, section 10.3.17 (`<length>`).
struct TTMLLength: Hashable {
    enum Unit: Hashable {
        case pixels
        case em
        case cells
        case percent
        /// Percent of the root's height.
        case rootHeight
        /// Percent of the root's width.
        case rootWidth
    }

    var value: Double
    var unit: Unit

    /// Reads `12px`, `-1.5em`, `50%`, …; `nil` if malformed.
    init?(_ text: ArraySlice<UInt8>) {
        var end = text.startIndex
        if end < text.endIndex, text[end] == 0x2B || text[end] == 0x2D { end += 1 }
        while end < text.endIndex, text[end].isDigit || text[end] == 0x2E { end += 1 }
        guard end - text.startIndex <= 40, let number = text[..<end].leadingNumber,
            number.magnitude < 1e9
        else { return nil }
        value = number
        switch text[end...].text {
        case "px": unit = .pixels
        case "em": unit = .em
        case "c": unit = .cells
        case "%": unit = .percent
        case "rh": unit = .rootHeight
        case "rw": unit = .rootWidth
        default: return nil
        }
    }

    init(_ value: Double, _ unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// The lengths of a list separated by white space; `nil` where one of them is none.
    static func list(_ text: ArraySlice<UInt8>, atMost: Int) -> [TTMLLength]? {
        let parts = text.split(maxSplits: atMost, whereSeparator: \.isSpace)
        guard (1...atMost).contains(parts.count) else { return nil }
        var lengths: [TTMLLength] = []
        for part in parts {
            guard let length = TTMLLength(part) else { return nil }
            lengths.append(length)
        }
        return lengths
    }
}

/// The root container, which relative lengths refer to.
struct TTMLRoot: Hashable {
    /// `tts:extent` of the root in pixels; `nil` where it is not stated.
    var size: PixelSize?
    /// `ttp:cellResolution`.
    var columns = 32
    var rows = 15

    /// The size of the root container in pixels if its extent is not stated.
    static let assumedSize = PixelSize(width: 1920, height: 1080)

    private var pixels: PixelSize { size ?? Self.assumedSize }

    /// Percent of the root's width, where `percent` of it is meant by percentages.
    func horizontal(_ length: TTMLLength, percentOf whole: Double = 100) -> Double {
        let value: Double =
            switch length.unit {
            case .pixels: length.value * 100 / Double(max(pixels.width, 1))
            case .cells: length.value * 100 / Double(columns)
            case .percent: length.value * whole / 100
            case .rootWidth: length.value
            case .rootHeight: length.value * aspect
            case .em: length.value * 100 / Double(rows) * aspect
            }
        return Self.bounded(value)
    }

    /// Percent of the root's height, where `percent` of it is meant by percentages.
    func vertical(_ length: TTMLLength, percentOf whole: Double = 100) -> Double {
        let value: Double =
            switch length.unit {
            case .pixels: length.value * 100 / Double(max(pixels.height, 1))
            case .cells: length.value * 100 / Double(rows)
            case .percent: length.value * whole / 100
            case .rootWidth: length.value / aspect
            case .rootHeight: length.value
            case .em: length.value * 100 / Double(rows)
            }
        return Self.bounded(value)
    }

    /// Height over width.
    private var aspect: Double {
        Double(max(pixels.height, 1)) / Double(max(pixels.width, 1))
    }

    private static func bounded(_ value: Double) -> Double { min(max(value, -1e6), 1e6) }
}
