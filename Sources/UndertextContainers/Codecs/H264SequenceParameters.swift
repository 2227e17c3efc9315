internal import UndertextCore

/// A sequence parameter set of H.264 (ITU-T H.264, section 7.3.2.1.1).
struct H264SequenceParameters: Hashable, Sendable {
    /// seq_parameter_set_id.
    let id: Int
    /// Bits of `frame_num`.
    let frameNumberBits: Int
    /// Bits of `pic_order_cnt_lsb`; 0 for streams that are shown in the order of decoding.
    private(set) var orderBits = 0
    /// `true` if pictures are never single fields.
    let isFrameOnly: Bool
    private(set) var hasSeparatePlanes = false
    /// The size of the cropped picture, or `nil` if the rest of the set is damaged.
    private(set) var size: PixelSize?
    /// The frames that may precede a frame in decoding order and follow it in output order, or `nil` if not stated.
    private(set) var reorderedFrames: Int?

    private static let profilesWithChroma: Set<UInt32> = [
        44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
    ]
    /// The largest width and height in macroblocks that are taken.
    private static let largestSide = 1024

    /// Reads a set without the NAL unit header; `nil` if it is damaged.
    init?(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(withoutEmulationPrevention(unit)[...])
        guard let profile = bits.next(8), bits.next(16) != nil, let id = bits.exponential(),
            id < 32
        else { return nil }
        self.id = id
        var chroma = 1
        if Self.profilesWithChroma.contains(profile) {
            guard let format = bits.exponential() else { return nil }
            chroma = format
            if chroma == 3 { hasSeparatePlanes = bits.flag() ?? false }
            guard bits.exponential() != nil, bits.exponential() != nil, bits.next(1) != nil,
                let hasMatrix = bits.flag()
            else { return nil }
            if hasMatrix {
                for list in 0..<(chroma == 3 ? 12 : 8) where bits.flag() == true {
                    Self.skipScalingList(&bits, count: list < 6 ? 16 : 64)
                }
            }
        }
        guard let frameBits = bits.exponential(), frameBits <= 12, let type = bits.exponential()
        else { return nil }
        frameNumberBits = frameBits + 4
        if type == 0 {
            guard let low = bits.exponential(), low <= 12 else { return nil }
            orderBits = low + 4
        } else if type == 1 {
            _ = (bits.next(1), bits.signedExponential(), bits.signedExponential())
            for _ in 0..<min(255, bits.exponential() ?? 0) { _ = bits.signedExponential() }
        }
        guard bits.exponential() != nil, bits.next(1) != nil, let columns = bits.exponential(),
            let rows = bits.exponential(), let isFrameOnly = bits.flag()
        else { return nil }
        self.isFrameOnly = isFrameOnly
        if !isFrameOnly { _ = bits.next(1) }
        readRest(&bits, columns: columns, rows: rows, chroma: hasSeparatePlanes ? 0 : chroma)
    }

    /// Reads the cropping and the video usability information (section E.1.1).
    private mutating func readRest(_ bits: inout BitCursor, columns: Int, rows: Int, chroma: Int) {
        guard columns < Self.largestSide, rows < Self.largestSide, chroma <= 3,
            bits.next(1) != nil, let isCropped = bits.flag()
        else { return }
        var (width, height) = ((columns + 1) * 16, (rows + 1) * 16 * (isFrameOnly ? 1 : 2))
        if isCropped {
            guard let left = bits.exponential(), let right = bits.exponential(),
                let top = bits.exponential(), let bottom = bits.exponential()
            else { return }
            let unit = (
                x: chroma == 1 || chroma == 2 ? 2 : 1,
                y: (chroma == 1 ? 2 : 1) * (isFrameOnly ? 1 : 2)
            )
            width -= (left + right) * unit.x
            height -= (top + bottom) * unit.y
        }
        guard width > 0, height > 0, let hasUsability = bits.flag() else { return }
        if hasUsability {
            guard let frames = Self.reorderedFrames(&bits) else { return }
            reorderedFrames = frames.isStated ? frames.count : nil
        }
        size = PixelSize(width: width, height: height)
    }

    /// Reads the video usability information; `nil` if it is damaged.
    private static func reorderedFrames(
        _ bits: inout BitCursor
    ) -> (isStated: Bool, count: Int)? {
        if bits.flag() == true, bits.next(8) == 255 { _ = bits.next(32) }
        if bits.flag() == true { _ = bits.next(1) }
        if bits.flag() == true {
            _ = bits.next(4)
            if bits.flag() == true { _ = bits.next(24) }
        }
        if bits.flag() == true { _ = (bits.exponential(), bits.exponential()) }
        if bits.flag() == true { _ = bits.next(65) }
        let hasUnitBuffer = bits.flag() ?? false
        if hasUnitBuffer { skipBuffer(&bits) }
        let hasSliceBuffer = bits.flag() ?? false
        if hasSliceBuffer { skipBuffer(&bits) }
        if hasUnitBuffer || hasSliceBuffer { _ = bits.next(1) }
        guard bits.next(1) != nil, let isRestricted = bits.flag() else { return nil }
        guard isRestricted else { return (false, 0) }
        guard bits.next(1) != nil, bits.exponential() != nil, bits.exponential() != nil,
            bits.exponential() != nil, bits.exponential() != nil,
            let reordered = bits.exponential(), let buffered = bits.exponential(),
            reordered <= min(16, buffered)
        else { return nil }
        return (true, reordered)
    }

    /// Skips the parameters of a hypothetical reference decoder (section E.1.2).
    private static func skipBuffer(_ bits: inout BitCursor) {
        guard let count = bits.exponential(), count < 32 else { return }
        _ = bits.next(8)
        for _ in 0...count { _ = (bits.exponential(), bits.exponential(), bits.next(1)) }
        _ = bits.next(20)
    }

    private static func skipScalingList(_ bits: inout BitCursor, count: Int) {
        var (last, next) = (8, 8)
        for _ in 0..<count {
            if next != 0 {
                guard let delta = bits.signedExponential() else { return }
                next = (last + delta & 0xFF) & 0xFF
            }
            if next != 0 { last = next }
        }
    }
}
