import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Outlines, shadows, the distance of lines, lines that do not break, and areas of regions.
struct TTMLEffectsTests {
    private let root = "tts:extent='1000px 500px'"

    /// The styles of the runs of all cues.
    private func styles(_ body: String) -> [TextStyle] {
        let result = decoded(ttml("<div>\(body)</div>", attributes: root))
        #expect(result.diagnostics.isEmpty)
        return result.cues.flatMap { styledText($0).runs.map(\.style) }
    }

    @Test(arguments: [
        ("red 5px", RGBA(rawValue: 0xFF00_00FF), 1000, 0),
        ("5px 10px", RGBA.white, 1000, 2000),
        ("rgba(0, 0, 255, 128) 1rh", RGBA(rawValue: 0x0000_FF80), 1000, 0),
        // Of a font of 10 % of the height.
        ("#00FF00 10%", RGBA(rawValue: 0x00FF_00FF), 1000, 0),
        ("#00FF00 0.1em 1c", RGBA(rawValue: 0x00FF_00FF), 1000, 6667),
    ])
    func outlines(_ value: String, _ color: RGBA, _ width: Int, _ blur: Int) {
        let found = styles("<p end='1s' tts:textOutline='\(value)' tts:fontSize='50px'>a</p>")
        #expect(found.map(\.outline) == [TextOutline(color: color, width: width, blur: blur)])
    }

    @Test func shadows() {
        let value = "1px -2px, 5px 5px 10px rgba(1,2,3,4), 1em 1em red"
        let found = styles(
            "<p end='1s' tts:color='lime' tts:textShadow='\(value)' tts:fontSize='50px'>a</p>")
        #expect(
            found.map(\.shadows) == [
                [
                    TextShadow(color: RGBA(rawValue: 0x00FF_00FF), x: 200, y: -400),
                    TextShadow(color: RGBA(rawValue: 0x0102_0304), x: 1000, y: 1000, blur: 2000),
                    TextShadow(color: RGBA(rawValue: 0xFF00_00FF), x: 10_000, y: 10_000),
                ]
            ])
    }

    /// A paragraph has one distance of lines, each span its own way of breaking them.
    @Test func lines() {
        let found = styles(
            """
            <p end='1s' tts:lineHeight='150%' tts:fontSize='50px'>a<span tts:fontSize='25px' tts:lineHeight='200%'
            tts:wrapOption='noWrap'>b</span></p>
            """)
        #expect(found.map(\.lineHeight) == [15_000, 15_000])
        #expect(found.map(\.isUnbroken) == [false, true])
    }

    /// `tts:opacity` holds for all that letters have.
    @Test func opacity() {
        let found = styles(
            """
            <p end='1s' tts:opacity='0.5' tts:textOutline='red 1px' tts:textShadow='1px 1px blue'
            tts:backgroundColor='black'>a</p>
            """)
        #expect(found.map(\.color?.alpha) == [128] && found.map(\.background?.alpha) == [128])
        #expect(found.map(\.outline?.color.alpha) == [128])
        #expect(found.flatMap { $0.shadows.map(\.color.alpha) } == [128])
    }

    @Test(arguments: [
        "tts:textOutline='red'", "tts:textOutline='-1px'", "tts:textOutline='1px red 1px 1px'",
        "tts:textShadow='1px'", "tts:textShadow='1px 1px -1px'", "tts:textShadow='1px 1px,'",
        "tts:textShadow='\([String](repeating: "1px 1px", count: 9).joined(separator: ","))'",
        "tts:lineHeight='-1px'", "tts:wrapOption='no'", "tts:showBackground='never'",
    ])
    func valuesThatAreNone(_ attribute: String) {
        let result = decoded(ttml("<div><p end='1s' \(attribute)>a</p></div>"))
        #expect(result.codes == ["bad-style"])
        #expect(result.cues.map { look(styledText($0)) } == ["a"])
    }

    // MARK: Animation

    @Test(arguments: [
        "tts:textOutline='red 1px'", "tts:textShadow='1px 1px red'", "tts:lineHeight='0px'",
        "tts:wrapOption='noWrap'", "tts:opacity='0.5'",
    ])
    func animationsCutCues(_ attribute: String) {
        let result = decoded(ttml("<div><p end='10s'><set begin='5s' \(attribute)/>a</p></div>"))
        #expect(result.cues.map(line) == ["0-5000 a", "5000-10000 a"])
        #expect(result.codes.isEmpty)
        let styles = result.cues.flatMap { styledText($0).runs.map(\.style) }
        #expect(Set(styles).count == 2)
    }

    @Test(.requiresCorpus("imsc-tests"), arguments: ["Animation008", "Animation014"])
    func animationsOfTheCorpus(_ name: String) throws {
        let path = "/imsc-tests/imsc1/ttml/animation/\(name).ttml"
        let document = try #require(fileBytes(Repository.corpus + path))
        let result = decoded(document)
        #expect(result.cues.map(\.start) == [.zero, .seconds(5)])
        #expect(result.cues.map(\.end) == [.seconds(5), .seconds(10)])
        #expect(result.codes.isEmpty)
    }

    // MARK: Regions

    @Test(arguments: [(nil, true), ("always", true), ("whenActive", false)])
    func areas(_ stated: String?, _ isAlways: Bool) {
        let shown = stated.map { "tts:showBackground='\($0)'" } ?? ""
        let head = """
            <layout><region xml:id='r' tts:origin='10% 20%' tts:extent='50% 30%' tts:padding='1%' tts:opacity='0.5'
            tts:backgroundColor='red' \(shown)/></layout>
            """
        let result = decoded(ttml("<div region='r'><p end='1s'>a</p></div>", head: head))
        #expect(
            result.cues.map(\.layout.background) == [
                RegionBackground(
                    color: RGBA(rawValue: 0xFF00_0080), left: 10, top: 20, right: 60, bottom: 50,
                    isAlwaysShown: isAlways)
            ])
        #expect(result.codes.isEmpty)
    }

    @Test func regionsWithoutAreas() {
        let head = "<layout><region xml:id='r' tts:backgroundColor='transparent'/></layout>"
        let result = decoded(
            ttml("<div region='r' tts:backgroundColor='red'><p end='1s'>a</p></div>", head: head))
        #expect(result.cues.map(\.layout.background) == [nil])
    }
}
