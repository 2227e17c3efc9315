/// The likelihood that a text was decoded with the right charset.
struct CharsetConfidence {
    /// 0 to 1.
    let value: Double

    /// Looks at the characters of `text`, UTF-8, that are not ASCII.
    ///
    /// In the wrong charset, letters become signs, fractions and control characters.
    init(_ text: [UInt8]) {
        var (good, all) = (0, 0)
        for scalar in String(decoding: text.prefix(1 << 20), as: UTF8.self).unicodeScalars
        where scalar.value >= 0x80 {
            all += 1
            if Self.isOrdinary(scalar) { good += 1 }
        }
        // One such character proves little.
        value = all == 0 ? 1 : Double(good) / Double(all + 1)
    }

    private static func isOrdinary(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isAlphabetic { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .initialPunctuation, .finalPunctuation,
            .openPunctuation, .closePunctuation, .dashPunctuation, .otherPunctuation:
            return true
        default:
            // No-break space, degree sign, musical notes.
            return [0xA0, 0xB0, 0x2669, 0x266A, 0x266B].contains(scalar.value)
        }
    }
}
