public import UndertextCore

/// A master playlist: which variants and renditions a presentation has (RFC 8216, section 4.3.4).
public struct MasterPlaylist: Hashable, Sendable {
    /// The playlist as it is stored.
    public let text: PlaylistText
    /// Its address, of the last redirect.
    public let url: String
    /// The version of the protocol; 1 unless the playlist says otherwise.
    public private(set) var version = 1
    /// `true` if every segment of the presentation can be decoded by itself.
    public private(set) var hasIndependentSegments = false
    /// The variants in order, those for trick play included.
    public private(set) var variants: [HLSVariant] = []
    /// The renditions in order.
    public private(set) var renditions: [HLSRendition] = []
    /// The keys of the segments that the master playlist declares.
    public private(set) var sessionKeys: [HLSKey] = []
    /// Data of the session with their values: `EXT-X-SESSION-DATA`.
    public private(set) var sessionData: [MetadataTag] = []
    /// The variables that media playlists may import.
    public private(set) var variables: [String: String] = [:]
    /// The diagnostics of parsing.
    public private(set) var diagnostics: [Diagnostic] = []

    /// Reads a master playlist.
    ///
    /// - Throws: `UndertextError`: `notMedia` where it is a media playlist, `malformed` where it is
    ///   both or a variable is wrong, `limit` where it has more than allowed.
    public init(
        _ text: PlaylistText, url: String = "", limits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        self.text = text
        self.url = url
        var notes = StreamingNotes(limits)
        var defined = PlaylistVariables(url: url, imports: nil, limits: limits)
        var pending: (attributes: PlaylistAttributes, line: Int)?
        for (index, line) in text.lines.enumerated() {
            switch line.kind {
            case .blank, .comment: continue
            case .uri(let uri):
                guard let variant = pending else {
                    notes.add(
                        .warning, "stray-uri", line: index + 1,
                        "a URI without EXT-X-STREAM-INF is ignored")
                    continue
                }
                pending = nil
                try check(variants.count, "variants", limits)
                variants.append(
                    HLSVariant(
                        uri: try Self.located(index) { () throws(PlaylistVariables.Failure) in
                            try defined.replaced(uri)
                        }, attributes: variant.attributes, isIFrameOnly: false, line: variant.line))
            case .tag(let name, let value):
                guard !MediaPlaylist.ownTags.contains(name) else {
                    throw UndertextError(
                        .malformed, "line \(index + 1): a master playlist has no \(name)")
                }
                guard Self.tagsWithAttributes.contains(name) else {
                    readPlain(name, value, index, &notes)
                    continue
                }
                var attributes = PlaylistAttributes(value, limits: limits)
                if attributes.isDamaged {
                    notes.add(
                        .warning, "bad-attributes", line: index + 1,
                        "the attributes of \(name) are damaged; the readable ones are used")
                }
                if name == "EXT-X-DEFINE" {
                    try Self.located(index) { () throws(PlaylistVariables.Failure) in
                        try defined.define(attributes)
                    }
                    continue
                }
                try Self.located(index) { () throws(PlaylistVariables.Failure) in
                    try defined.replace(in: &attributes)
                }
                if name == "EXT-X-STREAM-INF" {
                    if let lost = pending { Self.noteLost(lost.line, &notes) }
                    pending = (attributes, index)
                } else {
                    try take(name, attributes, index, limits, &notes)
                }
            }
        }
        if let lost = pending { Self.noteLost(lost.line, &notes) }
        variables = defined.values
        guard !variants.isEmpty || !renditions.isEmpty else {
            throw UndertextError(.notMedia, "the playlist has no variants")
        }
        diagnostics = notes.all
    }

    /// Tags that only a master playlist has.
    static let ownTags: Set<String> = [
        "EXT-X-STREAM-INF", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-MEDIA", "EXT-X-SESSION-DATA",
        "EXT-X-SESSION-KEY", "EXT-X-CONTENT-STEERING",
    ]

    private static let tagsWithAttributes = ownTags.union(["EXT-X-DEFINE"])

    static func located<Result>(
        _ line: Int, _ body: () throws(PlaylistVariables.Failure) -> Result
    ) throws(UndertextError) -> Result {
        do throws(PlaylistVariables.Failure) {
            return try body()
        } catch {
            throw error.error(line: line + 1)
        }
    }

    private static func noteLost(_ line: Int, _ notes: inout StreamingNotes) {
        notes.add(
            .error, "variant-without-uri", line: line + 1,
            "a variant without a URI is ignored")
    }

    private func check(
        _ count: Int, _ what: String, _ limits: StreamingLimits
    ) throws(UndertextError) {
        guard count < limits.entries else {
            throw UndertextError(.limit, "the playlist has more than \(limits.entries) \(what)")
        }
    }

    private mutating func readPlain(
        _ name: String, _ value: [UInt8], _ line: Int, _ notes: inout StreamingNotes
    ) {
        switch name {
        case "EXT-X-VERSION":
            guard let number = Int(String(decoding: value, as: UTF8.self)), number > 0 else {
                notes.add(.warning, "bad-version", line: line + 1, "the version is not a number")
                return
            }
            version = number
        case "EXT-X-INDEPENDENT-SEGMENTS": hasIndependentSegments = true
        default: break
        }
    }

    private mutating func take(
        _ name: String, _ attributes: PlaylistAttributes, _ line: Int, _ limits: StreamingLimits,
        _ notes: inout StreamingNotes
    ) throws(UndertextError) {
        switch name {
        case "EXT-X-I-FRAME-STREAM-INF":
            guard let uri = attributes["URI"] else {
                Self.noteLost(line, &notes)
                return
            }
            try check(variants.count, "variants", limits)
            variants.append(
                HLSVariant(uri: uri, attributes: attributes, isIFrameOnly: true, line: line))
        case "EXT-X-MEDIA":
            let rendition = HLSRendition(attributes: attributes, line: line)
            guard !rendition.kind.rawValue.isEmpty, !rendition.groupID.isEmpty else {
                notes.add(
                    .error, "bad-rendition", line: line + 1,
                    "a rendition without TYPE or GROUP-ID is left out")
                return
            }
            try check(renditions.count, "renditions", limits)
            renditions.append(rendition)
        case "EXT-X-SESSION-KEY":
            if let key = HLSKey(attributes), sessionKeys.count < limits.entries {
                sessionKeys.append(key)
            }
        case "EXT-X-SESSION-DATA":
            if let id = attributes["DATA-ID"], let value = attributes["VALUE"],
                sessionData.count < limits.entries
            {
                sessionData.append(MetadataTag(id, value))
            }
        default: break
        }
    }
}
