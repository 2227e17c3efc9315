internal import UndertextCore

/// The parameters of a document: TTML2, section 7.2; IMSC 1.1, section 6.
struct TTMLParameters {
    var clock = TTMLClock()
    var root = TTMLRoot()
    /// `true` if it claims conformance to a profile of IMSC, EBU-TT-D or SMPTE-TT.
    var hasProfile = false

    /// Reads an attribute; `false` where its value is not understood.
    mutating func read(_ name: Substring, _ value: String) -> Bool {
        let bytes = Array(value.utf8)
        let text = bytes[...].trimmed
        switch name {
        case "timeBase":
            clock.base = text.text == "smpte" ? .smpte : .media
            return ["media", "smpte", "clock"].contains(text.text)
        case "frameRate":
            guard let rate = Self.number(text, 1...100_000) else { return false }
            clock.frameRate = rate
            clock.statesFrameRate = true
        case "subFrameRate":
            guard let rate = Self.number(text, 1...100_000) else { return false }
            clock.subFrameRate = rate
        case "tickRate":
            // Zero is none: what follows from frames counts.
            guard let rate = Self.number(text, 1...1_000_000_000_000) else { return false }
            clock.tickRate = rate
        case "frameRateMultiplier":
            let parts = text.split(maxSplits: 2) { $0.isSpace || $0 == 0x3A }
            guard (1...2).contains(parts.count),
                let numerator = Self.number(parts[0], 1...1_000_000),
                let denominator = parts.count == 1 ? 1 : Self.number(parts[1], 1...1_000_000)
            else { return false }
            clock.multiplier = (numerator, denominator)
        case "dropMode":
            switch text.text {
            case "nonDrop": clock.drop = .none
            case "dropNTSC": clock.drop = .ntsc
            case "dropPAL": clock.drop = .pal
            default: return false
            }
        case "cellResolution":
            let parts = text.split(maxSplits: 2, whereSeparator: \.isSpace)
            guard parts.count == 2, let columns = Self.number(parts[0], 1...10_000),
                let rows = Self.number(parts[1], 1...10_000)
            else { return false }
            root.columns = Int(columns)
            root.rows = Int(rows)
        case "profile", "contentProfiles", "processorProfiles":
            let words = text.text
            hasProfile =
                hasProfile
                || ["/profile/imsc", "ebu:tt", "smpte-tt", "cff-tt"].contains {
                    words.contains($0)
                }
        default: break
        }
        return true
    }

    /// Reads `tts:extent` of the root, which states what pixels count.
    mutating func readExtent(_ text: ArraySlice<UInt8>) {
        guard let lengths = TTMLLength.list(text, atMost: 2), lengths.count == 2,
            lengths.allSatisfy({ $0.unit == .pixels && (1...65536).contains($0.value) })
        else { return }
        root.size = PixelSize(width: Int(lengths[0].value), height: Int(lengths[1].value))
    }

    /// Puts together what depends on several parameters.
    mutating func settle() {
        // Frames that are left out exist at 30 frames only.
        if clock.frameRate != 30 { clock.drop = .none }
    }

    private static func number(
        _ text: ArraySlice<UInt8>, _ range: ClosedRange<Int64>
    ) -> Int64? {
        guard !text.isEmpty, text.allSatisfy(\.isDigit), let value = text.leadingInteger,
            range.contains(Int64(value))
        else { return nil }
        return Int64(value)
    }
}
