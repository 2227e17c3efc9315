import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct BDNReaderTests {
    private func document(
        _ events: String, format: String = "VideoFormat=\"1080p\" FrameRate=\"25\""
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <BDN Version="0.93"><Description><Name Title="film" Content=""/>
        <Language Code="ger"/><Format \(format) DropFrame="False"/>
        <Events Type="Graphic" NumberofEvents="1"/></Description>
        <Events>\(events)</Events></BDN>
        """
    }

    private func event(
        _ start: String, _ end: String, _ graphics: String = Self.graphic("0001.png")
    ) -> String {
        "<Event InTC=\"\(start)\" OutTC=\"\(end)\" Forced=\"False\">\(graphics)</Event>"
    }

    private static func graphic(_ name: String) -> String {
        "<Graphic Width=\"600\" Height=\"80\" X=\"660\" Y=\"950\">\(name)</Graphic>"
    }

    private static func read(_ text: String) throws(UndertextError) -> BDNDocument {
        try BDNReader.read(Array(text.utf8))
    }

    @Test func filesOfOtherPrograms() throws {
        // The forms of BDSup2Sub, SubtitleEdit (lower case) and avs2bdnxml (content times).
        let text = document(
            """
            <Event InTC="00:00:02:00" OutTC="00:00:03:12" Forced="true" ContentInTC="00:00:02:00">
              <Graphic Width="600" Height="80" X="660" Y="950"> 0001.png
              </Graphic><Graphic Width="10" Height="8" X="0" Y="0">0001_1.png</Graphic></Event>
            """ + event("00:00:01:00", "00:00:01:25"))
        let found = try Self.read(text)
        #expect(found.title == "film" && found.language == LanguageTag("de"))
        #expect(found.canvas == PixelSize(width: 1920, height: 1080))
        #expect(found.frameRate == .pal)
        #expect(found.diagnostics.isEmpty)
        #expect(found.events.map(\.start) == [.milliseconds(1000), .milliseconds(2000)])
        #expect(found.events.map(\.end) == [.milliseconds(2000), .milliseconds(3480)])
        #expect(found.events.map(\.isForced) == [false, true])
        #expect(found.events[1].graphics.map(\.file) == ["0001.png", "0001_1.png"])
        #expect(found.events[1].graphics[0].x == 660 && found.events[1].graphics[0].height == 80)
    }

    @Test(arguments: [
        ("23.976", FrameRate.film), ("24.000", .cinema), ("29,97", .ntsc), ("59.94", .ntscFields),
        ("50", .palFields), ("30", nil), ("", nil), ("2397.6", nil), ("-25", nil), ("25.x", nil),
    ])
    func frameRates(_ stated: String, _ rate: FrameRate?) throws {
        let text = document(
            event("00:00:01:00", "00:00:02:00"),
            format: "VideoFormat=\"720p\" FrameRate=\"\(stated)\"")
        let found = try Self.read(text)
        #expect(found.frameRate == rate ?? .film)
        #expect(found.diagnostics.isEmpty == (rate != nil))
    }

    @Test func longValuesAreCutInMessages() throws {
        let long = String(repeating: "9", count: 100_000)
        let found = try Self.read(
            document(event("00:00:01:00", "00:00:02:00"), format: "FrameRate=\"\(long)\""))
        #expect(found.diagnostics.map(\.code).contains("unknown-frame-rate"))
        #expect(found.diagnostics.allSatisfy { $0.message.utf8.count < 200 })
    }

    @Test(arguments: [
        "../0001.png", "/etc/passwd", "a/b.png", "..", ".", "", "a\\b.png", "  ",
        "a&#10;b.png",
    ])
    func namesStayInTheFolder(_ name: String) throws {
        let text = document(event("00:00:01:00", "00:00:02:00", Self.graphic(name)))
        let found = try Self.read(text)
        #expect(found.events.isEmpty)
        #expect(found.diagnostics.map(\.code) == ["unsafe-name", "empty-event"])
    }

    @Test(arguments: [
        ("00:00:01:00", "00:00:01:00"), ("00:00:02:00", "00:00:01:00"), ("", "00:00:01:00"),
        ("0:0:0", "00:00:01:00"), ("00:61:00:00", "00:99:00:00"), ("00:00:00:26", "00:00:09:00"),
        ("99999:00:00:00", "99999:00:01:00"),
    ])
    func timesThatMeanNothing(_ start: String, _ end: String) throws {
        let found = try Self.read(document(event(start, end)))
        #expect(found.events.isEmpty)
        #expect(found.diagnostics.map(\.code) == ["malformed-time"])
    }

    @Test(arguments: [
        ("X=\"abc\" Y=\"5\"", 0, 5), ("X=\"7\"", 7, 0), ("X=\"7\" Y=\"99999999\"", 7, 0),
    ])
    func placesThatAreNone(_ place: String, _ x: Int, _ y: Int) throws {
        let found = try Self.read(
            document(event("00:00:01:00", "00:00:02:00", "<Graphic \(place)>1.png</Graphic>")))
        let graphic = try #require(found.events.first?.graphics.first)
        #expect(graphic.x == x && graphic.y == y)
        #expect(found.diagnostics.map(\.code) == ["bad-position"])
        #expect(found.diagnostics.first?.severity == .warning)
    }

    @Test func formatsThatSayNothing() throws {
        let shown = event("00:00:01:00", "00:00:02:00")
        let without = try Self.read("<BDN><Events>\(shown)</Events></BDN>")
        #expect(without.diagnostics.map(\.code) == ["missing-format"])
        #expect(without.frameRate == .film && without.canvas == nil && without.events.count == 1)
        let unknown = try Self.read(document(shown, format: "VideoFormat=\"big\" FrameRate=\"25\""))
        #expect(unknown.diagnostics.map(\.code) == ["unknown-video-format"])
    }

    @Test func otherXML() {
        #expect(throws: UndertextError.self) { try Self.read("<tt/>") }
        #expect(throws: UndertextError.self) {
            try Self.read("<!DOCTYPE BDN [<!ENTITY a 'b'>]>" + document(""))
        }
        #expect(throws: UndertextError.self) { try Self.read("") }
        #expect(BDNReader.recognizes(Array(document("").utf8)))
        #expect(BDNReader.recognizes([0xEF, 0xBB, 0xBF] + Array("<BDN>".utf8)))
        #expect(!BDNReader.recognizes(Array("<tt><b/></tt>".utf8)))
        #expect(!BDNReader.recognizes(Array("PG <BDN".utf8)))
    }

    @Test func ourOwnFiles() throws {
        var writer = BDNWriter(title: "a & b", language: LanguageTag("fr"), frameRate: .film)
        let cue = imageCue(1001, 61_061, [], isForced: true)
        writer.add(
            cue, images: [JSONCueImage(.file("0001.png"), x: 1, y: 2, width: 3, height: 4)])
        for canvas in [PixelSize(width: 1920, height: 800), PixelSize(width: 720, height: 480)] {
            let found = try BDNReader.read(writer.document(canvas: canvas))
            #expect(found.title == "a & b" && found.language == LanguageTag("fr"))
            #expect(found.canvas == canvas && found.frameRate == .film)
            #expect(found.events.map(\.start) == [cue.start])
            #expect(found.events.map(\.end) == [cue.end])
            #expect(found.events.map(\.isForced) == [true])
        }
    }

    @Test func damage() {
        let text = Array(
            document(event("00:00:01:00", "00:00:02:00") + event("00:00:03:00", "00:00:04:00")).utf8
        )
        var whole = 0
        for bytes in truncations(of: text) {
            guard let found = try? BDNReader.read(bytes) else { continue }
            // Truncation is reported.
            #expect(found.diagnostics.contains { $0.code == "truncated" })
            whole = max(whole, found.events.count)
        }
        #expect(whole == 2)
        for bytes in bitFlips(of: text, count: 3000) {
            let found = try? BDNReader.read(bytes)
            #expect(found?.events.count ?? 0 <= 2)
            for graphic in found?.events.flatMap(\.graphics) ?? [] {
                #expect(!graphic.file.contains("/"))
            }
        }
    }

    /// A flood of warnings does not hide that an event is lost.
    @Test func errorsAreReportedAfterManyWarnings() throws {
        let formats = String(
            repeating: "<Format VideoFormat=\"1080p\" FrameRate=\"zz\"/>", count: 200)
        let text = document(event("bogus", "00:00:02:00"))
            .replacing("<Format ", with: formats + "<Format ")
        let found = try Self.read(text)
        #expect(found.diagnostics.contains { $0.severity == .error })
        #expect(found.diagnostics.count <= 300)
    }
}
