internal import UndertextCore

extension MediaPlaylist {
    /// The playlist with other lengths of its segments and the target duration that they lead to; all else stays.
    ///
    /// RFC 8216, sections 4.3.2.1 and 4.3.3.1.
    ///
    /// - Parameter lengths: those of ``segments``, in order.
    /// - Returns: the playlist as lines.
    public func text(lengths: [Duration]) -> PlaylistText {
        var text = text
        var rest = lengths[...]
        for index in text.lines.indices {
            guard case .tag(let name, let value) = text.lines[index].kind else { continue }
            switch name {
            case "EXT-X-TARGETDURATION":
                text.lines[index].content = Array(
                    "#EXT-X-TARGETDURATION:\(Self.targetSeconds(of: lengths))".utf8)
            case "EXTINF":
                guard let length = rest.popFirst() else { continue }
                let title = value.drop { $0 != UInt8(ascii: ",") }.dropFirst()
                text.lines[index].content = Array(Self.lengthTag(length).utf8) + title
            default: break
            }
        }
        return text
    }

    /// `EXTINF` without a title.
    static func lengthTag(_ length: Duration) -> String {
        "#EXTINF:\(decimalSeconds(Timestamp.zero.advanced(by: length))),"
    }

    /// The target duration of segments in seconds: no length is more when rounded to seconds.
    static func targetSeconds(of lengths: [Duration]) -> Int128 {
        max(1, ((lengths.max() ?? .zero).nanoseconds128 + 500_000_000) / 1_000_000_000)
    }
}
