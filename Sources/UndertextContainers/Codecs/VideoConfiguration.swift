internal import UndertextCore

/// The header of H.264 as Matroska and MP4 store it (ISO/IEC 14496-15, section 5.3.3.1), with one sequence parameter set.
struct H264Configuration {
    private let lengthSize: Int
    private let unit: ArraySlice<UInt8>
    private let sequence: H264SequenceParameters

    /// Reads an AVCDecoderConfigurationRecord; `nil` if it is damaged or has another number of sequence parameter sets.
    init?(_ record: [UInt8]) {
        var reader = ByteReader(record)
        guard reader.uint8() == 1, reader.skip(3), let length = reader.uint8(),
            let count = reader.uint8(), count & 0x1F == 1, let size = reader.uint16(),
            let unit = reader.slice(Int(size)), unit.first.map({ $0 & 0x1F == 7 }) == true,
            let sequence = H264SequenceParameters(unit.dropFirst()),
            let pictures = reader.uint8(), pictures > 0
        else { return nil }
        for _ in 0..<pictures {
            guard let size = reader.uint16(), let picture = reader.slice(Int(size)),
                picture.first.map({ $0 & 0x1F == 8 }) == true
            else { return nil }
        }
        lengthSize = Int(length & 3) + 1
        self.unit = unit
        self.sequence = sequence
    }

    /// The size of a picture.
    var size: PixelSize? { sequence.size }
    /// The frames by which output is delayed, if stated.
    var reorderedFrames: Int? { sequence.reorderedFrames }

    /// `true` if the beginning of an access unit has no other sequence parameter set before its first slice.
    func agrees(withFirst unit: ArraySlice<UInt8>) -> Bool {
        for part in LengthUnits(Array(unit), lengthSize: lengthSize) {
            switch part.first.map({ $0 & 0x1F }) {
            case 7: guard part.elementsEqual(self.unit) else { return false }
            case 1, 2, 5: return true
            case nil, 0: return false
            default: break
            }
        }
        return false
    }
}

/// The header of HEVC as Matroska and MP4 store it (ISO/IEC 14496-15, section 8.3.3.1), with one sequence parameter set.
struct HEVCConfiguration {
    private let sequence: HEVCSequenceParameters

    /// Reads an HEVCDecoderConfigurationRecord; `nil` if it is damaged or has another number of sequence parameter sets.
    init?(_ record: [UInt8]) {
        var reader = ByteReader(record)
        guard reader.uint8() == 1, reader.skip(21), let arrays = reader.uint8() else { return nil }
        var found: HEVCSequenceParameters?
        for _ in 0..<arrays {
            guard let type = reader.uint8(), let count = reader.uint16() else { return nil }
            for _ in 0..<count {
                guard let size = reader.uint16(), let unit = reader.slice(Int(size)) else {
                    return nil
                }
                guard type & 0x3F == 33 else { continue }
                guard found == nil, let sequence = HEVCSequenceParameters(unit.dropFirst(2)) else {
                    return nil
                }
                found = sequence
            }
        }
        guard let found else { return nil }
        sequence = found
    }

    /// The size of a picture.
    var size: PixelSize? { sequence.size }
}
