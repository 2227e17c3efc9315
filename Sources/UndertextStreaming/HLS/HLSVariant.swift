public import UndertextCore

/// A variant of the presentation: `EXT-X-STREAM-INF` or `EXT-X-I-FRAME-STREAM-INF`.
///
/// RFC 8216, sections 4.3.4.2 and 4.3.4.3.
public struct HLSVariant: Hashable, Sendable {
    /// The address of its media playlist as written, with variables replaced.
    public var uri: String
    /// The attributes of the tag.
    public var attributes: PlaylistAttributes
    /// `true` if it contains only images for trick play.
    public var isIFrameOnly: Bool
    /// The index of the tag's line.
    public var line: Int

    /// The peak of bits per second.
    public var bandwidth: Int64? { attributes["BANDWIDTH"].flatMap { Int64($0) } }
    /// Bits per second on average.
    public var averageBandwidth: Int64? { attributes["AVERAGE-BANDWIDTH"].flatMap { Int64($0) } }
    /// The codecs as RFC 6381 writes them.
    public var codecs: [String] { codecNames(attributes["CODECS"]) }
    /// Width and height in pixels.
    public var resolution: PixelSize? {
        guard
            let parts = attributes["RESOLUTION"]?.split(whereSeparator: { $0 == "x" || $0 == "X" }),
            parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }
    /// Frames per second at most.
    public var frameRate: Double? {
        attributes["FRAME-RATE"].flatMap { Double($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    /// The group of renditions of a type; `nil` if the variant has none.
    public func group(_ type: HLSRendition.Kind) -> String? {
        let value = attributes[type.rawValue]
        return type == .closedCaptions && value == "NONE" ? nil : value
    }
}

/// The names of a list of codecs (RFC 6381).
func codecNames(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { part in
        String(part.drop { $0 == " " }.prefix { $0 != " " })
    }.filter { !$0.isEmpty }
}
