import UndertextCore
import UndertextStreaming

/// Reads the input as a playlist, which must be written as it was, and edits it.
func playlistFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let text = try? PlaylistText(bytes) else { return 0 }
    precondition(text.bytes == bytes, "written otherwise than read")
    let url = "http://example.com/a/b?c=d"
    guard let playlist = try? HLSPlaylist(bytes, url: url, imports: ["i": "j"]) else { return 0 }
    let rule = AddressRule(named: url)
    switch playlist {
    case .media(let media):
        precondition(media.segments.count <= text.lines.count)
        for segment in media.segments {
            precondition(segment.map.map(media.maps.indices.contains) ?? true)
            _ = try? rule.address(of: segment.uri, in: url)
        }
        _ = ContentInfo(hls: media)
        _ = SubtitlePlaylist(beside: media).text
    case .master(let master):
        let content = ContentInfo(hls: master)
        for uri in master.choice(for: content).uris {
            let address = try? rule.address(of: uri, in: url)
            precondition(address.map { $0.hasPrefix("http") } ?? true)
        }
        let (edited, _) = master.adding([
            SubtitleAddition(name: "a\"b", uri: "c", isDefault: true),
            SubtitleAddition(name: "a\"b", uri: "d", isForced: true),
        ])
        guard let again = try? MasterPlaylist(edited, url: url) else {
            preconditionFailure("what was edited cannot be read")
        }
        for variant in again.variants where !variant.isIFrameOnly {
            precondition(variant.group(.subtitles) != nil, "a variant has no subtitles")
        }
        _ = master.movable()
    }
    return 0
}
