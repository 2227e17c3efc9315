public import UndertextCore

/// The kind of a resource that was specified instead of an HLS playlist, detected from its beginning.
public enum ForeignUpstream: Hashable, Sendable {
    /// The manifest of a DASH presentation.
    case manifest
    /// An audio or video file: the name of its format.
    case media(String)
    /// A page for people.
    case page

    /// The number of bytes that suffice for detection.
    public static let glance = 4096

    /// Looks at the beginning of a resource; `nil` where it is none of these.
    public init?(_ beginning: [UInt8]) {
        guard !PlaylistText.hasSignature(beginning[...]) else { return nil }
        if Presentation.isPresentation(beginning) {
            self = .manifest
        } else if let name = Self.format(of: beginning) {
            self = .media(name)
        } else if Self.isPage(beginning) {
            self = .page
        } else {
            return nil
        }
    }

    /// An error that states what was found and how to proceed.
    ///
    /// - Parameter path: the address that the user named.
    /// - Returns: an error with code `unsupported`, or `notMedia` for a web page.
    public func refusal(path: String) -> UndertextError {
        switch self {
        case .manifest:
            UndertextError(
                .unsupported,
                "it is a DASH manifest; subtitles can be added to HLS only: specify the HLS playlist of "
                    + "the presentation",
                path: path, remedy: .packageMedia)
        case .media(let format):
            UndertextError(
                .unsupported,
                "it is a media file (\(format)), not an HLS playlist", path: path,
                remedy: .packageMedia)
        case .page:
            UndertextError(
                .notMedia,
                "it is a web page, not an HLS playlist; specify the playlist that its player loads",
                path: path)
        }
    }

    private static func format(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "Matroska or WebM" }
        let type = bytes.dropFirst(4).prefix(4)
        if ["ftyp", "styp", "moov", "moof"].contains(where: { type.elementsEqual($0.utf8) }) {
            return "MP4"
        }
        let packet = 188
        if bytes.count > packet, bytes[0] == 0x47, bytes[packet] == 0x47 { return "MPEG-TS" }
        return nil
    }

    private static func isPage(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(256), as: UTF8.self).lowercased()
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
    }
}
