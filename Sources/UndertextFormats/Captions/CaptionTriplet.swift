/// One construct of `cc_data`: a pair of line 21 data, or two bytes of a DTVCC packet.
///
/// ANSI/SCTE 128, section 8.2; CTA-708-E, section 4.3.
struct CaptionTriplet: Hashable {
    /// `true` if the bytes mean something.
    var isValid: Bool
    /// 0 and 1: a pair of that field; 2: bytes that go on with a DTVCC packet; 3: the first bytes of one.
    var type: UInt8
    var first: UInt8
    var second: UInt8

    /// Marker bits and `cc_valid`.
    static let marker: UInt8 = 0xFC

    /// The triplets of a run of them; bytes after the last whole one are left out.
    static func all(in data: [UInt8]) -> some Sequence<CaptionTriplet> {
        stride(from: 0, to: data.count / 3 * 3, by: 3).lazy.map { index in
            CaptionTriplet(
                isValid: data[index] & 4 != 0, type: data[index] & 3, first: data[index + 1],
                second: data[index + 2])
        }
    }
}
