package import UndertextCore
internal import UndertextXML

/// Reads BDN XML as BDSup2Sub, SubtitleEdit and avs2bdnxml write it.
///
/// An event that cannot be used costs that event and leaves a diagnostic. A file's name must be a
/// plain one: nothing outside the folder of the XML is ever named.
package enum BDNReader {
    /// `true` if a file that begins with `head` is BDN XML.
    package static func recognizes(_ head: [UInt8]) -> Bool {
        let start = head.drop { $0 <= Byte.space || [0xEF, 0xBB, 0xBF].contains($0) }
        return start.first == Byte.less && head.firstRange(of: Array("<BDN".utf8)) != nil
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: the complete file.
    ///   - limits: the limits for the number of events and graphics.
    /// - Returns: the document.
    /// - Throws: `UndertextError` with code `malformed` if it is not XML or has another root element.
    package static func read(
        _ bytes: [UInt8], limits: Limits = Limits()
    ) throws(UndertextError) -> BDNDocument {
        let builder = BDNBuilder(limits: limits)
        do throws(XMLError) {
            try XMLReader.read(bytes, handler: builder)
        } catch {
            guard builder.isBDN, error.code == .malformed else {
                throw UndertextError(
                    .malformed, error.description, byteOffset: UInt64(exactly: error.byteOffset))
            }
            // Content before the damage is kept.
            builder.note(
                .error, "truncated", "\(error.description); the rest of the document is lost",
                byteOffset: UInt64(exactly: error.byteOffset))
        }
        guard builder.isBDN else {
            throw UndertextError(
                .malformed, "it is XML, but no BDN: the root element is another one")
        }
        return builder.document()
    }
}

/// Builds a document from the events of the XML.
private final class BDNBuilder: XMLHandler {
    private(set) var isBDN = false

    private let limits: Limits
    private var isFirst = true
    private var hasFormat = false
    private var title: String?
    private var language: LanguageTag?
    private var canvas: PixelSize?
    private var frameRate: FrameRate?
    /// Timecodes cannot be read before the frame rate is known, so they are kept as they are.
    private var events: [RawEvent] = []
    private var graphic: BDNDocument.Graphic?
    private var name = ""
    private var diagnostics: [Diagnostic] = []

    private struct RawEvent {
        var start: String
        var end: String
        var isForced: Bool
        var graphics: [BDNDocument.Graphic] = []
    }

    init(limits: Limits) { self.limits = limits }

    var wantsMore: Bool { isFirst || isBDN }

    func note(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String,
        time: Timestamp? = nil, byteOffset: UInt64? = nil
    ) {
        // The first hundred of each severity suffice for a hostile file, and errors mean lost input.
        guard diagnostics.count(where: { $0.severity == severity }) < 100 else { return }
        diagnostics.append(
            Diagnostic(severity, code, message, streamIndex: 0, time: time, byteOffset: byteOffset))
    }

    func start(_ name: String, attributes: [XMLAttribute]) {
        func value(_ key: String) -> String? { attributes.first { $0.name == key }?.value }
        if isFirst {
            isFirst = false
            isBDN = name == "BDN"
        }
        switch name {
        case "Name": title = value("Title").flatMap { $0.isEmpty ? nil : $0 }
        case "Language": language = value("Code").flatMap { LanguageTag($0) }
        case "Format":
            hasFormat = true
            canvas = value("VideoFormat").flatMap { BDNVideoFormat.size(of: $0) }
            frameRate = value("FrameRate").flatMap { FrameRate(stated: $0) }
            if frameRate == nil {
                note(
                    .warning, "unknown-frame-rate",
                    "the frame rate '\((value("FrameRate") ?? "").prefix(20))' is not known: "
                        + "23.976 is assumed")
            }
            if value("DropFrame")?.lowercased() == "true" {
                note(
                    .warning, "drop-frame",
                    "drop-frame timecodes are read as if no numbers were dropped")
            }
        case "Event":
            guard events.count < limits.cues else {
                note(.error, "too-many-cues", "more than \(limits.cues) events")
                return
            }
            events.append(
                RawEvent(
                    start: value("InTC") ?? "", end: value("OutTC") ?? "",
                    isForced: value("Forced")?.lowercased() == "true"))
        case "Graphic":
            self.name = ""
            graphic = BDNDocument.Graphic(
                file: "", x: coordinate("X", value("X")), y: coordinate("Y", value("Y")),
                width: Self.number(value("Width")), height: Self.number(value("Height")))
        default: break
        }
    }

    func text(_ text: String) {
        if graphic != nil, name.utf8.count < 4096 { name += text }
    }

    func end(_ name: String) {
        guard name == "Graphic", var graphic else { return }
        self.graphic = nil
        guard let last = events.indices.last else { return }
        guard let file = Self.plainName(self.name) else {
            note(
                .error, "unsafe-name",
                "'\(String(self.name.prefix(80)))' is not a plain file name")
            return
        }
        guard events[last].graphics.count < limits.objects else {
            note(.error, "too-many-objects", "an event has more than \(limits.objects) images")
            return
        }
        graphic.file = file
        events[last].graphics.append(graphic)
    }

    func document() -> BDNDocument {
        let rate = frameRate ?? .film
        if !hasFormat {
            note(
                .warning, "missing-format",
                "the element Format is missing: 23.976 frames a second are assumed, and the size of the "
                    + "canvas is unknown")
        } else if canvas == nil {
            note(
                .warning, "unknown-video-format",
                "the video format is unknown, and so is the size of the canvas")
        }
        var finished: [BDNDocument.Event] = []
        for event in events {
            guard let start = rate.frame(ofTimecode: event.start),
                let end = rate.frame(ofTimecode: event.end), end > start
            else {
                note(
                    .error, "malformed-time",
                    "an event from '\(event.start.prefix(20))' to '\(event.end.prefix(20))' "
                        + "is left out")
                continue
            }
            guard !event.graphics.isEmpty else {
                note(
                    .warning, "empty-event", "an event without an image is left out",
                    time: rate.time(ofFrame: start))
                continue
            }
            finished.append(
                .init(
                    start: rate.time(ofFrame: start), end: rate.time(ofFrame: end),
                    isForced: event.isForced, graphics: event.graphics))
        }
        let sorted = finished.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }
        return BDNDocument(
            title: title, language: language, canvas: canvas, frameRate: rate,
            events: sorted.map(\.element), diagnostics: diagnostics)
    }

    /// A coordinate of an image; 0 if it is missing or not a number.
    private func coordinate(_ name: String, _ text: String?) -> Int {
        if let value = Self.number(text) { return value }
        note(
            .warning, "bad-position",
            text.map { "\(name) = '\($0.prefix(20))' is not a position; 0 is assumed" }
                ?? "an image has no \(name); 0 is assumed")
        return 0
    }

    /// A coordinate that can be calculated with.
    private static func number(_ text: String?) -> Int? {
        guard let text, let value = Int(text), (-65536...65536).contains(value) else { return nil }
        return value
    }

    /// The name without the spaces around it; `nil` where it leads out of the folder or is none.
    private static func plainName(_ text: String) -> String? {
        let bytes = text.utf8.drop { $0 <= Byte.space }
        let end = bytes.lastIndex { $0 > Byte.space }
        guard let end else { return nil }
        let name = String(decoding: bytes[...end], as: UTF8.self)
        let isPlain =
            name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 }
        return isPlain ? name : nil
    }
}

extension FrameRate {
    /// A rate as files state it: `23.976`, `24.000`, `29,97`.
    fileprivate init?(stated text: String) {
        if let exact = FrameRate(rawValue: text) {
            self = exact
            return
        }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard (1...2).contains(parts.count), let whole = Int32(parts[0]), (1...1000).contains(whole)
        else { return nil }
        var thousandths: Int32 = 0
        if parts.count == 2 {
            let digits = (parts[1] + "000").prefix(3)
            guard digits.utf8.allSatisfy({ $0.isDigit }),
                let value = Int32(digits)
            else { return nil }
            thousandths = value
        }
        self.init(framesPerSecond: TimeBase(whole * 1000 + thousandths, 1000))
    }
}
