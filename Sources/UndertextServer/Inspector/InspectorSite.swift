package import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextRendering

/// The inspector: a web application for one person at this machine that shows what is in media and subtitle files.
///
/// Its address has a random token. Requests without the token, by other host names than those of the loopback
/// interface, or of pages of another origin are refused, and pages may load nothing from elsewhere.
package struct InspectorSite: ServerSite {
    /// The random part of the address.
    package let token: String
    private let inspector: Inspector

    /// The maximum length of a request's body in bytes.
    private static let bodyLimit = 64 << 10

    /// Creates the site, and starts to read the inputs in the background.
    ///
    /// - Parameters:
    ///   - inputs: Paths and URLs.
    ///   - options: The options of reading.
    package init(_ inputs: [String], options: Media.Options = Media.Options()) {
        var random = SystemRandomNumberGenerator()
        token = (0..<2).map { _ in
            zeroPadded(UInt64.random(in: 0...(.max), using: &random), to: 16, radix: 16)
        }.joined()
        inspector = Inspector(inputs, options)
        for input in inspector.inputs { input.start() }
    }

    /// The path of the page.
    package var path: String { "/\(token)/" }

    /// The rules for its requests.
    package var rules: ServerRules {
        var rules = ServerRules(self)
        rules.bodyLimit = Self.bodyLimit
        return rules
    }

    /// Returns the page, one of its files, or an answer of the interface for it.
    package func answer(_ request: ServerRequest) -> ServerAnswer {
        var answer = self.answer(checking: request)
        answer.headers += Self.headers
        return answer
    }

    private static let headers = [
        HTTPHeader(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        HTTPHeader("Referrer-Policy", "no-referrer"),
        HTTPHeader("Cross-Origin-Resource-Policy", "same-origin"),
        HTTPHeader("Cross-Origin-Opener-Policy", "same-origin"),
        HTTPHeader("X-Frame-Options", "DENY"),
    ]

    private func answer(checking request: ServerRequest) -> ServerAnswer {
        guard let host = request.hosts.first, Self.isLoopback(host) else {
            return ServerAnswer(421, saying: "the inspector answers only this machine")
        }
        guard request.origin == nil || request.origin == "http://\(host)" else {
            return ServerAnswer(403, saying: "pages of another origin are refused")
        }
        let (parts, isFolder) = Self.path(of: request)
        guard let path = parts, let first = path.first, Self.isEqual(first, token) else {
            return ServerAnswer(
                403, saying: "open the whole address that 'undertext inspect' printed")
        }
        let rest = Array(path.dropFirst())
        if rest.first == "api" {
            do throws(UndertextError) {
                return try self.answer(to: Array(rest.dropFirst()), request) ?? Self.missing
            } catch {
                return Self.failure(error)
            }
        }
        guard request.method != "POST" else { return Self.missing }
        // Relative addresses of the page begin after the slash.
        if rest.isEmpty, !isFolder {
            return ServerAnswer(308, headers: [HTTPHeader("Location", self.path)])
        }
        guard
            let file = InspectorPage.files[
                rest.isEmpty ? "index.html" : rest.joined(separator: "/")]
        else { return Self.missing }
        return ServerAnswer(
            200,
            headers: [
                HTTPHeader("Content-Type", file.type), HTTPHeader("Cache-Control", "no-cache"),
            ], body: .bytes(file.bytes))
    }

    private static let missing = ServerAnswer(404, saying: "there is nothing at this address")

    /// The parts of the path, and `true` if it ends in a slash.
    private static func path(of request: ServerRequest) -> (parts: [String]?, isFolder: Bool) {
        var plain = request
        plain.target = String(request.target.prefix { $0 != "?" && $0 != "#" })
        let isFolder = plain.target.hasSuffix("/")
        if isFolder { plain.target.removeLast() }
        return (plain.path, isFolder)
    }

    private static func isLoopback(_ authority: String) -> Bool {
        guard let parts = URI.Authority(authority), parts.user == nil else { return false }
        return ["127.0.0.1", "localhost", "[::1]", "::1"].contains(parts.host.lowercased())
    }

    /// Compares in a time that does not depend on the difference.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func failure(_ error: UndertextError) -> ServerAnswer {
        let status =
            switch error.code {
            case .notFound: 404
            case .invalidRequest, .invalidValue, .malformed: 400
            default: 422
            }
        return ServerAnswer(status, saying: error.description)
    }

    // MARK: The interface of the page

    private func answer(
        to path: [String], _ request: ServerRequest
    ) throws(UndertextError) -> ServerAnswer? {
        if request.method == "POST" {
            guard path.count == 3, path[0] == "inputs", let index = input(path[1]),
                ["export", "recognition", "correction", "undo", "saved"].contains(path[2])
            else { return nil }
            let input = inspector.inputs[index]
            let wanted = try JSON(parsing: request.body, depth: 8, values: 10_000)
            switch path[2] {
            case "recognition": try inspector.recognize(input, wanted)
            case "correction": return Self.json(try inspector.correct(input, wanted))
            case "undo": return Self.json(try inspector.undo(input, wanted))
            case "saved":
                if let track = wanted["track"]?.wholeNumber { inspector.saved(input, track) }
            default:
                return Self.json(
                    try inspector.export(input, Inspector.ExportRequest(wanted)))
            }
            return Self.json(.object([]))
        }
        switch path.first {
        case "overview" where path.count == 1: return Self.json(inspector.overview())
        case "progress" where path.count == 1: return Self.json(inspector.progress())
        case "inputs" where path.count >= 3:
            guard let index = input(path[1]) else { return nil }
            let query = Query(request.query)
            if path.count == 3, path[2] == "picture" {
                return try Self.png(
                    inspector.picture(inspector.inputs[index], query.picture()))
            }
            if path.count == 3, path[2] == "media" {
                return media(inspector.inputs[index], request)
            }
            guard path[2] == "tracks", path.count >= 5, let stream = Query.number(path[3]),
                let track = inspector.inputs[index].track(stream)
            else { return nil }
            return try answer(to: Array(path.dropFirst(4)), index, track, query)
        default: return nil
        }
    }

    /// The file of an input, for the browser's own player.
    private func media(_ input: InspectedInput, _ request: ServerRequest) -> ServerAnswer? {
        guard let file = input.playableFile,
            let type = input.state.with({ $0.report }).flatMap({
                PlayableType.type(of: $0.container)
            })
        else { return nil }
        return LocalFolderSite.answer(request, file, type: type, caching: "no-store")
    }

    private func answer(
        to path: [String], _ index: Int, _ track: InspectedInput.Track, _ query: Query
    ) throws(UndertextError) -> ServerAnswer? {
        let input = inspector.inputs[index]
        switch path.count == 1 ? path[0] : "" {
        case "cues": return Self.json(try inspector.cues(index, track, query.cues()))
        case "review":
            return Self.json(
                inspector.review(
                    track, after: query.number("cue"), isBackwards: query["back"] != nil))
        case "captions":
            // For the browser's own player.
            let file = try inspector.file(input, track, as: "vtt", shift: query.shift)
            return ServerAnswer(file.bytes, type: MediaTypes.webVTT, maxAge: 0)
        case "diagnostics": return Self.json(inspector.diagnostics(input, track))
        case "losses": return Self.json(try inspector.losses(index, track))
        case "before-zero": return Self.json(inspector.beforeZero(track, shift: query.shift))
        case "timeline":
            let until = query.time("until") ?? track.table.last ?? .seconds(1)
            let from = query.time("from") ?? .zero
            return Self.json(
                inspector.timeline(
                    track, from: from, until: max(until, from.advanced(by: .milliseconds(1))),
                    parts: min(max(query.number("parts") ?? 800, 1), 4000)))
        case "file":
            let file = try inspector.file(
                input, track, as: query["format"] ?? "", shift: query.shift)
            let plain = file.name.unicodeScalars.allSatisfy { $0.isASCII } ? file.name : "subtitles"
            return ServerAnswer(
                200,
                headers: [
                    HTTPHeader("Content-Type", "application/octet-stream"),
                    HTTPHeader("Cache-Control", "no-store"),
                    HTTPHeader(
                        "Content-Disposition",
                        "attachment; filename=\"\(plain.filter { $0 != "\"" && $0 != "\\" })\"; "
                            + "filename*=UTF-8''\(URI.escaped(file.name))"),
                ], body: .bytes(file.bytes))
        default: break
        }
        guard path.count == 3, path[0] == "images", let order = Query.number(path[1]),
            let image = Query.number(path[2])
        else { return nil }
        return Self.png(try inspector.image(image, of: order, input, track))
    }

    private func input(_ text: String) -> Int? {
        Query.number(text).flatMap { inspector.inputs.indices.contains($0) ? $0 : nil }
    }

    private static func json(_ value: JSON) -> ServerAnswer {
        ServerAnswer(
            200,
            headers: [
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Cache-Control", "no-store"),
            ], body: .bytes(value.compact))
    }

    private static func png(_ bytes: [UInt8]) -> ServerAnswer {
        ServerAnswer(
            200,
            headers: [
                HTTPHeader("Content-Type", "image/png"),
                HTTPHeader("Cache-Control", "private, max-age=600"),
            ], body: .bytes(bytes))
    }
}

/// The parameters of a request, each within its limits.
private struct Query {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    subscript(name: String) -> String? { values[name] }

    /// A number of at most nine digits; `nil` for anything else.
    static func number(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
            return nil
        }
        return Int(text)
    }

    func number(_ name: String) -> Int? { values[name].flatMap(Self.number) }

    /// A time in seconds, at most eleven days from zero.
    func time(_ name: String) -> Timestamp? {
        guard let seconds = values[name].flatMap({ Double($0) }), seconds.isFinite else {
            return nil
        }
        return .seconds(min(max(seconds, -1e6), 1e6))
    }

    /// The offset of the track.
    var shift: Duration { Inspector.duration(values["shift"].flatMap { Double($0) } ?? 0) }

    /// An input and a track, as `0.3`.
    func track(_ name: String) -> (input: Int, track: Int)? {
        let parts = (values[name] ?? "").split(separator: ".").map { Self.number(String($0)) }
        guard parts.count == 2, let input = parts[0], let track = parts[1] else { return nil }
        return (input, track)
    }

    func cues() -> Inspector.CueRequest {
        var request = Inspector.CueRequest()
        request.from = number("from") ?? 0
        request.count = min(max(number("count") ?? 100, 1), Inspector.rowLimit)
        request.time = time("at")
        request.query = CueList.Query(values["q"] ?? "")
        request.filter = values["filter"].flatMap { CueList.Filter(rawValue: $0) }
        request.beside = track("beside")
        request.shift = shift
        request.order = number("cue")
        if request.order != nil, request.time == nil { request.time = .zero }
        request.format = values["format"] ?? ""
        return request
    }

    func picture() throws(UndertextError) -> Inspector.PictureRequest {
        var request = Inspector.PictureRequest()
        request.time = time("at") ?? .zero
        request.track = track("track")
        request.second = track("second")
        request.shift = shift
        request.width = min(max(number("width") ?? 1280, 64), 1920)
        for setting in (values["style"] ?? "").split(separator: ";").prefix(32) {
            try request.style.set(setting)
        }
        return request
    }
}
