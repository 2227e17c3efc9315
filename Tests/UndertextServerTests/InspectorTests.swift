import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextServer

@Suite struct InspectorTests {
    private static let host = "127.0.0.1:8000"

    private static func ask(
        _ site: InspectorSite, _ path: String, method: String = "GET", host: String = host,
        origin: String? = nil, body: String = ""
    ) -> ServerAnswer {
        var request = ServerRequest(method, site.path + path, host: host)
        request.origin = origin
        request.body = Array(body.utf8)
        return site.rules.answer(request)
    }

    private static func bytes(_ answer: ServerAnswer) -> [UInt8] {
        if case .bytes(let bytes) = answer.body { bytes } else { [] }
    }

    private static func text(_ answer: ServerAnswer) -> String {
        String(decoding: bytes(answer), as: UTF8.self)
    }

    private static func json(_ site: InspectorSite, _ path: String) throws -> JSON {
        let answer = ask(site, path)
        try #require(answer.status == 200, "\(path): \(text(answer))")
        return try JSON(parsing: bytes(answer))
    }

    /// A site whose tracks have been read.
    private static func site(_ inputs: String...) throws -> InspectorSite {
        let site = InspectorSite(inputs)
        for _ in 0..<6000 {
            let inputs = try json(site, "api/progress")["inputs"]?.elements ?? []
            let phases = inputs.flatMap { $0["tracks"]?.elements ?? [] }.map { $0["phase"]?.text }
            if inputs.allSatisfy({ $0["open"]?.flag == true }),
                phases.allSatisfy({ $0 == "complete" || $0 == "failed" })
            {
                return site
            }
            pause(milliseconds: 10)
        }
        throw UndertextError(.timeout, "the inspector reads for a minute")
    }

    // MARK: Who is answered

    @Test func onlyTheTokenOpensTheSite() throws {
        let site = InspectorSite([fixture("subtitles/en.srt")])
        #expect(site.token.utf8.count == 32)
        #expect(site.token != InspectorSite([]).token)
        for path in [
            "/", "/api/overview", "/\(String(repeating: "0", count: 32))/",
            "/\(site.token.dropLast())/",
            "/\(site.token)0/api/overview", "/%2e%2e/\(site.token)/", "/style.css",
            "//\(site.token)/",
        ] {
            let answer = site.rules.answer(ServerRequest("GET", path, host: Self.host))
            #expect(answer.status == 403, "\(path)")
        }
        #expect(Self.ask(site, "").status == 200)
        let bare = site.rules.answer(ServerRequest("GET", "/\(site.token)", host: Self.host))
        #expect(bare.status == 308)
        #expect(bare["Location"] == site.path)
    }

    @Test(arguments: [
        ("evil.example", 421), ("192.168.1.5:8000", 421), ("127.0.0.1.evil.example", 421),
        ("10.0.0.1", 421), ("user@127.0.0.1:8000", 400), ("localhost:8000", 200),
        ("[::1]:8000", 200),
    ])
    func foreignHostsAreRefused(host: String, status: Int) {
        let site = InspectorSite([])
        #expect(Self.ask(site, "api/overview", host: host).status == status)
    }

    @Test func foreignOriginsAreRefused() {
        let site = InspectorSite([])
        for origin in [
            "http://evil.example", "null", "http://127.0.0.1:9000", "https://127.0.0.1:8000",
        ] {
            #expect(Self.ask(site, "api/overview", origin: origin).status == 403, "\(origin)")
            let post = Self.ask(
                site, "api/inputs/0/export", method: "POST", origin: origin, body: "{}")
            #expect(post.status == 403, "\(origin)")
        }
        #expect(Self.ask(site, "api/overview", origin: "http://\(Self.host)").status == 200)
    }

    @Test func methodsAndPaths() throws {
        let site = InspectorSite([fixture("subtitles/en.srt")])
        for method in ["PUT", "DELETE", "OPTIONS", "TRACE"] {
            #expect(Self.ask(site, "api/overview", method: method).status == 405)
        }
        #expect(Self.ask(site, "style.css", method: "POST").status == 404)
        for path in [
            "../", "..%2f..%2fetc/passwd", "api", "api/", "api/none", "api/inputs",
            "api/inputs/9/picture",
            "api/inputs/-1/picture", "api/inputs/0/tracks/7/cues", "api/inputs/0/tracks/x/cues",
            "api/inputs/99999999999999999999/picture", "api/inputs/0/tracks/0/images/0/0/0",
            ".hidden",
            "index.html/x", "%00", "api/inputs/0/export",
        ] {
            let status = Self.ask(site, path).status
            #expect(status == 404 || status == 403, "\(path): \(status)")
        }
    }

    @Test func pagesLoadNothingFromElsewhere() throws {
        let site = InspectorSite([])
        for name in InspectorPage.files.keys {
            let answer = Self.ask(site, name)
            #expect(answer.status == 200)
            let policy = try #require(answer["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
            #expect(!policy.contains("unsafe"))
            #expect(answer["X-Content-Type-Options"] == "nosniff")
            #expect(answer["Referrer-Policy"] == "no-referrer")
            // The name of a namespace is no address.
            let text = Self.text(answer).split(separator: "xmlns=\"http://www.w3.org/2000/svg\"")
                .joined()
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                "http://", "https://", " style=\"", "onclick=\"",
            ] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
        // Errors have the policy, too.
        #expect(Self.ask(site, "none")["Content-Security-Policy"] != nil)
    }

    // MARK: Content

    @Test func textTracks() throws {
        let site = try Self.site(fixture("containers/movie.mkv"))
        let overview = try Self.json(site, "api/overview")
        let input = try #require(overview["inputs"]?.elements.first)
        #expect(input["name"]?.text == "movie.mkv")
        #expect(input["probe"]?["format"]?["format_name"]?.text == "matroska,webm")
        let tracks =
            try Self.json(site, "api/progress")["inputs"]?.elements[0]["tracks"]?.elements ?? []
        #expect(tracks.count == 7)
        let first = try #require(tracks.first?["track"]?.wholeNumber)
        let cues = try Self.json(site, "api/inputs/0/tracks/\(first)/cues?from=0&count=3")
        #expect(cues["total"]?.wholeNumber == 8)
        #expect(cues["rows"]?.elements.count == 3)
        let document = try SubtitleDocument(contentsOf: fixture("subtitles/en.srt"))
        let rows = cues["rows"]?.elements ?? []
        for (row, cue) in zip(rows, document.cues) {
            #expect(row["cue"]?["text"]?.text == cue.plainText)
            #expect(row["cue"]?["start"]?.fraction == Double(cue.start.nanoseconds) / 1e9)
        }
        let timeline = try Self.json(
            site, "api/inputs/0/tracks/\(first)/timeline?from=0&until=20&parts=20")
        let coverage = (timeline["coverage"]?.elements ?? []).compactMap(\.wholeNumber)
        #expect(coverage.count == 20)
        #expect(coverage.allSatisfy { (0...100).contains($0) } && coverage.contains { $0 > 50 })
    }

    @Test func searchAndFilters() throws {
        let scratch = TemporaryDirectory()
        scratch.write(
            """
            1
            00:00:01,000 --> 00:00:03,000
            ÄPFEL and Pears

            2
            00:00:02,000 --> 00:00:04,000
            over the first

            3
            00:00:05,000 --> 00:00:06,000
            pears again

            """, to: "a.srt")
        let site = try Self.site(scratch / "a.srt")
        let cues = { (query: String) in
            try Self.json(site, "api/inputs/0/tracks/0/cues?\(query)")["rows"]?.elements
                .map { $0["cue"]?["order"]?.wholeNumber }
        }
        #expect(try cues("q=PEARS") == [0, 2])
        #expect(try cues("q=%C3%A4pfel") == [0])
        #expect(try cues("q=none") == [])
        #expect(try cues("filter=overlaps") == [0, 1])
        #expect(try cues("filter=forced") == [])
        #expect(try cues("filter=unknown&from=99999999999") == [0, 1, 2])
        #expect(try cues("from=999999999") == [])
        let at = try Self.json(site, "api/inputs/0/tracks/0/cues?at=5.5")
        #expect(at["position"]?.wholeNumber == 2)
        for query in [
            "at=nan", "at=1e999", "at=-1e99&count=0", "count=999999999&shift=inf", "q=%ff",
            "beside=9.9", "beside=x",
        ] {
            #expect(Self.ask(site, "api/inputs/0/tracks/0/cues?\(query)").status == 200, "\(query)")
        }
        for query in ["from=1e300&until=-1e300", "parts=999999999", "parts=0&from=5&until=5"] {
            #expect(
                Self.ask(site, "api/inputs/0/tracks/0/timeline?\(query)").status == 200, "\(query)")
        }
    }

    @Test func tracksSideBySide() throws {
        let scratch = TemporaryDirectory()
        let cue = { (start: Int, end: Int, text: String) in
            "1\n00:00:\(zeroPadded(start, to: 2)),000 --> 00:00:\(zeroPadded(end, to: 2)),000\n\(text)\n\n"
        }
        scratch.write(cue(1, 3, "a") + cue(5, 7, "b") + cue(9, 10, "c"), to: "one.srt")
        scratch.write(cue(2, 4, "A") + cue(6, 8, "B") + cue(20, 22, "D"), to: "two.srt")
        let site = try Self.site(scratch / "one.srt", scratch / "two.srt")
        let rows = { (shift: String) in
            try Self.json(site, "api/inputs/0/tracks/0/cues?beside=1.0&shift=\(shift)")["rows"]?
                .elements.map {
                    "\($0["cue"]?["text"]?.text ?? "")\($0["beside"]?["text"]?.text ?? "")"
                }
        }
        #expect(try rows("1") == ["aA", "bB", "c", "D"])
        // Half of a cue is not more than half.
        #expect(try rows("0") == ["a", "A", "b", "B", "c", "D"])
    }

    @Test(arguments: ["subtitles/bitmaps.sup", "subtitles/vobsub.idx", "containers/movie.ts"])
    func images(name: String) throws {
        let site = try Self.site(fixture(name))
        let track = try #require(
            try Self.json(site, "api/progress")["inputs"]?.elements[0]["tracks"]?.elements.first?[
                "track"]?.wholeNumber)
        let media = try Media(fixture(name))
        let document = try #require(media.subtitleTracks.first).document()
        let rows = try Self.json(site, "api/inputs/0/tracks/\(track)/cues")["rows"]?.elements ?? []
        #expect(rows.count == document.cues.count && !rows.isEmpty)
        for (row, cue) in zip(rows, document.cues) {
            guard case .images(let content) = cue.content else { continue }
            let placements = row["cue"]?["images"]?.elements ?? []
            #expect(
                placements.map { $0["width"]?.wholeNumber } == content.images.map(\.bitmap.width))
            let order = try #require(row["cue"]?["order"]?.wholeNumber)
            for index in content.images.indices {
                let answer = Self.ask(site, "api/inputs/0/tracks/\(track)/images/\(order)/\(index)")
                #expect(answer.status == 200, "\(Self.text(answer))")
                // The signature and the width of a PNG.
                let png = Self.bytes(answer)
                #expect(png.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
                let width = png.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
                #expect(width == content.images[index].bitmap.width)
            }
            #expect(Self.ask(site, "api/inputs/0/tracks/\(track)/images/\(order)/77").status == 404)
        }
        #expect(Self.ask(site, "api/inputs/0/tracks/\(track)/images/99999/0").status == 404)
    }

    @Test func damagedInputsAreDescribedInWords() throws {
        let site = try Self.site(
            fixture("containers/invalid-utf8.mkv"), fixture("containers/not-media.mkv"),
            "/none/at-all.srt")
        let inputs = try Self.json(site, "api/progress")["inputs"]?.elements ?? []
        #expect(inputs[0]["failure"]?.text == nil)
        #expect(inputs[1]["failure"]?.text?.contains("not-media.mkv") == true)
        #expect(inputs[2]["failure"]?.text?.contains("at-all.srt") == true)
        let track = try #require(inputs[0]["tracks"]?.elements.first?["track"]?.wholeNumber)
        let found =
            try Self.json(site, "api/inputs/0/tracks/\(track)/diagnostics")["diagnostics"]?.elements
            ?? []
        #expect(
            found.contains { $0["code"]?.text == "invalid-utf8" && $0["time"]?.fraction != nil })
    }

    // MARK: Recognition

    private static func post(_ site: InspectorSite, _ path: String, _ body: String) -> ServerAnswer
    {
        ask(site, "api/inputs/0/\(path)", method: "POST", body: body)
    }

    /// The state of a track of the first input.
    private static func track(_ site: InspectorSite, _ track: Int) throws -> JSON {
        let tracks = try json(site, "api/progress")["inputs"]?.elements.first?["tracks"]?.elements
        return try #require(tracks?.first { $0["track"]?.wholeNumber == track })
    }

    /// The recognition of the only track, when it has ended.
    private static func recognition(_ site: InspectorSite, track: Int) throws -> JSON {
        for _ in 0..<6000 {
            let inputs = try json(site, "api/progress")["inputs"]?.elements ?? []
            let tracks = inputs.first?["tracks"]?.elements ?? []
            let found = tracks.first { $0["track"]?.wholeNumber == track }?["recognition"]
            if let found, found["phase"]?.text != "running" { return found }
            pause(milliseconds: 10)
        }
        throw UndertextError(.timeout, "the inspector recognizes for a minute")
    }

    @Test(.requiresRecognition, arguments: ["subtitles/bitmaps.sup", "subtitles/vobsub.idx"])
    func recognizedTextIsCorrectedAndExported(name: String) throws {
        let site = try Self.site(fixture(name))
        let tracks = try Self.json(site, "api/progress")["inputs"]?.elements[0]["tracks"]?.elements
        let track = try #require(tracks?.first?["track"]?.wholeNumber)
        let base = "api/inputs/0/tracks/\(track)"
        let cues = { (query: String) in
            try Self.json(site, "\(base)/cues?\(query)")["rows"]?.elements.compactMap { $0["cue"] }
                ?? []
        }
        // Nothing is recognized without being asked.
        #expect(tracks?.first?["recognition"] == .null)
        #expect(try cues("").allSatisfy { $0["text"] == nil })
        #expect(Self.ask(site, "\(base)/file?format=srt").status == 422)

        #expect(
            Self.post(site, "recognition", "{\"track\":\(track),\"languages\":\"en\"}").status
                == 200)
        let result = try Self.recognition(site, track: track)
        #expect(result["phase"]?.text == "complete", "\(result)")
        let read = try cues("")
        #expect(!read.isEmpty && result["recognized"]?.wholeNumber == read.count)
        #expect(read.allSatisfy { $0["text"]?.text != nil && $0["confidence"] != nil })

        // The lowest confidence comes first.
        let doubtful = try cues("filter=doubtful")
        let confidences = doubtful.compactMap { $0["confidence"]?.wholeNumber }
        #expect(confidences == confidences.sorted() && confidences.allSatisfy { $0 < 80 })
        #expect(doubtful.count == result["doubtful"]?.wholeNumber)
        let review = try Self.json(site, "\(base)/review")
        #expect(review["cue"]?["order"] == doubtful.first?["order"])

        let first = try #require(read.first)
        let order = try #require(first["order"]?.wholeNumber)
        let hostile = "<script>alert(1)</script> & Würfel\r\n--> zwei\u{0}"
        let request = JSON.object([
            .init("track", .integer(track)), .init("cue", .integer(order)),
            .init("text", .string(hostile)),
        ])
        let answer = Self.post(
            site, "correction", String(decoding: request.compact, as: UTF8.self))
        #expect(answer.status == 200, "\(Self.text(answer))")
        let corrected = "<script>alert(1)</script> & Würfel\n--> zwei"
        #expect(try JSON(parsing: Self.bytes(answer))["cue"]?["text"]?.text == corrected)
        #expect(try cues("q=w%C3%BCrfel").map { $0["order"]?.wholeNumber } == [order])
        _ = try Self.recognition(site, track: track)
        let after = try Self.track(site, track)
        #expect(after["corrected"]?.wholeNumber == 1 && after["unsaved"]?.wholeNumber == 1)

        // A second recognition keeps it.
        #expect(
            Self.post(site, "recognition", "{\"track\":\(track),\"languages\":\"en\"}").status
                == 200)
        _ = try Self.recognition(site, track: track)
        #expect(try cues("").first?["text"]?.text == corrected)

        let scratch = TemporaryDirectory()
        for format in ["srt", "vtt", "ass", "ttml"] {
            let file = Self.ask(site, "\(base)/file?format=\(format)&shift=1.5")
            #expect(file.status == 200, "\(Self.text(file))")
            if format == "vtt" || format == "ttml" {
                #expect(!Self.text(file).contains("<script"), "\(format)")
            }
            scratch.write(Self.bytes(file), to: "a.\(format)")
            let written = try SubtitleDocument(contentsOf: scratch / "a.\(format)").cues
            #expect(written.count == read.filter { $0["text"]?.text?.isEmpty == false }.count)
            #expect(
                written.first.map { Double($0.start.nanoseconds) / 1e9 }
                    .map { abs($0 - 1.5 - (first["start"]?.fraction ?? 0)) < 0.011 } == true)
            if format != "srt" {
                #expect(written.first?.plainText?.contains("& Würfel") == true, "\(format)")
            }
        }
        let saved = Self.post(
            site, "export",
            "{\"tracks\":[\(track)],\"format\":\"vtt\",\"folder\":\"\(scratch / "out")\"}")
        let outputs = try JSON(parsing: Self.bytes(saved))["tracks"]?.elements.first?["outputs"]
        let path = try #require(outputs?.elements.first?["file"]?.text, "\(Self.text(saved))")
        #expect(fileText(path)?.contains("Würfel") == true)
        #expect(try Self.track(site, track)["unsaved"]?.wholeNumber == 0)
        // An output that exists is kept.
        let again = Self.post(
            site, "export",
            "{\"tracks\":[\(track)],\"format\":\"vtt\",\"folder\":\"\(scratch / "out")\"}")
        #expect(try JSON(parsing: Self.bytes(again))["complete"]?.flag == false)
        let losses = try Self.json(site, "\(base)/losses")["formats"]?.elements ?? []
        #expect(losses.contains { $0["format"]?.text == "ass" })
    }

    /// Positions of images become positions of text.
    @Test func positionsOfImagesBecomePositionsOfText() {
        let canvas = PixelSize(width: 1920, height: 1080)
        let layout = { (x: Int, y: Int) in
            CueLayout([.init(x: x, y: y, width: 400, height: 60)], canvas: canvas)
        }
        #expect(layout(760, 980) == CueLayout())
        #expect(layout(760, 40).line == 0)
        #expect(layout(100, 980).textAlignment == .left)
        #expect(layout(1400, 500).textAlignment == .right)
        #expect(layout(1400, 500).snapToLines == false)
    }

    @Test(.requiresRecognition) func mistakesOfRecognitionAreExplained() throws {
        let site = try Self.site(fixture("subtitles/bitmaps.sup"))
        for (body, word) in [
            ("{\"track\":0,\"languages\":\"xx\"}", "xx"), ("{\"track\":0}", "language"),
            ("{\"track\":7,\"languages\":\"en\"}", "no images"), ("{}", "no track"), ("[", ""),
        ] {
            let answer = Self.post(site, "recognition", body)
            #expect(answer.status == 400, "\(body)")
            #expect(Self.text(answer).contains(word), "\(Self.text(answer))")
        }
        for body in [
            "{\"track\":0,\"cue\":0,\"text\":\"a\"}", "{\"track\":9,\"cue\":0,\"text\":\"a\"}",
        ] {
            #expect(Self.post(site, "correction", body).status == 404, "\(body)")
        }
        let long = String(repeating: "a", count: 4001)
        #expect(
            Self.post(site, "correction", "{\"track\":0,\"cue\":0,\"text\":\"\(long)\"}").status
                == 400)
        let text = try Self.site(fixture("subtitles/en.srt"))
        #expect(
            Self.post(text, "recognition", "{\"track\":0,\"languages\":\"en\"}").status == 400)
        // A language without data fails the job, and the package is named.
        #expect(
            Self.post(site, "recognition", "{\"track\":0,\"languages\":\"frm\"}").status == 200)
        let result = try Self.recognition(site, track: 0)
        #expect(result["phase"]?.text == "failed")
        #expect(result["failure"]?.text?.contains("tesseract-ocr-frm") == true, "\(result)")
    }

    /// What was recognized before the stop is kept.
    @Test(.requiresRecognition) func recognitionIsStopped() throws {
        let site = try Self.site(fixture("subtitles/bitmaps.sup"))
        #expect(
            Self.post(site, "recognition", "{\"track\":0,\"languages\":\"en\"}").status == 200)
        #expect(Self.post(site, "recognition", "{\"track\":0,\"stop\":true}").status == 200)
        let result = try Self.recognition(site, track: 0)
        #expect(["cancelled", "complete"].contains(result["phase"]?.text), "\(result)")
        #expect(
            Self.post(site, "recognition", "{\"track\":0,\"languages\":\"en\"}").status == 200)
        #expect(try Self.recognition(site, track: 0)["phase"]?.text == "complete")
    }

    // MARK: Corrections

    private static func correct(
        _ site: InspectorSite, _ cue: Int, _ members: String, track: Int = 0
    ) -> ServerAnswer {
        post(site, "correction", "{\"track\":\(track),\"cue\":\(cue),\(members)}")
    }

    private static func exported(
        _ site: InspectorSite, as format: String, query: String = ""
    ) throws -> String {
        let answer = ask(site, "api/inputs/0/tracks/0/file?format=\(format)\(query)")
        try #require(answer.status == 200, "\(text(answer))")
        return text(answer)
    }

    private static let styled = """
        1
        00:00:01,000 --> 00:00:02,000
        {\\an8}Hello <i>wrld</i>, you

        2
        00:00:03,000 --> 00:00:04,000
        second

        3
        00:00:05,000 --> 00:00:06,000
        third

        """

    @Test func textAndTimesAreCorrected() throws {
        let scratch = TemporaryDirectory()
        scratch.write(Self.styled, to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        let base = "api/inputs/0/tracks/0"
        #expect(try Self.track(site, 0)["corrected"]?.wholeNumber == 0)
        let answer = Self.correct(site, 0, #""text":"Hello world, you\u0000\r\n""#)
        #expect(answer.status == 200, "\(Self.text(answer))")
        let cue = try JSON(parsing: Self.bytes(answer))["cue"]
        #expect(cue?["text"]?.text == "Hello world, you" && cue?["corrected"]?.flag == true)
        // A cue that begins later than another is listed after it.
        #expect(Self.correct(site, 1, #""start":7.25,"end":8.5"#).status == 200)
        let orders = { (query: String) in
            try Self.json(site, "\(base)/cues?\(query)")["rows"]?.elements.compactMap {
                $0["cue"]?["order"]?.wholeNumber
            }
        }
        #expect(try orders("") == [0, 2, 1])
        #expect(try orders("filter=corrected") == [0, 1])
        let state = try Self.track(site, 0)
        #expect(state["corrected"]?.wholeNumber == 2 && state["unsaved"]?.wholeNumber == 2)
        #expect(state["last"]?.fraction == 8.5)

        let subRip = try Self.exported(site, as: "srt", query: "&shift=1")
        #expect(subRip.contains(#"00:00:02,000 --> 00:00:03,000\#n{\an8}Hello <i>world</i>, you"#))
        #expect(subRip.contains("00:00:08,250 --> 00:00:09,500\nsecond"))
        #expect(try Self.exported(site, as: "vtt").contains("Hello <i>world</i>, you"))
        #expect(try Self.exported(site, as: "ass").contains(#"Hello {\i1}world{\i0}, you"#))
        #expect(try Self.exported(site, as: "ttml").contains("world</span>, you"))
        #expect(Self.text(Self.ask(site, "\(base)/captions")).contains("world"))
        // Nothing is written yet, and what is written has the corrections.
        #expect(fileText(scratch / "film.srt") == Self.styled)
        let saved = Self.post(
            site, "export", "{\"tracks\":[0],\"format\":\"srt\",\"folder\":\"\(scratch / "out")\"}")
        #expect(
            try JSON(parsing: Self.bytes(saved))["complete"]?.flag == true, "\(Self.text(saved))")
        #expect(fileText(scratch / "out/film.srt") == (try Self.exported(site, as: "srt")))
        #expect(try Self.track(site, 0)["unsaved"]?.wholeNumber == 0)
        #expect(fileText(scratch / "film.srt") == Self.styled)
        let bitmap = Self.post(
            site, "export",
            "{\"tracks\":[0],\"format\":\"native\",\"folder\":\"\(scratch / "out")\"}")
        #expect(Self.text(bitmap).contains("format"), "\(Self.text(bitmap))")
    }

    @Test func correctionsAreTakenBack() throws {
        let scratch = TemporaryDirectory()
        scratch.write(Self.styled, to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        let before = try Self.exported(site, as: "srt")
        let undo = {
            try JSON(parsing: Self.bytes(Self.post(site, "undo", "{\"track\":0}")))["cue"]
        }
        #expect(try undo() == .null)
        for text in ["one", "two", "second", "three", "three"] {
            #expect(Self.correct(site, 1, "\"text\":\"\(text)\"").status == 200)
        }
        #expect(Self.correct(site, 2, #""start":0.5,"end":0.75"#).status == 200)
        // A text that was accepted as it is is no change.
        #expect(try Self.track(site, 0)["undoable"]?.wholeNumber == 5)
        #expect(try undo()?["start"]?.fraction == 5)
        #expect(try undo()?["text"]?.text == "second")
        #expect(try Self.track(site, 0)["corrected"]?.wholeNumber == 0)
        #expect(try undo()?["text"]?.text == "two")
        #expect(try Self.track(site, 0)["corrected"]?.wholeNumber == 1)
        #expect(try undo()?["text"]?.text == "one")
        #expect(try undo()?["text"]?.text == "second")
        #expect(try undo() == .null)
        let state = try Self.track(site, 0)
        #expect(state["corrected"]?.wholeNumber == 0 && state["unsaved"]?.wholeNumber == 0)
        #expect(try Self.exported(site, as: "srt") == before)
        // The number of steps is bounded, the corrections stay.
        for number in 0..<600 {
            #expect(Self.correct(site, 0, "\"text\":\"\(number)\"").status == 200)
        }
        #expect(try Self.track(site, 0)["undoable"]?.wholeNumber == 500)
        #expect(try Self.exported(site, as: "srt").contains("{\\an8}599"))
    }

    /// Scripts keep the tags, styles and comments of the header; a cue without text is left out.
    @Test func correctedScriptsKeepTheirTags() throws {
        let site = try Self.site(fixture("subtitles/signs.ass"))
        let rows = try Self.json(site, "api/inputs/0/tracks/0/cues")["rows"]?.elements ?? []
        let cues = rows.compactMap { $0["cue"] }
        let sign = try #require(cues.first { $0["editable"]?.flag == true })
        let order = try #require(sign["order"]?.wholeNumber)
        let before = try Self.exported(site, as: "ass")
        let old = try #require(sign["text"]?.text)
        let new = old.replacing("e", with: "E") + " {x}"
        let body = JSON.object([
            .init("track", .integer(0)), .init("cue", .integer(order)), .init("text", .string(new)),
        ])
        let answer = Self.post(site, "correction", String(decoding: body.compact, as: UTF8.self))
        #expect(answer.status == 200)
        let after = try Self.exported(site, as: "ass")
        let (lines, others) = (before.split(separator: "\n"), after.split(separator: "\n"))
        #expect(lines.count == others.count)
        let changed = zip(lines, others).filter { $0 != $1 }
        #expect(changed.count == 1, "\(changed)")
        // Everything in braces is as before.
        let tags = { (line: Substring) in
            line.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }
        }
        #expect(changed.allSatisfy { tags($0.0) == Array(tags($0.1).prefix(tags($0.0).count)) })
        // A cue without letters to correct has times only.
        let drawing = cues.first { $0["text"]?.text == nil }?["order"]?.wholeNumber
        if let drawing {
            #expect(Self.correct(site, drawing, #""text":"a""#).status == 400)
            #expect(Self.correct(site, drawing, #""start":1,"end":2"#).status == 200)
        }
        #expect(Self.correct(site, order, #""text":"""#).status == 200)
        #expect(try Self.exported(site, as: "ass").split(separator: "\n").count == lines.count - 1)
    }

    @Test func impossibleCorrectionsAreRefused() throws {
        let scratch = TemporaryDirectory()
        let long = String(repeating: "a", count: 4001)
        scratch.write(
            "1\n00:00:01,000 --> 00:00:02,000\n\(long)\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
            to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        for (members, word) in [
            (#""start":5"#, "before it begins"), (#""end":3"#, "before it begins"),
            (#""end":3.0004"#, "before it begins"), (#""start":1e9"#, "possible time"),
            (#""start":-90000"#, "possible time"), (#""start":"2""#, "possible time"),
            (#""start":1e999"#, ""), (#""end":null"#, "possible time"),
            (#""layer":1"#, "text or a time"),
            ("\"text\":\"\(long)\"", "4000"), (#""text":7"#, "text or a time"),
        ] {
            let answer = Self.correct(site, 1, members)
            #expect(answer.status == 400, "\(members.prefix(40))")
            #expect(Self.text(answer).contains(word), "\(Self.text(answer))")
        }
        #expect(Self.correct(site, 0, #""text":"a""#).status == 400)
        #expect(Self.correct(site, 7, #""text":"a""#).status == 404)
        #expect(Self.correct(site, -1, #""text":"a""#).status == 404)
        #expect(Self.correct(site, 0, #""text":"a""#, track: 9).status == 404)
        for path in ["correction", "undo"] {
            for body in ["", "{}", "[]", "{\"track\":\"x\"}", "["] {
                #expect(Self.post(site, path, body).status == 400, "\(path) \(body)")
            }
            let foreign = Self.ask(
                site, "api/inputs/0/\(path)", method: "POST", origin: "http://evil.example",
                body: "{\"track\":0,\"cue\":1,\"text\":\"x\"}")
            #expect(foreign.status == 403)
            #expect(Self.ask(site, "api/inputs/0/\(path)").status == 404)
        }
        #expect(Self.post(site, "undo", "{\"track\":9}").status == 404)
        #expect(try Self.track(site, 0)["corrected"]?.wholeNumber == 0)
        let images = try Self.site(fixture("subtitles/bitmaps.sup"))
        #expect(Self.correct(images, 0, #""start":1,"end":2"#).status == 400)
    }

    /// Corrections of a file that another program has changed are not lost in silence.
    @Test func aChangedInputIsReported() throws {
        let scratch = TemporaryDirectory()
        scratch.write(Self.styled, to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        scratch.write(
            Self.styled.replacing("00:00:03,000", with: "00:00:03,500"), to: "film.srt")
        #expect(Self.correct(site, 1, #""text":"new""#).status == 200)
        let answer = Self.ask(site, "api/inputs/0/tracks/0/file?format=srt")
        #expect(answer.status != 200)
        #expect(Self.text(answer).contains("00:00:03.000"), "\(Self.text(answer))")
    }

    /// Every format escapes text that looks like markup.
    @Test func hostileCorrections() throws {
        let scratch = TemporaryDirectory()
        scratch.write(Self.styled, to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        let hostile =
            "<script>alert(1)</script> <b>x</b> {\\an8\\p1}m 0 0 --> 00:00:09,000 & \u{202E}\n\n9"
        let body = JSON.object([
            .init("track", .integer(0)), .init("cue", .integer(1)),
            .init("text", .string(hostile)),
        ])
        #expect(
            Self.post(site, "correction", String(decoding: body.compact, as: UTF8.self)).status
                == 200)
        for format in ["srt", "vtt", "ass", "ttml"] {
            let written = try Self.exported(site, as: format)
            if format == "vtt" || format == "ttml" {
                #expect(!written.contains("<script"), "\(format)")
            }
            scratch.write(written, to: "a.\(format)")
            let cues = try SubtitleDocument(contentsOf: scratch / "a.\(format)").cues
            #expect(cues.count == 3, "\(format)")
            #expect(cues[1].plainText?.contains("alert(1)") == true, "\(format)")
        }
    }

    // MARK: The browser's player

    @Test func theFileOfAVideoIsServedInRanges() throws {
        let path = fixture("containers/movie.mp4")
        let site = try Self.site(path, fixture("subtitles/en.srt"))
        let content = try #require(fileBytes(path))
        let media = try Self.json(site, "api/overview")["inputs"]?.elements.map {
            $0["media"]?.text
        }
        #expect(media?.first??.hasPrefix("video/mp4; codecs=\"avc1.") == true, "\(media ?? [])")
        #expect(media?.last == .some(nil))
        let part = { (range: String?) -> ServerAnswer in
            var request = ServerRequest(
                "GET", site.path + "api/inputs/0/media", host: Self.host, range: range)
            request.origin = nil
            return site.rules.answer(request)
        }
        let whole = part(nil)
        #expect(whole.status == 200 && whole.body.count == UInt64(content.count))
        #expect(whole["Content-Type"] == media?.first ?? nil)
        let middle = part("bytes=100-199")
        #expect(middle.status == 206 && middle.body.count == 100)
        #expect(middle["Content-Range"] == "bytes 100-199/\(content.count)")
        if case .source(let source, let range) = middle.body {
            #expect(
                try source.read(at: range.lowerBound, count: 100) == Array(content[100..<200]))
        }
        #expect(part("bytes=99999999-").status == 416)
        // Files without a video, further inputs and other paths are not served.
        for path in ["api/inputs/1/media", "api/inputs/2/media", "api/inputs/0/media/x"] {
            #expect(Self.ask(site, path).status == 404, "\(path)")
        }
        #expect(
            site.rules.answer(ServerRequest("GET", "/api/inputs/0/media", host: Self.host)).status
                == 403)
        let captions = Self.ask(site, "api/inputs/1/tracks/0/captions?shift=1")
        #expect(captions["Content-Type"] == "text/vtt")
        #expect(Self.text(captions).hasPrefix("WEBVTT"))
        #expect(captions["Content-Security-Policy"]?.contains("media-src 'self'") == true)
    }

    // MARK: Export

    /// The filter has the cues that the losses count.
    @Test func cuesWithLosses() throws {
        let site = try Self.site(fixture("subtitles/signs.ass"))
        let orders = { (format: String) in
            try Self.json(site, "api/inputs/0/tracks/0/cues?filter=losses&format=\(format)")[
                "rows"]?
                .elements.compactMap { $0["cue"]?["order"]?.wholeNumber } ?? []
        }
        #expect(try orders("ass") == [])
        let lossy = try orders("srt")
        let document = try SubtitleDocument(contentsOf: fixture("subtitles/signs.ass"))
        // Each cue by itself is the reference.
        let expected = document.cues.filter { cue in
            !TextDocument(header: document.header, cues: [cue]).encoded(as: .subRip).losses.entries
                .filter { $0.cue == cue.order && $0.start == cue.start }.isEmpty
        }.map(\.order)
        #expect(lossy == expected && !lossy.isEmpty)
        #expect(
            Self.ask(site, "api/inputs/0/tracks/0/cues?filter=losses&format=none").status == 400)
        let images = try Self.site(fixture("subtitles/bitmaps.sup"))
        #expect(
            Self.ask(images, "api/inputs/0/tracks/0/cues?filter=losses&format=vobsub").status
                == 200)
    }

    @Test func losses() throws {
        let site = try Self.site(fixture("subtitles/signs.ass"))
        let formats = try Self.json(site, "api/inputs/0/tracks/0/losses")["formats"]?.elements ?? []
        let lost = { (name: String) in
            formats.first { $0["format"]?.text == name }?["losses"]?.elements.compactMap {
                $0["kind"]?.text
            }
        }
        #expect(lost("ass") == [])
        #expect(lost("srt")?.contains("drawing") == true)
        let document = try SubtitleDocument(contentsOf: fixture("subtitles/signs.ass"))
        let encoded = TextDocument(header: document.header, cues: document.cues).encoded(
            as: .webVTT)
        #expect(lost("vtt") == encoded.losses.entries.map(\.name))
    }

    @Test func filesWithMovedTimes() throws {
        let site = try Self.site(fixture("subtitles/en.srt"))
        let answer = Self.ask(site, "api/inputs/0/tracks/0/file?format=vtt&shift=-0.4")
        #expect(answer["Content-Disposition"]?.hasPrefix("attachment; filename=\"en.vtt\"") == true)
        let scratch = TemporaryDirectory()
        scratch.write(Self.bytes(answer), to: "moved.vtt")
        let before = try SubtitleDocument(contentsOf: fixture("subtitles/en.srt")).cues
        let after = try SubtitleDocument(contentsOf: scratch / "moved.vtt").cues
        #expect(after.map(\.start) == before.map { $0.start.advanced(by: .milliseconds(-400)) })
        #expect(Self.ask(site, "api/inputs/0/tracks/0/file?format=none").status == 400)
        #expect(Self.ask(site, "api/inputs/0/tracks/0/file?format=sup").status == 422)
    }

    /// The shift of the inspector does what that of a conversion does, with corrections and without.
    @Test(arguments: [-3.0, -2.5, -2.0, -100, 0, 1])
    func cuesBeforeZeroAreLeftOut(shift: Double) throws {
        let scratch = TemporaryDirectory()
        scratch.write(
            """
            1
            00:00:01,000 --> 00:00:02,000
            gone

            2
            00:00:02,500 --> 00:00:05,000
            half

            3
            00:00:10,000 --> 00:00:11,000
            there

            """, to: "film.srt")
        var options = Media.Options()
        options.retiming = Retiming(shift: .milliseconds(Int64(shift * 1000)))
        let track = try #require(
            try Media(scratch / "film.srt", options: options).subtitleTracks.first)
        let times = { (cues: [Cue]) in cues.map { "\($0.start) \($0.end) \($0.plainText ?? "")" } }
        let expected = times(try track.document().cues)
        let site = try Self.site(scratch / "film.srt")
        let check = { (name: String) in
            for format in ["srt", "vtt", "ass", "ttml"] {
                scratch.write(
                    try Self.exported(site, as: format, query: "&shift=\(shift)"),
                    to: "\(name).\(format)")
                let found = try SubtitleDocument(contentsOf: scratch / "\(name).\(format)")
                #expect(times(found.cues) == expected, "\(format)")
            }
        }
        if !expected.isEmpty { try check("plain") }
        let counts = try Self.json(site, "api/inputs/0/tracks/0/before-zero?shift=\(shift)")
        #expect(counts["lost"]?.wholeNumber == 3 - expected.count)
        #expect(
            counts["cut"]?.wholeNumber
                == (try SubtitleDocument(contentsOf: scratch / "film.srt").cues.filter {
                    $0.start.advanced(by: options.retiming.shift) < .zero
                        && $0.end.advanced(by: options.retiming.shift) > .zero
                }.count))
        // The other way to write, which a correction takes.
        #expect(Self.correct(site, 2, #""text":"There""#).status == 200)
        #expect(Self.correct(site, 2, #""text":"there""#).status == 200)
        #expect(Self.correct(site, 0, #""text":"GONE""#).status == 200)
        if !expected.isEmpty, shift < -1 { try check("corrected") }
    }

    @Test func hostileShiftsAreCounted() throws {
        let site = try Self.site(fixture("subtitles/en.srt"))
        for shift in ["nan", "inf", "-1e999", "-1e300", "x", "", "1e300"] {
            let counts = try Self.json(site, "api/inputs/0/tracks/0/before-zero?shift=\(shift)")
            #expect(counts["lost"]?.wholeNumber != nil && counts["cut"]?.wholeNumber != nil)
        }
    }

    /// The number of changes goes on where the steps that can be taken back end.
    @Test func changesAreNumbered() throws {
        let scratch = TemporaryDirectory()
        scratch.write(Self.styled, to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        for number in 0..<510 {
            #expect(Self.correct(site, 0, "\"text\":\"\(number)\"").status == 200)
        }
        let state = try Self.track(site, 0)
        #expect(state["changes"]?.wholeNumber == 510 && state["undoable"]?.wholeNumber == 500)
        #expect(state["exported"]?.flag == false)
        #expect(Self.post(site, "undo", "{\"track\":0}").status == 200)
        #expect(try Self.track(site, 0)["changes"]?.wholeNumber == 509)
        #expect(Self.post(site, "saved", "{\"track\":0}").status == 200)
        #expect(try Self.track(site, 0)["exported"]?.flag == true)
    }

    @Test func nothingIsWrittenUnlessAsked() throws {
        let scratch = TemporaryDirectory()
        let text = fileBytes(fixture("subtitles/en.srt")) ?? []
        scratch.write(text, to: "film.srt")
        let site = try Self.site(scratch / "film.srt")
        _ = try Self.json(site, "api/inputs/0/tracks/0/losses")
        _ = Self.ask(site, "api/inputs/0/tracks/0/file?format=vtt")
        #expect(names(in: scratch.path) == ["film.srt"])
        let export = { (folder: String, replaces: Bool) -> JSON in
            let request = JSON.object([
                .init("tracks", .array([.integer(0)])), .init("format", .string("srt")),
                .init("shift", .decimal(2.4)), .init("folder", .string(folder)),
                .init("replace", .bool(replaces)),
            ])
            let answer = Self.ask(
                site, "api/inputs/0/export", method: "POST",
                body: String(decoding: request.compact, as: UTF8.self))
            return try JSON(parsing: Self.bytes(answer))
        }
        let report = try export(scratch / "out", false)
        let file = try #require(
            report["tracks"]?.elements.first?["outputs"]?.elements.first?["file"]?.text)
        let before = try SubtitleDocument(contentsOf: scratch / "film.srt").cues
        let after = try SubtitleDocument(contentsOf: file).cues
        #expect(after.map(\.start) == before.map { $0.start.advanced(by: .milliseconds(2400)) })
        // An output that exists is kept, and the input is never replaced.
        let written = fileBytes(file)
        let again = try export(scratch / "out", false)
        #expect(again["complete"]?.flag == false)
        #expect(fileBytes(file) == written)
        for body in [
            "", "{}", "[]", "{\"tracks\":[0],\"format\":\"srt\"}",
            "{\"tracks\":[],\"format\":\"srt\",\"folder\":\"x\"}",
        ] {
            let answer = Self.ask(site, "api/inputs/0/export", method: "POST", body: body)
            #expect(answer.status == 400, "\(body)")
        }
        #expect(fileBytes(scratch / "film.srt") == text)
    }

    @Test func hostileNamesStayText() throws {
        let scratch = TemporaryDirectory()
        let name = "<img src=x onerror=alert(1)>\"'\u{202E}\r\n.srt"
        scratch.write("1\n00:00:01,000 --> 00:00:02,000\n<script>alert(1)</script>\n\n", to: name)
        let site = try Self.site(scratch / name)
        let overview = try Self.json(site, "api/overview")
        #expect(overview["inputs"]?.elements.first?["name"]?.text == name)
        let file = Self.ask(site, "api/inputs/0/tracks/0/file?format=vtt")
        #expect(file.status == 200)
        let disposition = try #require(file["Content-Disposition"])
        #expect(disposition.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x3C })
        #expect(file["Content-Type"] == "application/octet-stream")
    }

    @Test func twoHundredThousandCues() throws {
        let scratch = TemporaryDirectory()
        var text = ""
        for number in 0..<200_000 {
            let time = { (ms: Int) in
                "\(zeroPadded(ms / 3_600_000, to: 2)):\(zeroPadded(ms / 60_000 % 60, to: 2)):\(zeroPadded(ms / 1000 % 60, to: 2)),\(zeroPadded(ms % 1000, to: 3))"
            }
            text +=
                "\(number)\n\(time(number * 100)) --> \(time(number * 100 + 90))\nLine \(number)\n\n"
        }
        scratch.write(text, to: "many.srt")
        let site = try Self.site(scratch / "many.srt")
        let last = try Self.json(site, "api/inputs/0/tracks/0/cues?from=199990")
        #expect(last["total"]?.wholeNumber == 200_000)
        #expect(last["rows"]?.elements.last?["cue"]?["text"]?.text == "Line 199999")
        let found = try Self.json(site, "api/inputs/0/tracks/0/cues?q=LINE%20123456")
        #expect(
            found["rows"]?.elements.compactMap { $0["cue"]?["order"]?.wholeNumber } == [123_456])
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where Tesseract does not recognize English text.
    fileprivate static var requiresRecognition: Self {
        let isAvailable: Bool
        do {
            let track = try Media(fixture("subtitles/bitmaps.sup")).subtitleTracks[0]
            _ = try RecognizedCueReader(
                track, RecognitionOptions(parsing: "en"), cancellation: nil)
            isAvailable = true
        } catch {
            isAvailable = false
        }
        return .enabled(
            if: isAvailable,
            "recognition is unavailable: built without it, or no Tesseract with data for English")
    }
}
