extension String {
    /// Whether its first letter with a direction is one of Hebrew, Arabic and their kin.
    ///
    /// Unicode Standard Annex 9, rules P2 and P3, by blocks.
    package var beginsRightToLeft: Bool {
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x1_0800...0x1_0FFF,
                0x1_E800...0x1_EFFF, 0x200F:
                if scalar.properties.isAlphabetic || scalar.value == 0x200F { return true }
            case 0x200E: return false
            default: if scalar.properties.isAlphabetic { return false }
            }
        }
        return false
    }
}
