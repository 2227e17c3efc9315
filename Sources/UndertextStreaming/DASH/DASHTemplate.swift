/// Addresses by a template (ISO/IEC 23009-1, section 5.3.9.4.4).
enum DASHTemplate {
    /// The address for a segment.
    ///
    /// `$Number$` and `$Time$` that nothing is given for, identifiers that are not known, and a
    /// single `$` stay as they are.
    static func address(
        _ template: String, id: String, bandwidth: Int64?, number: Int64? = nil, time: Int64? = nil
    ) -> String {
        let parts = template.split(separator: "$", omittingEmptySubsequences: false)
        var result = String(parts[0])
        var index = 1
        while index < parts.count {
            // The text between two `$` signs, or after an unpaired one.
            guard index + 1 < parts.count else {
                result += "$" + parts[index]
                break
            }
            let value: String? =
                parts[index].isEmpty
                ? "$" : replacement(parts[index], id, bandwidth, number, time)
            if let value {
                result += value + parts[index + 1]
                index += 2
            } else {
                result += "$" + parts[index]
                index += 1
            }
        }
        return result
    }

    private static func replacement(
        _ name: Substring, _ id: String, _ bandwidth: Int64?, _ number: Int64?, _ time: Int64?
    ) -> String? {
        if name == "RepresentationID" { return id }
        let halves = name.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let value: Int64?
        switch halves[0] {
        case "Number": value = number
        case "Time": value = time
        case "Bandwidth": value = bandwidth
        default: return nil
        }
        guard let value else { return nil }
        let digits = String(value)
        guard halves.count == 2 else { return digits }
        // `%0[width]d`.
        guard halves[1].hasPrefix("0"), halves[1].hasSuffix("d"),
            let width = Int(halves[1].dropFirst().dropLast()), (0...64).contains(width)
        else { return nil }
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
