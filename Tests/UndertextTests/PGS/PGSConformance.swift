import TestSupport
import Testing
import UndertextCore
import UndertextPNG

/// A case of `Fixtures/bitmap/pgs`: a stream, and what its scene looks like.
struct PGSConformanceCase: CustomTestStringConvertible, Sendable {
    struct Shown: Hashable, Sendable {
        var start: Int
        var end: Int
        var endSource: String
        var isForced: Bool
        var image: String
        /// The number of the cue, from 1, whose image represents the entire fade; 0 if not stated.
        var fold: Int
        /// The rectangles of the images: x, y, width, height.
        var rectangles: [[Int]]
    }

    var name: String
    var canvas: PixelSize
    /// `true` if the file is damaged, not the stream in it.
    var isFramingDamaged: Bool
    var shown: [Shown]
    var diagnostics: [String]

    var testDescription: String { name }
    var path: String { fixture("bitmap/pgs/\(name).sup") }

    static let all: [PGSConformanceCase] = {
        guard let bytes = fileBytes(fixture("bitmap/pgs/expected.json")), let json = readJSON(bytes)
        else { return [] }
        return (json["cases"]?.elements ?? []).map(PGSConformanceCase.init)
    }()

    private init(_ json: JSON) {
        name = json["name"]?.text ?? ""
        let cues = json["cues"]?.elements ?? []
        let size = (cues.first?["canvas"]?.elements ?? []).compactMap(\.integer)
        canvas = PixelSize(width: size.first ?? 0, height: size.last ?? 0)
        isFramingDamaged = json["framingDamaged"] == .bool(true)
        diagnostics = (json["diagnostics"]?.elements ?? []).compactMap(\.text)
        shown = cues.map { cue in
            Shown(
                start: cue["start"]?.milliseconds ?? -1, end: cue["end"]?.milliseconds ?? -1,
                endSource: cue["endSource"]?.text ?? "", isForced: cue["forced"] == .bool(true),
                image: cue["image"]?.text ?? "", fold: cue["fold"]?.integer ?? 0,
                rectangles: (cue["pictures"]?.elements ?? []).map { place in
                    ["x", "y", "width", "height"].compactMap { place[$0]?.integer }
                })
        }
    }

    /// The plane that a cue of the case shows.
    func frame(_ shown: Shown) throws -> [UInt8] {
        let bytes = try fixtureBytes("bitmap/pgs/\(shown.image)")
        return try PNGDecoder.decodeRGBA(bytes).rgba
    }

    /// Checks cues against what the case expects.
    func check(
        _ cues: [Cue], against expected: [Shown], _ how: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func line(_ start: Int, _ end: Int, _ source: String, _ forced: Bool) -> String {
            "\(start)–\(end) \(source)\(forced ? " forced" : "")"
        }
        let found = cues.map {
            line(
                Int($0.start.roundedMilliseconds), Int($0.end.roundedMilliseconds),
                $0.endSource.rawValue, $0.isForced)
        }
        let wanted = expected.map { line($0.start, $0.end, $0.endSource, $0.isForced) }
        #expect(found == wanted, "\(name), \(how)", sourceLocation: sourceLocation)
        guard found == wanted else { return }
        for (cue, one) in zip(cues, expected) {
            let difference = difference(
                between: plane(of: [cue], canvas), and: try frame(one), colors: 1)
            #expect(
                difference == nil, "\(name), \(how), \(one.image)", sourceLocation: sourceLocation)
            guard case .images(let content) = cue.content else {
                continue
            }
            let places = content.images.map {
                [$0.x, $0.y, $0.bitmap.width, $0.bitmap.height]
            }
            #expect(places == one.rectangles, "\(name)", sourceLocation: sourceLocation)
        }
    }
}

/// The plane with the images of cues on it, R, G, B, A; transparent pixels are zero.
func plane(of cues: [Cue], _ size: PixelSize) -> [UInt8] {
    var plane = [UInt8](repeating: 0, count: size.width * size.height * 4)
    for cue in cues {
        guard case .images(let content) = cue.content else { continue }
        for image in content.images {
            let bitmap = image.bitmap
            for (index, value) in bitmap.indices.enumerated() {
                let (x, y) = (image.x + index % bitmap.width, image.y + index / bitmap.width)
                let color = bitmap.palette[Int(value)]
                guard color.alpha > 0, x < size.width, y < size.height else { continue }
                let place = (y * size.width + x) * 4
                plane[place] = color.red
                plane[place + 1] = color.green
                plane[place + 2] = color.blue
                plane[place + 3] = color.alpha
            }
        }
    }
    return plane
}

/// The first pixel in which two planes differ: in alpha at all, in color by more than `colors`.
///
/// `nil` where they are equal; colors of transparent pixels do not count.
func difference(between one: [UInt8], and other: [UInt8], colors: Int) -> String? {
    guard one.count == other.count else { return "\(one.count) and \(other.count) bytes" }
    for place in stride(from: 0, to: one.count, by: 4) {
        guard one[place + 3] == other[place + 3] else {
            return "pixel \(place / 4): alpha \(one[place + 3]) and \(other[place + 3])"
        }
        guard one[place + 3] > 0 else { continue }
        for part in 0..<3 where abs(Int(one[place + part]) - Int(other[place + part])) > colors {
            return
                "pixel \(place / 4), part \(part): \(one[place + part]) and \(other[place + part])"
        }
    }
    return nil
}

extension JSON {
    fileprivate var elements: [JSON] { values }
    fileprivate var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
    fileprivate var integer: Int? {
        if case .number(let digits) = self { return Int(digits) }
        return nil
    }
    fileprivate var milliseconds: Int? {
        guard case .number(let digits) = self, let seconds = Double(digits) else { return nil }
        return Int((seconds * 1000).rounded())
    }
}
