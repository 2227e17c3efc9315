internal import UndertextCore

/// The content of `kind`: the role of a track (ISO/IEC 14496-12, section 8.10.4).
struct MP4Kind: Hashable {
    /// The flags by which libavformat reports the role.
    let disposition: Disposition

    private static let scheme = "urn:mpeg:dash:role:2011"
    private static let roles: [(name: String, flags: Disposition)] = [
        ("caption", [.hearingImpaired, .captions]), ("commentary", .comment),
        ("description", [.visualImpaired, .descriptions]), ("dub", .dub),
        ("forced-subtitle", .forced),
    ]

    /// Reads the content; `nil` if it is damaged.
    init?(_ content: [UInt8]) {
        var reader = ByteReader(content)
        guard reader.uint32() == 0 else { return nil }
        let texts = reader.rest().split(separator: 0, omittingEmptySubsequences: false)
        // Both end by a zero.
        guard texts.count == 3, texts[2].isEmpty else { return nil }
        let (scheme, value) = (MP4Tags.text(texts[0]), MP4Tags.text(texts[1]))
        var flags: Disposition = []
        for role in Self.roles where scheme.hasPrefix(Self.scheme) && value.hasPrefix(role.name) {
            flags.formUnion(role.flags)
        }
        disposition = flags
    }
}
