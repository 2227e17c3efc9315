internal import UndertextCore

/// The sixteen colors of a track, assigned as they occur.
///
/// Units are written before later colors are known, so each new color takes an entry if it differs enough from
/// all existing ones; the required difference grows as entries run out. After that the nearest entry is used.
struct VobSubPalette {
    private static let size = 16

    private(set) var colors: [RGBA] = []

    /// The index of the color nearest to `color`, whose alpha is ignored.
    mutating func slot(for color: RGBA) -> UInt8 {
        let opaque = RGBA(rawValue: color.rawValue | 0xFF)
        var nearest = (slot: 0, distance: Int.max)
        for (slot, known) in colors.enumerated() {
            let distance = Self.distance(known, opaque)
            if distance < nearest.distance { nearest = (slot, distance) }
        }
        let isNew = nearest.distance > tolerance && colors.count < Self.size
        guard colors.isEmpty || isNew else { return UInt8(truncatingIfNeeded: nearest.slot) }
        colors.append(opaque)
        return UInt8(truncatingIfNeeded: colors.count - 1)
    }

    /// The largest difference of a component at which colors are regarded as equal.
    private var tolerance: Int {
        switch colors.count {
        case ..<8: 0
        case ..<12: 12
        default: 32
        }
    }

    /// The line of an .idx file: sixteen colors, black where none was needed.
    var line: [UInt8] {
        Array("palette: \(SubPicturePalette(colors).indexText)\n".utf8)
    }

    private static func distance(_ one: RGBA, _ other: RGBA) -> Int {
        [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)]
            .map { abs(Int($0.0) - Int($0.1)) }.max() ?? 0
    }
}
