package import UndertextCore

/// Writes the index of an image folder as BDN XML for authoring tools, BDSup2Sub and SubtitleEdit.
///
/// Times become frames: the start is the nearest frame, the end (exclusive) the nearest one after the start.
/// BDSup2Sub keeps only the last graphic of an event, so a cue should have one image; two share an event, as
/// the format allows, and further ones become events with the same times. The header states the number of
/// events: ``document(canvas:)`` creates the file from the events that ``add(_:images:)`` kept; a long track is
/// counted with ``count(_:images:)`` first and then written incrementally.
package struct BDNWriter {
    private let title: String
    private let language: LanguageTag?
    private let frameRate: FrameRate
    private var events: [UInt8] = []
    private var count = 0
    private var firstIn: Int64?
    private var lastOut: Int64 = 0

    /// Graphics of one event at most.
    private static let graphicsAtMost = 2

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - title: the name of the title.
    ///   - language: the language; written as ISO 639-2, `und` if unknown.
    ///   - frameRate: the frame rate of timecodes.
    package init(title: String, language: LanguageTag?, frameRate: FrameRate) {
        self.title = title
        self.language = language
        self.frameRate = frameRate
    }

    /// Adds a cue of images that are in files; cues come by start.
    package mutating func add(_ cue: Cue, images: [JSONCueImage]) {
        count(cue, images: images)
        events += events(of: cue, images: images)
    }

    /// Counts a cue for the head without keeping its events.
    package mutating func count(_ cue: Cue, images: [JSONCueImage]) {
        let (start, end) = frames(of: cue)
        firstIn = min(firstIn ?? start, start)
        lastOut = max(lastOut, end)
        count += (images.count + Self.graphicsAtMost - 1) / Self.graphicsAtMost
    }

    /// The events of a cue.
    package func events(of cue: Cue, images: [JSONCueImage]) -> [UInt8] {
        let (start, end) = frames(of: cue)
        var text = ""
        for first in stride(from: 0, to: images.count, by: Self.graphicsAtMost) {
            text +=
                "    <Event InTC=\"\(frameRate.timecode(ofFrame: start))\" "
                + "OutTC=\"\(frameRate.timecode(ofFrame: end))\" "
                + "Forced=\"\(cue.isForced ? "True" : "False")\">\n"
            for image in images[first..<min(first + Self.graphicsAtMost, images.count)] {
                guard case .file(let name) = image.content else { continue }
                text +=
                    "      <Graphic Width=\"\(image.width)\" Height=\"\(image.height)\" "
                    + "X=\"\(image.x)\" Y=\"\(image.y)\">\(escapedForMarkup(name))</Graphic>\n"
            }
            text += "    </Event>\n"
        }
        return Array(text.utf8)
    }

    private func frames(of cue: Cue) -> (start: Int64, end: Int64) {
        let start = frameRate.frame(at: cue.start)
        return (start, max(start + 1, frameRate.frame(at: cue.end)))
    }

    /// The file.
    ///
    /// - Parameter canvas: the size that positions refer to; full high definition if unknown.
    /// - Returns: the bytes.
    package func document(canvas: PixelSize?) -> [UInt8] {
        head(canvas: canvas) + events + Self.tail
    }

    /// The end of the document, after the events.
    package static let tail = Array("  </Events>\n</BDN>\n".utf8)

    /// The beginning of the document, before the events, for all cues that were counted.
    ///
    /// - Parameter canvas: the size that positions refer to; full high definition if unknown.
    /// - Returns: the bytes.
    package func head(canvas: PixelSize?) -> [UInt8] {
        let first = frameRate.timecode(ofFrame: firstIn ?? 0)
        let last = frameRate.timecode(ofFrame: lastOut)
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <BDN Version="0.93" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:noNamespaceSchemaLocation="BD-03-006-0093b BDN File Format.xsd">
              <Description>
                <Name Title="\(escapedForMarkup(title))" Content=""/>
                <Language Code="\(language?.threeLetterCode ?? "und")"/>
                <Format VideoFormat="\(BDNVideoFormat.name(of: canvas))" \
            FrameRate="\(frameRate.rawValue)" DropFrame="False"/>
                <Events Type="Graphic" FirstEventInTC="\(first)" LastEventOutTC="\(last)" \
            NumberofEvents="\(count)"/>
              </Description>
              <Events>

            """
        return Array(head.utf8)
    }
}

/// The sizes that BDN XML has names for.
enum BDNVideoFormat {
    private static let names: [(name: String, size: PixelSize)] = [
        ("1080p", PixelSize(width: 1920, height: 1080)),
        ("720p", PixelSize(width: 1280, height: 720)),
        ("576i", PixelSize(width: 720, height: 576)),
        ("480i", PixelSize(width: 720, height: 480)),
        ("2160p", PixelSize(width: 3840, height: 2160)),
        ("1080i", PixelSize(width: 1920, height: 1080)),
        ("576p", PixelSize(width: 720, height: 576)),
        ("480p", PixelSize(width: 720, height: 480)),
    ]

    /// The name of a size, `WIDTHxHEIGHT` where there is none (SubtitleEdit reads that too).
    static func name(of size: PixelSize?) -> String {
        guard let size else { return names[0].name }
        return names.first { $0.size == size }?.name ?? "\(size.width)x\(size.height)"
    }

    /// The size of a name; `nil` for an unknown one.
    static func size(of name: String) -> PixelSize? {
        if let known = names.first(where: { $0.name == name.lowercased() }) { return known.size }
        let sides = name.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
            (1...65535).contains(width), (1...65535).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}
