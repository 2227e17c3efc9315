extension StreamDescription {
    /// The index with language, codec, service and flags, as messages name a subtitle track: `3 (en, subrip, forced)`.
    package var label: String {
        var parts = [language?.rawValue ?? "und", codec.rawValue]
        if let service { parts.append(service) }
        if isForced { parts.append("forced") }
        if isHearingImpaired { parts.append("SDH") }
        if disposition.contains(.comment) { parts.append("commentary") }
        return "\(index) (\(parts.joined(separator: ", ")))"
    }
}
