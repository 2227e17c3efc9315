import UndertextCore
import UndertextIO
import UndertextStreaming

/// Uses the input as every video segment of a presentation with captions.
///
/// The first byte chooses whether the segments have an initialization section, which is the input as well.
func captionSegmentFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    var media = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
    if choice & 1 != 0 { media += "#EXT-X-MAP:URI=\"segment\"\n" }
    media += "#EXTINF:10,\nsegment\n#EXT-X-DISCONTINUITY\n#EXTINF:10,\nsegment\n#EXT-X-ENDLIST\n"
    let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"c\",INSTREAM-ID=\"CC1\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.4d001e\",CLOSED-CAPTIONS=\"c\"\nmedia.m3u8\n"
    var options = StreamFetchOptions()
    options.parallel = 1
    options.retries = 0
    options.clock = JobClock(now: { .zero }, sleep: { _, _ in })
    let server = SegmentAnswers(playlist: Array(media.utf8), segment: Array(bytes.dropFirst()))
    let address = "https://example.org/master.m3u8"
    let fetcher = StreamFetcher(server, named: address, options: options)
    guard
        let presentation = try? Presentation(
            StreamAnswer(Array(master.utf8), url: address), fetcher)
    else { preconditionFailure("the playlists are whole") }
    let reader = presentation.reader(for: [0])
    while let packet = try? reader.nextPacket() {
        precondition(packet.streamIndex == 0 && packet.data.count % 3 == 0, "no triplets")
    }
    _ = reader.takeDiagnostics()
    return 0
}

/// A server with a playlist and a segment.
private struct SegmentAnswers: Fetcher {
    let playlist: [UInt8]
    let segment: [UInt8]

    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        let body = request.url.hasSuffix(".m3u8") ? playlist : segment
        return HTTPResponse(
            status: 200, body: Array(body.prefix(request.bodyLimit)), url: request.url)
    }
}
