internal import UndertextCore

/// The colors of an epoch under one palette number, as defined so far.
///
/// US 2009/0185789, table 4. An entry that a later segment omits keeps its color; an undefined entry is
/// transparent.
struct PGSPalette {
    private struct Entry {
        var y: UInt8
        var cr: UInt8
        var cb: UInt8
        var alpha: UInt8
    }

    private var entries: [Entry?] = Array(repeating: nil, count: 256)
    /// The colors converted with the last requested matrix.
    private var converted: (matrix: ColorMatrix, colors: [RGBA])?

    /// Adds the entries of a segment: the data after its number and version.
    ///
    /// - Returns: `true` if all entries are complete.
    mutating func update(_ body: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(body)
        converted = nil
        while reader.remaining >= 5, let index = reader.uint8(), let y = reader.uint8(),
            let cr = reader.uint8(), let cb = reader.uint8(), let alpha = reader.uint8()
        {
            entries[Int(index)] = Entry(y: y, cr: cr, cb: cb, alpha: alpha)
        }
        return reader.isAtEnd
    }

    /// Returns `true` if a color is defined for an index; 0xFF is transparent by convention.
    func isDefined(_ index: Int) -> Bool { index == 0xFF || entries[index] != nil }

    /// The 256 colors.
    mutating func colors(_ matrix: ColorMatrix) -> [RGBA] {
        if let converted, converted.matrix == matrix { return converted.colors }
        let colors = entries.map { entry in
            entry.map { matrix.color(y: $0.y, cb: $0.cb, cr: $0.cr, alpha: $0.alpha) } ?? .clear
        }
        converted = (matrix, colors)
        return colors
    }
}
