package import UndertextCore

/// Writes an HTML page that shows the images of a folder: `index.html`.
///
/// It needs no script and no network: styles are inline, images are in the same folder and load when they
/// scroll into view. A content security policy forbids everything else, and text from the subtitle file is
/// escaped.
package struct ImagePage {
    private let title: String
    private let track: JSONCueTrack
    private var canvas: PixelSize?
    private var body: [UInt8] = []
    private var count = 0
    private var forced = 0
    private var unsure = 0
    private var last = Timestamp.zero

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - title: the name of the folder.
    ///   - track: the track of the images.
    package init(title: String, track: JSONCueTrack) {
        self.title = title
        self.track = track
        canvas = track.canvas
    }

    /// Adds a cue of images that are in files; cues come by start.
    ///
    /// - Parameters:
    ///   - cue: the cue; what was recognized in its images is shown below them.
    ///   - images: its images, in drawing order.
    package mutating func add(_ cue: Cue, images: [JSONCueImage]) {
        count(cue)
        body += article(count, of: cue, images: images)
    }

    /// Counts a cue for the head without keeping it.
    package mutating func count(_ cue: Cue) {
        count += 1
        if cue.isForced { forced += 1 }
        if Self.isUnsure(cue) { unsure += 1 }
        last = max(last, cue.end)
        if case .images(let content) = cue.content, canvas == nil { canvas = content.canvas }
    }

    /// The part of the page that shows a cue.
    ///
    /// - Parameters:
    ///   - number: the position among the cues, from 1.
    ///   - cue: the cue.
    ///   - images: its images, in drawing order.
    /// - Returns: the bytes.
    package func article(_ number: Int, of cue: Cue, images: [JSONCueImage]) -> [UInt8] {
        let isUnsure = Self.isUnsure(cue)
        let classes = [cue.isForced ? "forced" : nil, isUnsure ? "unsure" : nil].compactMap { $0 }
        let look = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
        var lines = ["<article id=\"c\(number)\"\(look)>"]
        lines.append("<header><a class=\"number\" href=\"#c\(number)\">\(number)</a>")
        let (start, end) = (Self.clock(cue.start), Self.clock(cue.end))
        lines.append(
            "<time>\(start)</time><span class=\"to\">→</span>"
                + "<time title=\"\(Self.name(cue.endSource))\">\(end)</time>"
                + "<span class=\"length\">\(Self.seconds(cue))</span>")
        if [.clamped, .endOfStream].contains(cue.endSource) {
            lines.append("<span class=\"tag is-assumed\">\(Self.name(cue.endSource))</span>")
        }
        if cue.isForced { lines.append("<span class=\"tag is-forced\">forced</span>") }
        if isUnsure, let read = cue.recognition {
            let percent = max(0, min(100, Int((read.confidence * 100).rounded())))
            let verdict = read.text.isEmpty ? "no text recognized" : "text \(percent) % sure"
            lines.append("<span class=\"tag is-unsure\">\(verdict)</span>")
        }
        lines.append("</header>")
        for image in images { lines += figure(image) }
        if let text = cue.recognition?.text, !text.isEmpty {
            lines.append("<p class=\"text\">\(Self.lines(text))</p>")
        }
        lines.append("</article>\n")
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func isUnsure(_ cue: Cue) -> Bool {
        cue.recognition.map { $0.confidence < RecognizedText.lowConfidence } ?? false
    }

    /// The file.
    package func document() -> [UInt8] { head() + body + Self.tail }

    /// The end of the page, after the cues.
    package static let tail = Array("</main>\n</body>\n</html>\n".utf8)

    /// The beginning of the page, for all cues that were counted.
    package func head() -> [UInt8] {
        let name = escapedForMarkup(title)
        var facts = ["\(count) \(count == 1 ? "cue" : "cues")"]
        if forced > 0 { facts.append("\(forced) forced") }
        if unsure > 0 { facts.append("\(unsure) with uncertain text") }
        if last > .zero { facts.append("until \(Self.clock(last))") }
        if let canvas { facts.append("canvas \(canvas.width) × \(canvas.height)") }
        facts.append(escapedForMarkup(track.codec.rawValue))
        if let language = track.language { facts.append(escapedForMarkup(language.rawValue)) }
        if track.isHearingImpaired { facts.append("for the hard of hearing") }
        let titleLine = track.title.map { "<p class=\"title\">\(escapedForMarkup($0))</p>\n" } ?? ""
        let head = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="generator" content="undertext">
            <title>\(name)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <div class="top">
            <h1>\(name)</h1>
            \(titleLine)<p class="facts">\(facts.map { "<span>\($0)</span>" }.joined())</p>
            </div>
            <main>

            """
        return Array(head.utf8)
    }

    private func figure(_ image: JSONCueImage) -> [String] {
        guard case .file(let name) = image.content else { return [] }
        let file = escapedForMarkup(URI.escaped(name))
        return [
            "<figure><a class=\"board\" href=\"\(file)\"><img src=\"\(file)\" "
                + "width=\"\(image.width)\" height=\"\(image.height)\" loading=\"lazy\" "
                + "alt=\"\"></a>",
            "<figcaption>\(map(of: image))<span>\(escapedForMarkup(name))</span>",
            "<span>\(image.width) × \(image.height)</span>"
                + "<span>at \(image.x), \(image.y)</span></figcaption></figure>",
        ]
    }

    /// A small drawing of the position of the image on the canvas.
    private func map(of image: JSONCueImage) -> String {
        guard let canvas, canvas.width > 0, canvas.height > 0 else { return "" }
        func share(_ value: Int, _ whole: Int) -> String {
            let thousandths = max(0, min(1000, Int(clamping: Int128(value) * 1000 / Int128(whole))))
            return "\(thousandths / 10).\(thousandths % 10)%"
        }
        let place =
            "left:\(share(image.x, canvas.width));top:\(share(image.y, canvas.height));"
            + "width:\(share(image.width, canvas.width));"
            + "height:\(share(image.height, canvas.height))"
        return "<i class=\"map\" style=\"aspect-ratio:\(canvas.width)/\(canvas.height)\">"
            + "<b style=\"\(place)\"></b></i>"
    }

    private static func clock(_ time: Timestamp) -> String {
        var bytes: [UInt8] = []
        bytes.appendClock(milliseconds: time.roundedMilliseconds, separator: Byte.period)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func seconds(_ cue: Cue) -> String {
        let span = MillisecondSpan(cue)
        let milliseconds = span.end - span.start
        var bytes: [UInt8] = []
        bytes.appendDecimal(UInt64(max(0, milliseconds / 1000)))
        bytes.append(Byte.period)
        bytes.appendDecimal(UInt64(max(0, milliseconds % 1000)), digits: 3)
        return String(decoding: bytes, as: UTF8.self) + " s"
    }

    private static func name(_ source: EndSource) -> String {
        switch source {
        case .explicit: "own end"
        case .containerDuration: "end from the container"
        case .nextEvent: "ended by the next event"
        case .clamped: "end limited"
        case .endOfStream: "ended by the end of the file"
        }
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escapedForMarkup(String($0)) }.joined(separator: "<br>")
    }
}
