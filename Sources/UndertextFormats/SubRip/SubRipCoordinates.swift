package import UndertextCore

/// The rectangle that a SubRip timing line may state: `X1:… X2:… Y1:… Y2:…`.
///
/// Pixels of a DVD frame of 720 × 480, as players read them.
package struct SubRipCoordinates: Hashable, Sendable {
    /// Left edge.
    package var x1: Int
    /// Top edge.
    package var y1: Int
    /// Right edge.
    package var x2: Int
    /// Bottom edge.
    package var y2: Int

    /// Creates coordinates.
    package init(x1: Int, y1: Int, x2: Int, y2: Int) {
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }

    /// The coordinates of side data, 4 × 32 bit little-endian x1 y1 x2 y2; `nil` if it is short.
    package init?(_ sideData: [UInt8]) {
        var reader = ByteReader(sideData)
        guard let x1 = reader.uint32LittleEndian(), let y1 = reader.uint32LittleEndian(),
            let x2 = reader.uint32LittleEndian(), let y2 = reader.uint32LittleEndian()
        else { return nil }
        func signed(_ value: UInt32) -> Int { Int(Int32(bitPattern: value)) }
        self.init(x1: signed(x1), y1: signed(y1), x2: signed(x2), y2: signed(y2))
    }

    /// The layout: centered in the rectangle, or from its top left corner if it is only a point.
    ///
    /// `nil` for negative coordinates, which mean "none".
    package var layout: CueLayout? {
        guard x1 >= 0, y1 >= 0 else { return nil }
        if x2 >= x1, y2 >= y1, x2 != x1 || y2 != y1 {
            return NumpadAlignment(numpad: 5)?.layout(
                x: Double(x1 + x2) / 2 / 7.2, y: Double(y1 + y2) / 2 / 4.8)
        }
        return NumpadAlignment(numpad: 7)?.layout(x: Double(x1) / 7.2, y: Double(y1) / 4.8)
    }
}
