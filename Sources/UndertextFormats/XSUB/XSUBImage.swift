internal import UndertextCore

/// The content of an XSUB packet after its times: size, position, palette and two fields of runs.
struct XSUBImage: Hashable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// Four colors.
    var palette: [RGBA]
    /// The offset of the lower field from the start of ``runs``; often wrong.
    var secondField: Int
    /// Both fields, coded.
    var runs: ArraySlice<UInt8>

    /// Parses a packet; `nil` if it is too short.
    ///
    /// - Parameters:
    ///   - data: the packet.
    ///   - hasAlpha: `true` if opacities follow the palette, as in streams of type `DXSA`; otherwise the first
    ///     color is transparent.
    init?(_ data: [UInt8], hasAlpha: Bool) {
        var reader = ByteReader(data)
        guard reader.skip(XSUBTimes.size), let width = reader.uint16LittleEndian(),
            let height = reader.uint16LittleEndian(), let left = reader.uint16LittleEndian(),
            let top = reader.uint16LittleEndian(),
            // The right and the bottom edge are redundant.
            reader.skip(4), let second = reader.uint16LittleEndian()
        else { return nil }
        self.width = Int(width)
        self.height = Int(height)
        x = Int(left)
        y = Int(top)
        secondField = Int(second)
        palette = []
        for index in 0..<4 {
            guard let color = reader.uint24() else { return nil }
            palette.append(RGBA(rawValue: color << 8 | (index == 0 ? 0 : 0xFF)))
        }
        if hasAlpha {
            for index in 0..<4 {
                guard let alpha = reader.uint8() else { return nil }
                let color = palette[index]
                palette[index] = RGBA(
                    red: color.red, green: color.green, blue: color.blue, alpha: alpha)
            }
        }
        runs = reader.rest()
    }
}
