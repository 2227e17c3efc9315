internal import UndertextCore

/// A sequence parameter set of HEVC (ITU-T H.265, section 7.3.2.2.1), up to the order of pictures.
struct HEVCSequenceParameters: Hashable, Sendable {
    /// sps_seq_parameter_set_id.
    let id: Int
    /// Bits of `slice_pic_order_cnt_lsb`.
    let orderBits: Int
    let hasSeparatePlanes: Bool
    /// The size of the picture within the conformance window, or `nil` if there is none.
    let size: PixelSize?

    /// The largest width and height that are taken.
    private static let largestSide = 16_384

    /// Reads a set without the NAL unit header; `nil` if it is damaged.
    init?(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(withoutEmulationPrevention(unit)[...])
        guard bits.next(4) != nil, let layers = bits.next(3), bits.next(1) != nil,
            Self.skipProfile(&bits, layers: Int(layers)), let id = bits.exponential(), id < 16,
            let chroma = bits.exponential()
        else { return nil }
        hasSeparatePlanes = chroma == 3 ? bits.flag() ?? false : false
        guard let width = bits.exponential(), let height = bits.exponential(),
            let isCropped = bits.flag()
        else { return nil }
        var window = [0, 0, 0, 0]
        if isCropped { for side in 0..<4 { window[side] = bits.exponential() ?? 0 } }
        guard bits.exponential() != nil, bits.exponential() != nil,
            let orderBits = bits.exponential(), orderBits <= 12
        else { return nil }
        self.id = id
        self.orderBits = orderBits + 4
        let columns = width - (window[0] + window[1]) * (chroma == 1 || chroma == 2 ? 2 : 1)
        let rows = height - (window[2] + window[3]) * (chroma == 1 ? 2 : 1)
        let sides = 1...Self.largestSide
        size =
            chroma <= 3 && sides.contains(columns) && sides.contains(rows)
            ? PixelSize(width: columns, height: rows) : nil
    }

    /// Skips profile_tier_level; returns `false` if it does not end.
    private static func skipProfile(_ bits: inout BitCursor, layers: Int) -> Bool {
        guard bits.next(96) != nil else { return false }
        var length = 0
        for _ in 0..<layers {
            guard let hasProfile = bits.flag(), let hasLevel = bits.flag() else { return false }
            length += (hasProfile ? 88 : 0) + (hasLevel ? 8 : 0)
        }
        if layers > 0 { length += 2 * (8 - layers) }
        return bits.next(length) != nil
    }
}
