internal import UndertextCore

/// A Text and Timing Information (TTI) block.
///
/// EBU Tech 3264-E, section 5.
struct EBUSTLBlock {
    /// The number of bytes of a block.
    static let size = 128
    /// The number of bytes of its text field.
    static let textSize = 112
    /// The extension block number of the last block of a subtitle.
    static let lastExtension: UInt8 = 0xFF
    /// The extension block number of user data.
    static let userData: UInt8 = 0xFE
    /// The byte of a text field that holds nothing.
    static let unusedSpace: UInt8 = 0x8F

    private let bytes: ArraySlice<UInt8>

    /// Reads a block; `nil` if there are not enough bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.size else { return nil }
        self.bytes = bytes.prefix(Self.size)
    }

    private func byte(_ offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }

    /// The subtitle group number.
    var group: UInt8 { byte(0) }
    /// The subtitle number.
    var number: UInt16 { UInt16(byte(1)) | UInt16(byte(2)) << 8 }
    /// The extension block number.
    var extensionNumber: UInt8 { byte(3) }
    /// The cumulative status: 0 = none, 1 to 3 = first, intermediate and last subtitle of a set.
    var cumulativeStatus: UInt8 { byte(4) }
    /// The row of the first line.
    var verticalPosition: UInt8 { byte(13) }
    /// The justification code: 0 = unchanged, 1 = left, 2 = centered, 3 = right.
    var justification: UInt8 { byte(14) }
    /// `true` if the text is a comment for translators.
    var isComment: Bool { byte(15) == 1 }
    /// The text field.
    var text: ArraySlice<UInt8> { bytes.dropFirst(Self.size - Self.textSize) }
    /// `true` if all bytes are equal, as in padding.
    var isPadding: Bool { bytes.allSatisfy { $0 == byte(0) } }

    /// The frame of the time code in.
    func start(rate: Int64) -> Int64? { frame(at: 5, rate) }
    /// The frame of the time code out.
    func end(rate: Int64) -> Int64? { frame(at: 9, rate) }

    private func frame(at offset: Int, _ rate: Int64) -> Int64? {
        EBUSTLTimecode((0..<4).map { Int64(byte(offset + $0)) }, rate: rate)?.frame
    }
}

/// A time of day in hours, minutes, seconds and frames.
struct EBUSTLTimecode: Hashable {
    /// Frames since midnight.
    let frame: Int64
    /// Hours, minutes, seconds and frames.
    let fields: [Int64]

    /// Checks hours, minutes, seconds and frames; `nil` if one is out of range.
    init?(_ fields: [Int64], rate: Int64) {
        guard fields.count == 4, fields[0] < 24, fields[1] < 60, fields[2] < 60, fields[3] < rate
        else { return nil }
        self.fields = fields
        frame = ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * rate + fields[3]
    }

    /// The time code of a frame; `nil` for frames before the first or after the last of a day.
    init?(frame: Int64, rate: Int64) {
        let seconds = frame / rate
        guard frame >= 0, seconds < 24 * 3600 else { return nil }
        self.frame = frame
        fields = [seconds / 3600, seconds / 60 % 60, seconds % 60, frame % rate]
    }

    /// Four bytes, as a TTI block has them.
    var bytes: [UInt8] { fields.map { UInt8(truncatingIfNeeded: $0) } }
    /// Eight digits, as the GSI block has them.
    var digits: String { fields.map { $0 < 10 ? "0\($0)" : String($0) }.joined() }
}

/// A color of teletext: one bit each for red, green and blue.
struct EBUSTLColor: Hashable {
    let rawValue: UInt8

    static let black = EBUSTLColor(rawValue: 0)
    static let white = EBUSTLColor(rawValue: 7)

    init(rawValue: UInt8) { self.rawValue = rawValue & 7 }

    /// The color nearest to `color`, whatever its opacity.
    init(nearest color: RGBA) {
        rawValue = (color.red >> 7) | (color.green >> 7) << 1 | (color.blue >> 7) << 2
    }

    /// The color.
    var value: RGBA {
        func level(_ bit: UInt8) -> UInt8 { rawValue & bit == 0 ? 0 : 255 }
        return RGBA(red: level(1), green: level(2), blue: level(4))
    }
}
