import Testing
import UndertextCore
import UndertextFormats

struct TTMLPlacementTests {
    @Test(arguments: [
        // Stated positions, also near the edges and at them.
        (
            "tts:origin='10% 80%' tts:extent='80% 10%' tts:displayAlign='after' tts:textAlign='center'",
            "line:90.0%,end size:80.0%"
        ),
        (
            "tts:origin='10% 10%' tts:extent='80% 20%' tts:textAlign='center'",
            "line:10.0%,start size:80.0%"
        ),
        (
            "tts:origin='0% 80%' tts:extent='100% 20%' tts:displayAlign='after' tts:textAlign='center'",
            "line:100.0%,end"
        ),
        (
            "tts:extent='50% 20%' tts:textAlign='left'",
            "line:0.0%,start position:0.0%,lineLeft size:50.0% align:left"
        ),
        // The entire root states no position: the first and the last line.
        ("tts:textAlign='center' tts:displayAlign='after'", ""),
        ("tts:origin='0% 0%' tts:extent='100% 100%' tts:textAlign='center'", "line:0.0,start"),
        (
            "tts:padding='5%' tts:textAlign='center' tts:displayAlign='after'",
            "line:95.0%,end size:90.0%"
        ),
        (
            "tts:origin='10% 80%' tts:extent='80% 10%' tts:displayAlign='after'",
            "line:90.0%,end position:10.0%,lineLeft size:80.0% align:start"
        ),
        (
            "tts:origin='10% 80%' tts:extent='80% 10%' tts:displayAlign='after' tts:textAlign='end'",
            "line:90.0%,end position:90.0%,lineRight size:80.0% align:end"
        ),
        (
            "tts:origin='10% 30%' tts:extent='50% 20%' tts:textAlign='left'",
            "line:30.0%,start position:10.0%,lineLeft size:50.0% align:left"
        ),
        (
            "tts:origin='10% 30%' tts:extent='50% 20%' tts:textAlign='right' tts:displayAlign='center'",
            "line:40.0%,center position:60.0%,lineRight size:50.0% align:right"
        ),
        (
            "tts:origin='50% 60%' tts:extent='40% 20%' tts:textAlign='center' tts:displayAlign='after'",
            "line:80.0%,end position:70.0%,center size:40.0%"
        ),
        // Units: of the root in pixels, cells, root relative.
        (
            "tts:origin='64px 144px' tts:extent='320px 96px' tts:textAlign='left'",
            "line:30.0%,start position:10.0%,lineLeft size:50.0% align:left"
        ),
        (
            "tts:origin='3.2c 4.5c' tts:extent='16c 3c' tts:textAlign='left'",
            "line:30.0%,start position:10.0%,lineLeft size:50.0% align:left"
        ),
        (
            "tts:origin='10rw 30rh' tts:extent='50rw 20rh' tts:textAlign='left'",
            "line:30.0%,start position:10.0%,lineLeft size:50.0% align:left"
        ),
        // Position instead of an origin.
        (
            "tts:position='center' tts:extent='40% 20%' tts:textAlign='center' tts:displayAlign='center'",
            "line:50.0%,center size:40.0%"
        ),
        (
            "tts:position='right 10% bottom 20%' tts:extent='40% 20%' tts:textAlign='left' tts:displayAlign='after'",
            "line:84.0%,end position:54.0%,lineLeft size:40.0% align:left"
        ),
        (
            "tts:position='25% 50%' tts:extent='40% 20%' tts:textAlign='left'",
            "line:40.0%,start position:15.0%,lineLeft size:40.0% align:left"
        ),
        // Text is not placed on the padding.
        (
            "tts:origin='10% 30%' tts:extent='50% 20%' tts:textAlign='left' tts:padding='10% 20% 0% 10%'",
            "line:32.0%,start position:15.0%,lineLeft size:35.0% align:left"
        ),
        // Writing modes.
        (
            "tts:origin='10% 30%' tts:extent='50% 20%' tts:writingMode='rltb'",
            "line:30.0%,start position:60.0%,lineRight size:50.0% align:right"
        ),
        (
            "tts:origin='70% 10%' tts:extent='20% 80%' tts:writingMode='tbrl'",
            "vertical:rl line:90.0%,end position:10.0%,lineLeft size:80.0% align:start"
        ),
        (
            "tts:origin='10% 10%' tts:extent='20% 80%' tts:writingMode='tblr' tts:textAlign='center'",
            "vertical:lr line:10.0%,start size:80.0%"
        ),
        (
            "tts:origin='70% 10%' tts:extent='20% 80%' tts:writingMode='tb' tts:displayAlign='after'",
            "vertical:rl line:70.0%,start position:10.0%,lineLeft size:80.0% align:start"
        ),
        (
            "tts:direction='rtl' tts:origin='10% 30%' tts:extent='50% 20%'",
            "line:30.0%,start position:60.0%,lineRight size:50.0% align:right"
        ),
        // A malformed length is ignored; a position outside of the video is moved to its edge.
        ("tts:origin='auto' tts:extent='x y' tts:textAlign='center' tts:displayAlign='after'", ""),
        (
            "tts:origin='-900% 300%' tts:extent='1% 1%' tts:textAlign='center'",
            "line:100.0%,start position:0.0%,center"
        ),
    ])
    func regions(_ attributes: String, _ expected: String) {
        let head = "<layout><region xml:id='r' \(attributes)/></layout>"
        let cues = decoded(
            ttml(
                "<div><p region='r'>a</p></div>", head: head, attributes: "tts:extent='640px 480px'"
            )
        ).cues
        #expect(cues.map { dump($0.layout) } == [expected])
    }

    @Test func documentsThatSayNothingOfPlaces() {
        let body = "<div><p end='1s'>a</p><p end='1s' tts:textAlign='left'>b</p></div>"
        #expect(
            decoded(ttml(body, profile: false)).cues.map { dump($0.layout) } == ["", "align:left"])
        // A profile defines that they are those of the entire root.
        #expect(
            decoded(ttml(body)).cues.map { dump($0.layout) } == [
                "line:0.0,start position:0.0%,lineLeft align:start",
                "line:0.0,start position:0.0%,lineLeft align:left",
            ])
    }

    /// Told where the letters would say otherwise.
    @Test(arguments: [
        ("tts:direction='rtl'", "hello", TextDirection.rightToLeft),
        ("tts:direction='rtl'", "\u{645}\u{631}\u{62D}", nil),
        ("", "\u{645}\u{631}\u{62D}", .leftToRight), ("", "hello", nil),
        ("tts:direction='ltr'", "1. \u{5E9}", .leftToRight),
    ])
    func directions(_ attributes: String, _ text: String, _ expected: TextDirection?) {
        let body = "<div><p end='1s' \(attributes)>\(text)</p></div>"
        #expect(decoded(ttml(body)).cues.map(\.layout.direction) == [expected])
    }

    private static let regions =
        "<layout><region xml:id='r' tts:displayAlign='after'/><region xml:id='s'/></layout>"

    @Test func regionsOfContent() {
        let body = """
            <div><p region='r' end='1s'>a<span region='s'>b</span></p>
            <p end='1s'>no<span region='r'>c</span><span region='s'>d</span></p><p end='1s'>e</p>
            <p end='1s' region='none'>f</p></div>
            """
        let result = decoded(ttml(body, head: Self.regions))
        #expect(result.cues.map(\.plainText) == ["ab", "c", "d", "f"])
        #expect(Set(result.codes) == ["no-region", "unknown-region"])
        // Regions that nothing is put into do not take part.
        let free = decoded(ttml("<div><p end='1s'>a</p></div>", head: Self.regions))
        #expect(free.cues.map(\.plainText) == ["a"])
    }

    @Test func theNearestRegionCounts() {
        let body = "<div region='r'><p end='1s'>a</p><p end='1s' region='s'>b</p></div>"
        let cues = decoded(ttml(body, head: Self.regions)).cues
        #expect(cues.map { $0.layout.line } == [nil, 0])
    }

    @Test func regionsInTime() {
        let head = """
            <layout><region xml:id='r' begin='1s' end='8s' tts:origin='10% 30%' tts:extent='80% 20%' tts:textAlign='center'>
            <set begin='2s' dur='2s' tts:origin='10% 50%'/></region></layout>
            """
        let cues = decoded(ttml("<div region='r'><p end='9s'>a</p></div>", head: head)).cues
        #expect(cues.map(line) == ["1000-3000 a", "3000-5000 a", "5000-8000 a"])
        #expect(
            cues.map { dump($0.layout) } == [
                "line:30.0%,start size:80.0%", "line:50.0%,start size:80.0%",
                "line:30.0%,start size:80.0%",
            ])
    }

    @Test func regionsWithinContent() {
        let body = """
            <div><region tts:origin='10% 30%' tts:extent='80% 20%' tts:textAlign='center'/><p end='1s'>a</p></div>
            """
        #expect(decoded(ttml(body)).cues.map { dump($0.layout) } == ["line:30.0%,start size:80.0%"])
    }
}
