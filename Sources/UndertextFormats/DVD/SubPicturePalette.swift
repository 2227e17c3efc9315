package import UndertextCore

/// The sixteen colors of which a DVD's sub-pictures use four.
package struct SubPicturePalette: Hashable, Sendable {
    /// The colors, sixteen of them, opaque.
    package let colors: [RGBA]

    /// A palette of the first sixteen of `colors`; black where there are fewer.
    package init(_ colors: [RGBA]) {
        self.colors = Array(
            (colors.prefix(16) + repeatElement(.black, count: 16)).prefix(16))
    }

    /// The palette of an MP4's sample description or of a DVD's program chain: sixteen times 0, Y, Cr, Cb.
    ///
    /// Returns `nil` if malformed or all zeros, which has no meaning.
    package init?(yCrCb bytes: some Collection<UInt8>, matrix: ColorMatrix = .bt601) {
        let bytes = Array(bytes)
        guard bytes.count == 64, bytes.contains(where: { $0 != 0 }),
            stride(from: 0, to: 64, by: 4).allSatisfy({ bytes[$0] == 0 })
        else { return nil }
        colors = stride(from: 0, to: 64, by: 4).map { start in
            matrix.color(
                y: bytes[start + 1], cb: bytes[start + 3], cr: bytes[start + 2], alpha: 255)
        }
    }

    /// Black, near-white and two grays, four times over, for files that need some palette.
    package static let grays: SubPicturePalette = {
        let four: [UInt32] = [0x0000_00FF, 0xF0F0_F0FF, 0xCCCC_CCFF, 0x9999_99FF]
        return SubPicturePalette((four + four + four + four).map { RGBA(rawValue: $0) })
    }()

    /// The value of a line `palette:` of an .idx file.
    package var indexText: String {
        colors.map { zeroPadded($0.rawValue >> 8, to: 6, radix: 16) }.joined(separator: ", ")
    }
}
