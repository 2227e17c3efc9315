/// Text made fit for XML and HTML, in elements and between double quotes.
///
/// The five characters with a meaning are escaped; what XML 1.0, section 2.2, forbids becomes U+FFFD.
func escapedForMarkup(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "'": result += "&#39;"
        case "\t", "\n", "\r": result += "&#\(scalar.value);"
        default:
            let isAllowed =
                scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                && scalar.value & 0xFFFE != 0xFFFE
            result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
        }
    }
    return result
}
