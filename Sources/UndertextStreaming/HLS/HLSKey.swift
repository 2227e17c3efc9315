internal import UndertextCore

/// The encryption of segments: `EXT-X-KEY` or `EXT-X-SESSION-KEY` (RFC 8216, section 4.3.2.4).
public struct HLSKey: Hashable, Sendable {
    /// `AES-128`, `SAMPLE-AES`, `SAMPLE-AES-CTR`; never `NONE`.
    public var method: String
    /// The key format; `identity` unless the playlist states another one.
    public var format: String
    /// The address of the key; `nil` if the playlist states none.
    public var uri: String?

    /// Creates a description.
    public init(method: String, format: String = "identity", uri: String? = nil) {
        self.method = method
        self.format = format
        self.uri = uri
    }

    /// The key of a tag; `nil` for the method `NONE`, which ends encryption.
    init?(_ attributes: PlaylistAttributes) {
        guard let method = attributes["METHOD"], method != "NONE" else { return nil }
        self.init(
            method: method, format: attributes["KEYFORMAT"] ?? "identity", uri: attributes["URI"])
    }
}

extension DRMInfo {
    /// Creates the DRM information of a presentation with these keys; `nil` if there are none.
    init?(_ keys: [HLSKey]) {
        guard let first = keys.first else { return nil }
        var systems: [System] = []
        for key in keys where !systems.contains(where: { $0.id == key.format }) {
            let data = key.uri.flatMap(Base64.text(ofDataURL:)).flatMap(Base64.decoded)
            systems.append(System(id: key.format, initData: data ?? []))
        }
        self.init(scheme: first.method, systems: systems)
    }
}
