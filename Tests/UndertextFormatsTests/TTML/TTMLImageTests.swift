import Synchronization
import Testing
import UndertextCore
import UndertextFormats

/// The number of times that images of a document are decoded and held.
struct TTMLImageTests {
    /// Counts the images that were decoded, and makes them all one bitmap within a margin of a pixel.
    private final class Workshop: Sendable {
        let count = Mutex(0)
        let bitmap: IndexedBitmap

        init?(side: Int) {
            // With all colors used, the pixels need not be examined.
            let palette = (0..<256).map { RGBA(rawValue: UInt32($0) << 8 | 0x80) }
            guard
                let bitmap = IndexedBitmap(
                    width: side, height: side,
                    indices: [UInt8](repeating: 0, count: side * side), palette: palette)
            else { return nil }
            self.bitmap = bitmap
        }

        var decode: TTMLDecoder.ImageDecoder {
            { [self] _, x, y in
                count.withLock { $0 += 1 }
                return .decoded(PlacedBitmap(x: x + 1, y: y + 1, bitmap: bitmap), isExact: true)
            }
        }
    }

    /// The part of a PNG that placing it requires, in base64; `number` makes different ones.
    private func image(_ id: String, number: UInt8 = 0) -> String {
        "<smpte:image xml:id='\(id)'>iVBORw0KGgoAAAANSUhEUgAAAAoAAAAK"
            + String(repeating: "A", count: 4 * Int(number)) + "</smpte:image>"
    }

    private func placed(_ cue: Cue) throws -> PlacedBitmap {
        guard case .images(let images) = cue.content else {
            throw UndertextError(.unsupported, "no image")
        }
        return try #require(images.images.first)
    }

    private func decode(_ body: String, _ head: String, _ workshop: Workshop) -> DecodedTTML {
        let document = ttml(body, head: head, attributes: "tts:extent='100px 100px'")
        return decoded(packet(document, pts: 0, duration: nil), images: workshop.decode)
    }

    @Test func onceForEachImage() throws {
        let workshop = try #require(Workshop(side: 8))
        let head = """
            <metadata>\(image("i"))\(image("j", number: 1))</metadata><layout>
            <region xml:id='a' tts:origin='0px 0px' tts:extent='10px 10px'/>
            <region xml:id='b' tts:origin='50px 60px' tts:extent='10px 10px'/></layout>
            """
        let body = (0..<200).map { index in
            "<div region='\(index % 2 == 0 ? "a" : "b")' begin='\(index)s' dur='1s'"
                + " smpte:backgroundImage='#\(index % 3 == 0 ? "j" : "i")'/>"
        }.joined()
        let result = decode(body, head, workshop)
        #expect(result.cues.count == 200 && result.diagnostics.isEmpty)
        #expect(workshop.count.withLock { $0 } == 2)
        for (index, cue) in result.cues.enumerated() {
            let image = try placed(cue)
            let corner = index % 2 == 0 ? [1, 1] : [51, 61]
            #expect([image.x, image.y] == corner)
        }
    }

    @Test func failuresAreReportedEachTimeAndTriedOnce() throws {
        let workshop = try #require(Workshop(side: 8))
        let body = (0..<3).map { "<div begin='\($0)s' dur='1s' smpte:backgroundImage='#i'/>" }
        let head = "<metadata><smpte:image xml:id='i'>AAAA</smpte:image></metadata>"
        let result = decode(body.joined(), head, workshop)
        #expect(result.cues.isEmpty)
        #expect(result.codes == ["malformed-image", "malformed-image", "malformed-image"])
    }

    @Test func noMorePixelsThanCanBeHeld() throws {
        let workshop = try #require(Workshop(side: 8192))
        let images = (0..<6).map { image("i\($0)", number: UInt8($0)) }.joined()
        let body = (0..<8).map {
            "<div begin='\($0)s' dur='1s' smpte:backgroundImage='#i\($0 % 6)'/>"
        }.joined()
        let result = decode(body, "<metadata>\(images)</metadata>", workshop)
        // Four images of 2^26 pixels; the first two are shown again.
        #expect(result.cues.map(\.start.roundedMilliseconds) == [0, 1000, 2000, 3000, 6000, 7000])
        #expect(result.codes == ["too-many-pixels", "too-many-pixels"])
        #expect(result.diagnostics.allSatisfy { $0.severity == .error })
    }

    @Test func opacity() throws {
        let workshop = try #require(Workshop(side: 8))
        let head = "<metadata>\(image("i"))</metadata>"
        let body = """
            <div end='1s' smpte:backgroundImage='#i'/>
            <div tts:opacity='0.5'><div begin='1s' end='2s' tts:opacity='0.5' smpte:backgroundImage='#i'/></div>
            <div begin='2s' end='3s' tts:opacity='0' smpte:backgroundImage='#i'/>
            """
        let result = decode(body, head, workshop)
        #expect(result.cues.count == 2 && workshop.count.withLock { $0 } == 1)
        let alphas = try result.cues.map { try placed($0).bitmap.palette[0].alpha }
        #expect(alphas == [0x80, 0x20])
    }

    @Test func equalImagesOfTwoPacketsAreOneCue() throws {
        let workshop = try #require(Workshop(side: 8))
        let body = "<div end='20s' smpte:backgroundImage='#i'/>"
        let document = ttml(body, head: "<metadata>\(image("i"))</metadata>")
        let cues = decoded(
            packet(document, pts: 0, duration: 10_000),
            packet(document, pts: 10_000, duration: 10_000), images: workshop.decode
        ).cues
        #expect(cues.map(line) == ["0-20000 "])
    }
}
