/// The position of a picture in presentation order.
struct PictureOrder: Hashable {
    /// The position among the pictures of its coded video sequence or group of pictures.
    var position: Int
    /// `true` if positions start again at this picture.
    var startsSequence = false
    /// `true` if it is one field of a frame.
    var isField = false
}

/// Derives the order of H.264 pictures from their slice headers (ITU-T H.264, sections 7.3 and 8.2.1).
struct H264PictureOrder {
    private struct Sequence {
        var frameNumberBits: Int
        /// Bits of `pic_order_cnt_lsb`; 0 for streams that are shown in the order of decoding.
        var orderBits = 0
        var isFrameOnly = true
        var hasSeparatePlanes = false
    }

    private var sequences: [Int: Sequence] = [:]
    private var sequenceOfPicture: [Int: Int] = [:]
    private var counter = OrderCounter()
    /// Twice the number of decoded frames since the sequence began.
    private var decoded = 0

    private static let profilesWithChroma: Set<UInt32> = [
        44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
    ]

    /// Adds a sequence parameter set, without the NAL unit header.
    mutating func addSequence(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(withoutEmulationPrevention(unit)[...])
        guard let profile = bits.next(8), bits.next(16) != nil, let id = bits.exponential(),
            id < 32,
            let sequence = Self.sequence(&bits, profile)
        else { return }
        sequences[id] = sequence
    }

    private static func sequence(_ bits: inout BitCursor, _ profile: UInt32) -> Sequence? {
        var hasSeparatePlanes = false
        if profilesWithChroma.contains(profile) {
            guard let chroma = bits.exponential() else { return nil }
            if chroma == 3 { hasSeparatePlanes = bits.flag() ?? false }
            guard bits.exponential() != nil, bits.exponential() != nil, bits.next(1) != nil,
                let hasMatrix = bits.flag()
            else { return nil }
            if hasMatrix {
                for list in 0..<(chroma == 3 ? 12 : 8) where bits.flag() == true {
                    skipScalingList(&bits, count: list < 6 ? 16 : 64)
                }
            }
        }
        guard let frameBits = bits.exponential(), frameBits <= 12, let type = bits.exponential()
        else { return nil }
        var sequence = Sequence(frameNumberBits: frameBits + 4)
        sequence.hasSeparatePlanes = hasSeparatePlanes
        if type == 0 {
            guard let orderBits = bits.exponential(), orderBits <= 12 else { return nil }
            sequence.orderBits = orderBits + 4
        } else if type == 1 {
            _ = (bits.next(1), bits.signedExponential(), bits.signedExponential())
            for _ in 0..<min(255, bits.exponential() ?? 0) { _ = bits.signedExponential() }
        }
        guard bits.exponential() != nil, bits.next(1) != nil, bits.exponential() != nil,
            bits.exponential() != nil, let isFrameOnly = bits.flag()
        else { return nil }
        sequence.isFrameOnly = isFrameOnly
        return sequence
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

    /// Adds a picture parameter set, without the NAL unit header.
    mutating func addPicture(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(withoutEmulationPrevention(unit.prefix(16))[...])
        guard let id = bits.exponential(), id < 256, let sequence = bits.exponential() else {
            return
        }
        sequenceOfPicture[id] = sequence
    }

    /// The order of the picture that begins with a slice, its NAL unit header included.
    mutating func order(ofSlice unit: ArraySlice<UInt8>) -> PictureOrder? {
        guard let header = unit.first else { return nil }
        var bits = BitCursor(withoutEmulationPrevention(unit.dropFirst().prefix(32))[...])
        guard bits.exponential() != nil, bits.exponential() != nil, let id = bits.exponential(),
            let sequence = sequenceOfPicture[id].flatMap({ sequences[$0] })
        else { return nil }
        if sequence.hasSeparatePlanes { _ = bits.next(2) }
        _ = bits.next(sequence.frameNumberBits)
        var isField = false
        if !sequence.isFrameOnly, bits.flag() == true {
            isField = true
            _ = bits.next(1)
        }
        let isReset = header & 0x1F == 5
        if isReset { _ = bits.exponential() }
        guard sequence.orderBits > 0 else {
            decoded = isReset ? 0 : decoded &+ (isField ? 1 : 2)
            return PictureOrder(position: decoded, startsSequence: isReset, isField: isField)
        }
        guard let low = bits.next(sequence.orderBits) else { return nil }
        let position = counter.position(
            low: Int(low), bits: sequence.orderBits, isReset: isReset,
            isReference: header & 0x60 != 0)
        return PictureOrder(position: position, startsSequence: isReset, isField: isField)
    }
}

/// Derives the order of HEVC pictures from their slice headers (ITU-T H.265, sections 7.3 and 8.3.1).
struct HEVCPictureOrder {
    private struct Sequence {
        var orderBits: Int
        var hasSeparatePlanes: Bool
    }

    private struct Picture {
        var sequence: Int
        var hasOutputFlag: Bool
        var extraBits: Int
    }

    private var sequences: [Int: Sequence] = [:]
    private var pictures: [Int: Picture] = [:]
    private var counter = OrderCounter()

    /// Adds a sequence parameter set, without the NAL unit header.
    mutating func addSequence(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(withoutEmulationPrevention(unit)[...])
        guard bits.next(4) != nil, let layers = bits.next(3), bits.next(1) != nil,
            Self.skipProfile(&bits, layers: Int(layers)), let id = bits.exponential(), id < 16,
            let chroma = bits.exponential()
        else { return }
        let hasSeparatePlanes = chroma == 3 ? bits.flag() ?? false : false
        guard bits.exponential() != nil, bits.exponential() != nil, let isCropped = bits.flag()
        else { return }
        if isCropped { for _ in 0..<4 { _ = bits.exponential() } }
        guard bits.exponential() != nil, bits.exponential() != nil,
            let orderBits = bits.exponential(), orderBits <= 12
        else { return }
        sequences[id] = Sequence(orderBits: orderBits + 4, hasSeparatePlanes: hasSeparatePlanes)
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

    /// Adds a picture parameter set, without the NAL unit header.
    mutating func addPicture(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(withoutEmulationPrevention(unit.prefix(16))[...])
        guard let id = bits.exponential(), id < 64, let sequence = bits.exponential(),
            bits.next(1) != nil, let hasOutputFlag = bits.flag(), let extraBits = bits.next(3)
        else { return }
        pictures[id] = Picture(
            sequence: sequence, hasOutputFlag: hasOutputFlag, extraBits: Int(extraBits))
    }

    /// The order of the picture that begins with a slice, its NAL unit header included.
    mutating func order(ofSlice unit: ArraySlice<UInt8>) -> PictureOrder? {
        var header = unit
        guard let first = header.popFirst(), let second = header.popFirst() else { return nil }
        let type = first >> 1 & 0x3F
        var bits = BitCursor(withoutEmulationPrevention(header.prefix(32))[...])
        _ = bits.next(1)
        if (16...23).contains(type) { _ = bits.next(1) }
        guard let picture = bits.exponential().flatMap({ pictures[$0] }),
            let sequence = sequences[picture.sequence]
        else { return nil }
        _ = (bits.next(picture.extraBits), bits.exponential())
        if picture.hasOutputFlag { _ = bits.next(1) }
        if sequence.hasSeparatePlanes { _ = bits.next(2) }
        let isIDR = type == 19 || type == 20
        guard let low = isIDR ? 0 : bits.next(sequence.orderBits) else { return nil }
        // Leading pictures and sub-layer non-reference pictures are not used.
        let isReference =
            second & 7 == 1 && !(6...9).contains(type) && (type >= 16 || type % 2 == 1)
        let startsSequence = isIDR || (16...18).contains(type)
        let position = counter.position(
            low: Int(low), bits: sequence.orderBits, isReset: startsSequence,
            isReference: isReference)
        return PictureOrder(position: position, startsSequence: startsSequence)
    }
}

/// Extends the low bits of picture order counts.
private struct OrderCounter {
    private var high = 0
    private var low = 0

    mutating func position(low: Int, bits: Int, isReset: Bool, isReference: Bool) -> Int {
        if isReset { (high, self.low) = (0, 0) }
        let half = 1 << (bits - 1)
        var high = high
        if low < self.low, self.low - low >= half {
            high &+= 2 * half
        } else if low > self.low, low - self.low > half {
            high &-= 2 * half
        }
        if isReference { (self.high, self.low) = (high, low) }
        return high &+ low
    }
}
