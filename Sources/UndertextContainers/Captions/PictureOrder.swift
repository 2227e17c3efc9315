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
    private var sequences: [Int: H264SequenceParameters] = [:]
    private var sequenceOfPicture: [Int: Int] = [:]
    private var counter = OrderCounter()
    /// Twice the number of decoded frames since the sequence began.
    private var decoded = 0

    /// Adds a sequence parameter set, without the NAL unit header.
    mutating func addSequence(_ unit: ArraySlice<UInt8>) {
        guard let sequence = H264SequenceParameters(unit) else { return }
        sequences[sequence.id] = sequence
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
    private struct Picture {
        var sequence: Int
        var hasOutputFlag: Bool
        var extraBits: Int
    }

    private var sequences: [Int: HEVCSequenceParameters] = [:]
    private var pictures: [Int: Picture] = [:]
    private var counter = OrderCounter()

    /// Adds a sequence parameter set, without the NAL unit header.
    mutating func addSequence(_ unit: ArraySlice<UInt8>) {
        guard let sequence = HEVCSequenceParameters(unit) else { return }
        sequences[sequence.id] = sequence
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
