import UndertextCore
import UndertextProviders

/// Reads responses of services, and the files and archives that they link to.
///
/// The first byte chooses the service.
func onlineFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    let name = String(decoding: rest.prefix(60), as: UTF8.self)
    var query = OnlineQuery(videoName: name)
    query.languages = ["zh", "en"]
    switch kind {
    case UInt8(ascii: "a"), UInt8(ascii: "d"):
        guard
            let provider = try? Assrt(
                token: Secret("token"), userAgent: "Fuzz v1", fetcher: Answers([rest, rest]))
        else { return 0 }
        if kind == UInt8(ascii: "a") {
            check(try? provider.search(query))
        } else {
            check(try? provider.download(OnlineSubtitle(provider: "assrt", id: "1"), for: query))
        }
    case UInt8(ascii: "f"):
        let link = Array(#"{"link":"https://host/file","file_name":"film.srt"}"#.utf8)
        check(
            try? openSubtitles([link, rest])?.download(
                OnlineSubtitle(provider: "opensubtitles", id: "1"), for: query))
    default:
        check(try? openSubtitles([rest, rest, rest])?.search(query))
    }
    return 0
}

private func openSubtitles(_ answers: [[UInt8]]) -> OpenSubtitles? {
    try? OpenSubtitles(
        account: .init(apiKey: Secret("key")), userAgent: "Fuzz v1", fetcher: Answers(answers))
}

private func check(_ results: OnlineResults??) {
    for subtitle in results??.subtitles ?? [] { precondition(!subtitle.id.isEmpty) }
}

private func check(_ download: OnlineDownload??) {
    guard let download = download ?? nil else { return }
    precondition((1...2).contains(download.files.count))
    for file in download.files {
        precondition(!file.name.utf8.contains(UInt8(ascii: "/")))
        precondition(file.fileExtension.utf8.allSatisfy { (0x61...0x7A).contains($0) })
        precondition(file.bytes.count <= 64 << 20)
    }
}

/// Returns the same responses to all requests, in this order, then the last one again.
private final class Answers: Fetcher, @unchecked Sendable {
    private var answers: [[UInt8]]

    init(_ answers: [[UInt8]]) { self.answers = answers }

    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        let answer = answers.count > 1 ? answers.removeFirst() : answers[0]
        return HTTPResponse(status: 200, body: answer, url: request.url)
    }
}
