import TestSupport
import Testing
import UndertextCore
import UndertextPNG

@testable import Undertext

/// A case of a conformance set: `Fixtures/bitmap/<codec>/expected.json`, by the sets' generators.
struct BitmapConformanceCase: Sendable, CustomTestStringConvertible {
    struct Box: Hashable, Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    struct ExpectedCue: Sendable {
        var start: Int64
        var end: Int64
        var endSource: String
        var isForced: Bool
        var canvas: PixelSize
        var image: String
        var boxes: [Box]
    }

    var name: String
    var file: String
    var cues: [ExpectedCue]
    var diagnostics: [String]
    var isHearingImpaired: Bool

    var testDescription: String { name }

    /// The path of the input.
    func path(_ codec: String) -> String { fixture("bitmap/\(codec)/\(file)") }

    /// All cases of a codec's folder, by name.
    static func all(_ codec: String) -> [BitmapConformanceCase] {
        guard let bytes = fileBytes(fixture("bitmap/\(codec)/expected.json")),
            let cases = readJSON(bytes)?["cases"]
        else { return [] }
        return cases.values.map(BitmapConformanceCase.init)
    }

    private init(_ json: JSON) {
        name = json["name"].text
        file = json["file"].text
        diagnostics = json["diagnostics"]?.values.map { Optional($0).text } ?? []
        isHearingImpaired = json["hearingImpaired"] == .bool(true)
        cues = (json["cues"]?.values ?? []).map { cue in
            ExpectedCue(
                start: cue["start"].milliseconds, end: cue["end"].milliseconds,
                endSource: cue["endSource"].text, isForced: cue["forced"] == .bool(true),
                canvas: PixelSize(
                    width: cue["canvas"]?.values.first.number ?? 0,
                    height: cue["canvas"]?.values.last.number ?? 0),
                image: cue["image"].text,
                boxes: (cue["pictures"]?.values ?? []).map { box in
                    Box(
                        x: box["x"].number, y: box["y"].number, width: box["width"].number,
                        height: box["height"].number)
                })
        }
    }
}

extension JSON? {
    fileprivate var text: String {
        if case .string(let text) = self { return text }
        if case .number(let text) = self { return text }
        return ""
    }

    fileprivate var number: Int { Int(text) ?? -1 }

    fileprivate var milliseconds: Int64 { Int64(((Double(text) ?? -1) * 1000).rounded()) }
}

extension BitmapConformanceCase {
    /// Compares times, ends, places and pixels: opacity exactly, colors within `tolerance`.
    func check(_ found: [Cue], codec: String, tolerance: Int = 1) throws {
        #expect(found.count == cues.count, "\(name): \(found.map(\.start))")
        for (number, (cue, expected)) in zip(found, cues).enumerated() {
            let place = Comment(rawValue: "\(name), cue \(number + 1)")
            #expect(cue.start.roundedMilliseconds == expected.start, place)
            #expect(cue.end.roundedMilliseconds == expected.end, place)
            #expect(cue.endSource.rawValue == expected.endSource, place)
            #expect(cue.isForced == expected.isForced, place)
            guard case .images(let content) = cue.content else {
                Issue.record("\(name): not an image")
                continue
            }
            #expect(content.canvas == expected.canvas, place)
            let boxes = content.images.map {
                Box(x: $0.x, y: $0.y, width: $0.bitmap.width, height: $0.bitmap.height)
            }
            #expect(boxes == expected.boxes, place)
            let png = try fixtureBytes("bitmap/\(codec)/\(expected.image)")
            let image = try PNGDecoder.decodeRGBA(png, largestSide: 8192)
            let ours = canvasPixels(content, expected.canvas)
            let wrong = Self.firstDifference(ours, image.rgba, tolerance)
            if let wrong {
                let (x, y) = (wrong / 4 % image.width, wrong / 4 / image.width)
                let one = ours[wrong / 4 * 4..<wrong / 4 * 4 + 4]
                let other = image.rgba[wrong / 4 * 4..<wrong / 4 * 4 + 4]
                Issue.record(
                    "\(name), cue \(number + 1): pixel \(x),\(y) is \(Array(one)), not \(Array(other))"
                )
            }
        }
    }

    /// The index of the first byte that differs; colors of what is invisible do not count.
    private static func firstDifference(
        _ ours: [UInt8], _ expected: [UInt8], _ tolerance: Int
    ) -> Int? {
        guard ours.count == expected.count else { return 0 }
        return ours.indices.first { index in
            let alpha = index | 3
            if ours[alpha] != expected[alpha] { return true }
            return index != alpha && ours[alpha] != 0
                && abs(Int(ours[index]) - Int(expected[index])) > tolerance
        }
    }
}

/// The images of a cue on their canvas, R, G, B, A; each lies over those before where it is not
/// transparent.
func canvasPixels(_ content: CueImages, _ size: PixelSize) -> [UInt8] {
    var frame = [UInt8](repeating: 0, count: size.width * size.height * 4)
    for image in content.images {
        let pixels = image.bitmap.rgba
        for y in 0..<image.bitmap.height where image.y + y < size.height {
            for x in 0..<image.bitmap.width where image.x + x < size.width {
                let source = (y * image.bitmap.width + x) * 4
                guard pixels[source + 3] != 0 else { continue }
                let target = ((image.y + y) * size.width + image.x + x) * 4
                frame.replaceSubrange(target..<target + 4, with: pixels[source..<source + 4])
            }
        }
    }
    return frame
}

/// A track of a file as packets, to decode parts of it again and again.
struct PacketTrack {
    let stream: StreamDescription
    let packets: [Packet]
    private let container: ContainerDescription

    init(_ path: String, stream index: Int, io: ReadPathPreference = .auto) throws {
        var options = Media.Options()
        options.timeline = .source
        options.io = io
        let file = try Media(path, options: options)
        container = file.description
        let track = try file.subtitleTrack(id: index)
        stream = track.stream
        let reader = try track.packetReader()
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        self.packets = packets
    }

    /// The cues and diagnostics of the decoder; for a window, the cues that are on screen in it.
    func cues(in window: TimeWindow = .all) throws -> (cues: [Cue], diagnostics: [Diagnostic]) {
        let found = DiagnosticSink()
        var decoder = try TrackDecoder(
            stream: stream, mapping: TimelineMapping(view: .source, container: container),
            container: container, forcedOnly: false, limits: Limits(), diagnostics: found)
        var part = PacketWindow(window, streams: [stream], limit: .max)
        var cues: [Cue] = []
        for packet in packets where !part.isDone {
            let chosen = window.isAll ? [packet] : part.add(packet)
            cues += chosen.flatMap { decoder.decode($0) }
        }
        cues += part.finish().flatMap { decoder.decode($0) } + decoder.finish()
        cues.removeAll { !window.overlaps(from: $0.start, until: $0.end) }
        return (cues, found.take())
    }
}
