import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Documents made to cost time, memory or a trap.
struct TTMLHostileTests {
    /// A document that uses what there is.
    private static let rich = ttml(
        """
        <metadata/><div region="r" timeContainer="seq"><p xml:id="p" begin="00:00:01:05" dur="2.5s" style="a">é
        <span tts:ruby="container"><span tts:ruby="base">漢</span><span tts:ruby="text">k</span></span><br/>
        <set begin="1s" end="2s" tts:color="rgba(1,2,3,4)"/><span begin="0.5s" xml:space="preserve"> b </span></p>
        <div smpte:backgroundImage="#i" dur="1s"/><p itts:forcedDisplay="true" end="9t">c&amp;d</p></div>
        """,
        head: """
            <metadata><ttm:title>T</ttm:title><smpte:image xml:id="i">AAAA</smpte:image></metadata>
            <styling><style xml:id="a" style="b" tts:fontSize="1.2em"/><style xml:id="b" style="a"/></styling>
            <layout><region xml:id="r" tts:position="right 1px bottom 2%" tts:extent="3c 4rh" tts:padding="1% 2%">
            <style tts:displayAlign="after"/><set begin="1s" tts:origin="1% 1%"/></region></layout>
            """,
        attributes: "ttp:tickRate=\"3\" ttp:cellResolution=\"40 20\" tts:extent=\"640px 480px\"")

    @Test func truncatedAtEveryByte() {
        let whole = decoded(Self.rich)
        #expect(whole.cues.count == 5)
        for part in truncations(of: Self.rich) {
            let result = decoded(part)
            #expect(result.cues.count <= whole.cues.count)
            #expect(result.diagnostics.contains { $0.severity == .error })
        }
    }

    @Test func flippedBitsNeverTrap() {
        for damaged in bitFlips(of: Self.rich, count: 3000) {
            let result = decoded(damaged)
            #expect(result.cues.allSatisfy { $0.end > $0.start })
            _ = IntermediateSynchronicDocument.all(of: damaged)
            _ = TTMLSummary(damaged)
        }
    }

    @Test(arguments: [
        "<!DOCTYPE tt><tt xmlns='http://www.w3.org/ns/ttml'/>",
        "<!DOCTYPE tt [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><tt><body>&b;</body></tt>",
        "<!DOCTYPE tt SYSTEM 'file:///etc/passwd'><tt/>",
    ])
    func documentTypesAreRefused(_ text: String) {
        let result = decoded(Array(text.utf8))
        #expect(result.cues.isEmpty && result.codes == ["doctype-refused"])
    }

    @Test func undeclaredEntities() {
        let result = decoded(
            Array("<tt><body><div><p end='1s'>a</p><p>&b;</p></div></body></tt>".utf8))
        #expect(result.cues.map(line) == ["0-1000 a"] && result.codes == ["truncated"])
    }

    /// The style of each letter differs from that before; no letter is lost, and that the rest looks alike is reported.
    @Test(arguments: [9999, 10_000, 12_000]) func stylesWithoutNumber(_ count: Int) throws {
        let spans = (0..<count).map { index in
            "<span tts:color='#\(index % 2 == 0 ? "ff0000" : "00ff00")'>a</span>"
        }
        let result = decoded(ttml("<div><p end='1s'>\(spans.joined())</p></div>"))
        let cue = try #require(result.cues.first)
        guard case .text(let text) = cue.content else {
            Issue.record("no text")
            return
        }
        #expect(text.plainText == String(repeating: "a", count: count))
        #expect(text.runs.count == min(count, 10_000))
        #expect(result.codes == (count < 10_000 ? [] : ["complex-text"]))
        // Ruby beyond the limit becomes plain text.
        let ruby =
            "<span tts:ruby='container'><span tts:ruby='base'>x</span><span tts:ruby='text'>y</span></span>"
        let more = decoded(ttml("<div><p end='1s'>\(spans.joined())\(ruby)</p></div>"))
        let last = try #require(more.cues.first?.plainText)
        #expect(last.hasSuffix("x(y)"))
        #expect(more.codes == ["complex-text"])
    }

    @Test func depth() {
        let open = String(repeating: "<span>", count: 300)
        let result = decoded(
            Array("<tt><body><div><p end='1s'>a\(open)</p></div></body></tt>".utf8))
        #expect(result.codes == ["xml-too-deep"] && result.cues.map(line) == ["0-1000 a"])
    }

    @Test func attributesTextsAndPrefixes() {
        let attributes = (0..<20_000).map { " x\($0)=''" }.joined()
        let prefixes = (0..<20_000).map { " xmlns:n\($0)='u'" }.joined()
        let text = String(repeating: "ab ", count: 300_000)
        let document = ttml(
            "<div><p end='1s'\(attributes)>\(text)</p><p end='1s'\(prefixes)>b</p></div>")
        let cues = decoded(document).cues
        #expect(cues.map { $0.plainText?.utf8.count } == [899_999, 1])
    }

    @Test func chainsOfStyles() {
        let count = 20_000
        let chain = (0..<count).map { "<style xml:id='s\($0)' style='s\($0 + 1)'/>" }.joined()
        let last = "<style xml:id='s\(count)' tts:color='red'/>"
        let doubled = (0..<200).map {
            "<style xml:id='d\($0)' style='d\($0 + 1) d\($0 + 1)' tts:color='lime' tts:opacity='1'/>"
        }.joined()
        let head = "<styling>\(chain)\(last)\(doubled)</styling>"
        let cues = decoded(
            ttml("<div><p style='s0' end='1s'>a</p><p style='d0' end='1s'>b</p></div>", head: head)
        ).cues
        #expect(cues.map { look(styledText($0)) } == ["a[color=ff0000ff]", "b[color=00ff00ff]"])
    }

    @Test func loopsOfManyStyles() {
        let count = 5000
        let loop = (0..<count).map {
            "<style xml:id='s\($0)' style='s\(($0 + 1) % count) s\(($0 * 7) % count)' tts:color='red'/>"
        }.joined()
        let result = decoded(
            ttml("<div><p style='s0' end='1s'>a</p></div>", head: "<styling>\(loop)</styling>"))
        #expect(result.cues.count == 1 && Set(result.codes) == ["style-loop"])
        #expect(result.diagnostics.count <= 21)
    }

    @Test func floodsOfRegions() {
        let regions = (0..<30_000).map { "<region xml:id='r\($0)' tts:origin='1% 1%'/>" }.joined()
        let spans = (0..<3000).map { "<span region='r\($0)'>x</span>" }.joined()
        let result = decoded(
            ttml(
                "<div><p region='r29999' end='1s'>a</p><p end='1s'>\(spans)</p></div>",
                head: "<layout>\(regions)</layout>"))
        // One paragraph is put into no more than 64 regions.
        #expect(result.cues.count == 65)
        #expect(Set(result.codes) == ["too-many-regions"])
    }

    /// A long text that is cut at the times of many short ones would be repeated each time.
    @Test func textsThatAreRepeated() {
        let text = String(repeating: "ab ", count: 10_000)
        let spans = (1...2000).map { "<span begin='\($0)s' end='\($0 + 1)s'>\($0)</span>" }.joined()
        var limits = Limits()
        limits.packetSize = 1 << 20
        let result = decoded(
            ttml("<div><p end='9999s'>\(text)\(spans)</p></div>"), limits: limits)
        let size = result.cues.reduce(0) { $0 + ($1.plainText?.utf8.count ?? 0) }
        #expect((1 << 19..<2 << 20).contains(size) && result.codes == ["too-complex"])
        #expect(result.cues.last?.end == .seconds(9999))
    }

    /// The ancestors of many texts are visited once, not for each text.
    @Test func textsDeepWithinOthers() {
        let open = String(repeating: "<div>", count: 240)
        let close = String(repeating: "</div>", count: 240)
        let texts = String(repeating: "<div><p end='1s'>a</p></div>", count: 20_000)
        let result = decoded(ttml(open + texts + close))
        #expect(result.cues.count == 20_000 && result.diagnostics.isEmpty)
    }

    /// Everything changes at all times: the work is limited, and the limit is reported.
    @Test func animationsOfEverything() {
        let sets = (0..<4000).map { index in
            "<set begin='\(index)s' dur='1s' tts:color='#0000\(index % 10)\(index % 7)'/>"
        }.joined()
        let texts = String(repeating: "<p>a</p>", count: 2000)
        var limits = Limits()
        limits.cues = 20_000
        let result = decoded(ttml("<div>\(sets)\(texts)</div>"), limits: limits)
        #expect(result.cues.count >= 2000 && result.cues.count < 24_100)
        #expect(result.codes == ["too-complex"])
    }

    @Test func sequenceOfManyChildren() {
        let count = 100_000
        let texts = String(repeating: "<p dur='1s'>a</p>", count: count)
        let cues = decoded(ttml("<div timeContainer='seq'>\(texts)</div>")).cues
        #expect(cues.count == count)
        #expect(cues.last.map(line) == "\((count - 1) * 1000)-\(count * 1000) a")
    }

    @Test func limitsOfElementsAndCues() {
        var limits = Limits()
        limits.cues = 50
        let texts = String(repeating: "<p end='1s'>a</p>", count: 60)
        let many = decoded(ttml("<div>\(texts)</div>"), limits: limits)
        #expect(many.cues.count == 50 && many.codes == ["too-many-cues"])
        let more = decoded(ttml("<div>\(texts)\(texts)</div>"), limits: limits)
        #expect(more.codes.contains("too-many-elements"))
    }

    @Test func timesThatOverflow() {
        let body = """
            <div begin="99999999999999h"><p begin="99999999999999h" dur="99999999999999h">a</p>
            <p timeContainer="seq"><span dur="99999999999999h">b</span><span dur="99999999999999h">c</span></p></div>
            """
        for cue in decoded(ttml(body)).cues { #expect(cue.end > cue.start) }
        let packets = decoded(
            packet(ttml(body), pts: .max, duration: 1), packet(ttml(body), pts: .min, duration: 9),
            packet(ttml(body), pts: 1, duration: .max), packet(ttml(body), pts: nil, duration: 5))
        #expect(packets.cues.allSatisfy { $0.end > $0.start })
    }

    /// A million paragraphs in a few places keep a few copies of them.
    @Test func cuesOfOnePlaceShareIt() throws {
        let head = """
            <layout><region xml:id='a' tts:origin='10% 10%' tts:extent='80% 10%'/>
            <region xml:id='b' tts:origin='10% 80%' tts:extent='80% 10%'/></layout>
            """
        let body = (0..<100).map { index in
            "<p begin='\(index)s' dur='1s' region='\(index < 60 ? "a" : "b")'>\(index)</p>"
        }.joined()
        let cues = decoded(ttml("<div>\(body)</div>", head: head)).cues
        #expect(cues.count == 100)
        let copies = zip(cues, cues.dropFirst()).filter { !$0.sharesExtras(with: $1) }.count
        #expect(copies == 1)
    }
}
