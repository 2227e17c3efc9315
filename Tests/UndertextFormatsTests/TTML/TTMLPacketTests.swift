import Testing
import UndertextCore
import UndertextFormats

/// Packets of a track rather than files: times, cutting and joining, images.
struct TTMLPacketTests {
    private func sample(_ body: String, _ pts: Int64, _ duration: Int64?) -> Packet {
        packet(ttml("<div>\(body)</div>"), pts: pts, duration: duration)
    }

    @Test func nothingIsShownOutsideAPacket() {
        let body =
            "<p end='5s'>a</p><p begin='8s' end='12s'>b</p><p begin='15s' end='40s'>c</p><p begin='18s'>d</p>"
        let cues = decoded(sample(body, 10_000, 10_000)).cues
        #expect(cues.map(line) == ["10000-12000 b", "15000-20000 c", "18000-20000 d"])
        #expect(cues.map(\.endSource) == [.explicit, .containerDuration, .containerDuration])
        let all = decoded(sample(body, 10_000, 10_000), clips: false).cues
        #expect(all.map(line) == ["0-5000 a", "8000-12000 b", "15000-40000 c", "18000-40000 d"])
    }

    /// The last sample of fragments by libavformat: when it begins is known.
    @Test func nothingIsShownBeforeAPacketWithoutALength() {
        let body = "<p end='5s'>a</p><p begin='8s' end='12s'>b</p><p begin='15s' end='16s'>c</p>"
        #expect(
            decoded(sample(body, 10_000, nil)).cues.map(line)
                == ["10000-12000 b", "15000-16000 c"])
        let open = decoded(sample("<p>a</p>", 10_000, nil)).cues
        #expect(open.map(line) == ["10000-20000 a"] && open.map(\.endSource) == [.clamped])
    }

    /// The times of the document are others than those of the packet.
    @Test(arguments: [-100, 100])
    func aPacketWithoutAnEndOnAnotherClock(_ offset: Int64) {
        var moved = packet(
            ttml("<div><p begin='101s' end='102s'>a</p></div>"), pts: 0, duration: .max)
        moved.timeBase = .nanoseconds
        moved.sideData.append(SideData.inlineTimeOffset(.seconds(offset)))
        let second = 1000 * (101 + offset)
        #expect(decoded(moved).cues.map(line) == ["\(second)-\(second + 1000) a"])
    }

    @Test func timesFromTheStartOfThePacket() {
        var relative = stream(.ttml)
        relative.inlineTimeOrigin = .packet
        let cues = decoded(
            sample("<p begin='1s' end='3s'>a</p>", 10_000, 2000), stream: relative
        ).cues
        #expect(cues.map(line) == ["11000-12000 a"])
    }

    @Test func continuedContentIsOneCue() {
        let both = "<p xml:id='i' begin='8s' end='15s'>a</p>"
        let first = sample(both + "<p begin='9s' end='10s'>x</p>", 0, 10_000)
        let next = sample(both + "<p begin='10s' end='11s'>y</p>", 10_000, 10_000)
        let cues = decoded(first, next).cues
        #expect(cues.map(line) == ["8000-15000 a", "9000-10000 x", "10000-11000 y"])
        // A third one, and one that looks different.
        let long = "<p begin='8s' end='99s'>a</p>"
        let three = decoded(
            sample(long, 0, 10_000), sample(long, 10_000, 10_000), sample(long, 20_000, 10_000))
        #expect(three.cues.map(line) == ["8000-30000 a"])
        let other = "<p begin='10s' end='15s' tts:color='red'>a</p>"
        let two = decoded(sample(both, 0, 10_000), sample(other, 10_000, 10_000))
        #expect(two.cues.map(line) == ["8000-10000 a", "10000-15000 a"])
        // A gap between the packets is one on screen.
        let gap = decoded(sample(long, 0, 10_000), sample(long, 11_000, 10_000))
        #expect(gap.cues.map(line) == ["8000-10000 a", "11000-21000 a"])
    }

    @Test func packetsThatAreNoTTML() {
        let result = decoded(
            packet("hello", sideData: []), packet("<a/>"), packet([]),
            sample("<p end='99s'>a</p>", 10_000, 2000))
        #expect(result.cues.map(line) == ["10000-12000 a"])
        #expect(result.codes == ["malformed-xml", "not-ttml", "malformed-xml"])
        #expect(result.diagnostics.allSatisfy { $0.severity == .error && $0.byteOffset == 500 })
    }

    @Test func seeksForgetWhatWasHeld() {
        var decoder = TTMLDecoder(stream: stream(.ttml))
        #expect(decoder.decode(sample("<p end='99s'>a</p>", 0, 10_000)).isEmpty)
        decoder.reset()
        let cues = drafts(
            decoder.decode(sample("<p end='99s'>a</p>", 10_000, 10_000)) + decoder.finish())
        #expect(cues.map { line($0.cue()) } == ["10000-20000 a"])
    }

    // MARK: Images

    /// The signature and the header of a PNG of 4 × 2 pixels: as much as placing one needs.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, 4, 0, 0, 0, 2]

    private static let base64 = "iVBORw0KGgoAAAANSUhEUgAA\nAAQAAAAC"

    private func image(_ png: [UInt8], _ x: Int, _ y: Int) -> TTMLDrawnImage {
        guard png == Self.png,
            let bitmap = IndexedBitmap(
                width: 4, height: 2, indices: [UInt8](repeating: 0, count: 8), palette: [.white])
        else { return .failed("another image") }
        return .decoded(PlacedBitmap(x: x, y: y, bitmap: bitmap), isExact: true)
    }

    @Test(arguments: [
        "<div region='r' begin='1s' end='2s' smpte:backgroundImage='#i'/>",
        "<div region='r' begin='1s' end='2s' smpte:backgroundImage='a.png'/>",
        "<div region='r' begin='1s' end='2s' tts:backgroundImage='url(\"a.png\")'/>",
        "<div region='r'><image src='#i' begin='1s' end='2s'/></div>",
        "<div region='r' begin='1s' end='2s'><image><source><data encoding='base64'>\(base64)</data></source></image></div>",
        "<div region='r' begin='1s' end='2s'><image src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAC'/></div>",
    ])
    func imagesAreCuesAtTheirRegion(_ body: String) throws {
        let head = """
            <metadata><smpte:image xml:id='i' imageType='PNG' encoding='Base64'>\(Self.base64)</smpte:image></metadata>
            <layout><region xml:id='r' tts:origin='100px 50px' tts:extent='4px 2px'/></layout>
            """
        let document = ttml(body, head: head, attributes: "tts:extent='640px 480px'")
        var input = packet(document, pts: 0, duration: nil)
        input.sideData = [LinkedFile.sideData(name: "a.png", bytes: Self.png)]
        let result = decoded(input, images: image)
        let cue = try #require(result.cues.first)
        #expect(result.cues.count == 1 && result.diagnostics.isEmpty)
        #expect(line(cue) == "1000-2000 ")
        guard case .images(let images) = cue.content else {
            Issue.record("no image")
            return
        }
        #expect(images.canvas == PixelSize(width: 640, height: 480))
        #expect(images.images.map(\.x) == [100] && images.images.map(\.y) == [50])
        let facts = try #require(TTMLSummary(document))
        #expect(facts.hasImages && !facts.hasText && facts.size == images.canvas)
    }

    @Test(arguments: [
        ("../a.png", "unsafe-name"), ("/etc/a.png", "unsafe-name"),
        ("http://x/a.png", "unsafe-name"),
        ("file:a.png", "unsafe-name"), ("..", "unsafe-name"), ("b.png", "missing-image"),
        ("#none", "missing-image"), ("data:image/png,xx", "malformed-image"),
        ("data:;base64,!!", "malformed-image"), ("data:;base64,AAAA", "malformed-image"),
    ])
    func imagesThatCannotBeShown(_ address: String, _ code: String) throws {
        let document = ttml("<div end='1s' smpte:backgroundImage='\(address)'/>")
        let result = decoded(packet(document, pts: 0, duration: nil), images: image)
        #expect(result.cues.isEmpty && result.codes == [code])
        #expect(
            try #require(TTMLSummary(document)).imageFiles == (address == "b.png" ? ["b.png"] : []))
    }
}
