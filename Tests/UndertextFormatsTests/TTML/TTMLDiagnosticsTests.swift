import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Content that is not shown, or not as intended, is reported.
struct TTMLDiagnosticsTests {
    // MARK: Times

    @Test(arguments: [
        "wallclock(2020-01-01T10:00:00)", "-1s", "soon", "", "indefinite", "1:2",
        "9999999999999999s",
    ])
    func streamsWithoutAKnownBeginning(_ begin: String) {
        let body = """
            <p begin='\(begin)' end='5s'>a</p><p end='2s'>b<span begin='\(begin)'>c</span></p>
            <div begin='\(begin)'><p begin='1s' end='2s'>d</p></div>
            <div timeContainer='seq'><p begin='\(begin)' dur='1s'>e</p><p dur='1s'>f</p></div>
            """
        let result = decoded(ttml("<div>\(body)</div>"))
        #expect(result.cues.map(line) == ["0-2000 b", "0-1000 f"])
        #expect(result.codes == [String](repeating: "bad-time", count: 4))
        #expect(result.diagnostics.allSatisfy { $0.severity == .error })
        #expect(result.diagnostics.allSatisfy { $0.message.states(begin) })
    }

    /// A time of day is a time, though not one of the video.
    @Test func aTimeOfDayIsReportedAsSuch() {
        func reason(_ begin: String) -> String? {
            let result = decoded(ttml("<div><p begin='\(begin)' end='5s'>a</p></div>"))
            #expect(result.codes == ["bad-time"])
            return result.diagnostics.first?.message.replacing(begin, with: "")
        }
        #expect(reason("soon") == reason("-1s"))
        #expect(reason("wallclock(2020-01-01T10:00:00)") != reason("soon"))
    }

    /// An end that cannot be read is that of what is around; `indefinite` is none.
    @Test func endsThatCannotBeRead() {
        let result = decoded(
            ttml("<div end='9s'><p end='x'>a</p><p end='indefinite'>b</p><p dur='-1s'>c</p></div>"))
        #expect(result.cues.map(line) == ["0-9000 a", "0-9000 b", "0-9000 c"])
        #expect(result.codes == ["bad-time", "bad-time"])
    }

    /// Its regions and animations are such elements, too.
    @Test func regionsAndAnimationsThatNeverBegin() {
        let head = "<layout><region xml:id='r' begin='x'/></layout>"
        let result = decoded(
            ttml(
                "<div><p region='r' end='1s'>a</p></div>", head: head))
        #expect(result.cues.isEmpty && result.codes == ["bad-time"])
        let set = decoded(
            ttml("<div><p end='1s'><set begin='x' tts:color='red'/>a</p></div>"))
        #expect(set.cues.map { look(styledText($0)) } == ["a"] && set.codes == ["bad-time"])
    }

    @Test(arguments: [
        "<p begin='2s' end='1s'>a</p>", "<p begin='1s' end='1s'>a</p>", "<p dur='0s'>a</p>",
        "<div end='1s'><p begin='2s' end='3s'>a</p></div>",
        "<div timeContainer='seq'><p>b</p><p dur='1s'>a</p></div>",
        "<p end='1s'>b<span begin='2s' end='3s'>a</span></p>",
        "<p end='1s' timeContainer='seq'>a<span dur='1s'>b</span></p>",
        "<p region='late' end='1s'>a</p>",
    ])
    func invisibleCues(_ body: String) {
        let head = "<layout><region xml:id='late' begin='5s'/><region xml:id='r'/></layout>"
        let result = decoded(ttml("<div region='r'>\(body)</div>", head: head))
        #expect(result.codes == ["never-shown"])
        #expect(!result.cues.contains { $0.plainText?.contains("a") ?? false })
        #expect(result.diagnostics.first?.severity == .warning)
    }

    @Test func cuesWithoutTextAreNoLoss() {
        let result = decoded(
            ttml("<div><p begin='2s' end='1s'/><p dur='0s'> <br/> </p><div dur='0s'/></div>"))
        #expect(result.cues.isEmpty && result.codes.isEmpty)
    }

    @Test func timesTooLarge() {
        let result = decoded(ttml("<div><p begin='99999999999h'>a</p><p end='1s'>b</p></div>"))
        #expect(result.cues.map(line) == ["0-1000 b"])
        #expect(result.codes == ["time-too-large"])
    }

    // MARK: Looks

    @Test(arguments: [
        ("tts:textEmphasis='filled sesame'", "textEmphasis"),
        ("tts:shear='16.67%'", "shear"), ("tts:textCombine='all'", "textCombine"),
        ("tts:textDecoration='overline'", "textDecoration"),
    ])
    func looksThatCuesCannotSay(_ attribute: String, _ name: String) {
        let result = decoded(ttml("<div><p end='1s' \(attribute)>a</p></div>"))
        #expect(result.cues.map(line) == ["0-1000 a"] && result.codes == ["style-left-out"])
        #expect(result.diagnostics.first?.message.states(name) ?? false)
    }

    @Test func looksThatSayNothing() {
        let attributes = """
            tts:textOutline='none' tts:textShadow='none' tts:lineHeight='normal' tts:shear='0%'
            tts:wrapOption='wrap' tts:overflow='visible' tts:textDecoration='noOverline' tts:zIndex='1'
            tts:showBackground='always' itts:fillLineGap='false'
            """
        #expect(decoded(ttml("<div><p end='1s' \(attributes)>a</p></div>")).codes.isEmpty)
    }

    /// Once for a track, for any number of documents.
    @Test func looksAreReportedOnce() {
        let document = ttml(
            "<div><p end='99s' tts:shear='1%'>a</p><p end='99s' tts:shear='2%'>b</p></div>")
        let result = decoded(
            packet(document, pts: 0, duration: 1000), packet(document, pts: 1000, duration: 1000))
        #expect(result.codes == ["style-left-out"])
        #expect(result.diagnostics.first?.message.statedNumbers == [2])
    }

    @Test func theSecondLineOfRuby() {
        let ruby = """
            <span tts:ruby='container'><span tts:ruby='baseContainer'><span tts:ruby='base'>a</span></span>
            <span tts:ruby='textContainer'><span tts:ruby='text'>b</span></span>
            <span tts:ruby='textContainer'><span tts:ruby='text'>c</span></span></span>
            """
        let result = decoded(ttml("<div><p end='1s'>\(ruby)</p></div>"))
        #expect(result.cues.map(line) == ["0-1000 a"] && result.codes == ["style-left-out"])
    }

    // MARK: Animation

    /// An animation in steps: its content, and whether the steps are reported.
    @Test(arguments: [
        (
            "calcMode='discrete' dur='4s' tts:visibility='visible;hidden;visible;hidden'",
            "0-1 2-3 4-8", false
        ),
        (
            "calcMode='discrete' dur='4s' keyTimes='0;0.75' tts:visibility='hidden;visible'", "3-8",
            false
        ),
        ("begin='2s' end='6s' tts:visibility='visible;hidden;hidden'", "0-3 6-8", true),
        ("dur='4s' keyTimes='0; 0.5; 1' tts:visibility='hidden;visible;hidden'", "1-3 4-8", true),
        ("calcMode='discrete' dur='2s' repeatCount='2' tts:visibility='hidden'", "2-8", true),
        ("tts:visibility='hidden;visible'", "0-8", true),
        ("dur='0s' tts:visibility='hidden'", "0-8", true),
        (
            "calcMode='discrete' dur='4s' keyTimes='1;0' tts:visibility='hidden;visible'", "2-8",
            false
        ),
    ])
    func animate(_ attributes: String, _ times: String, _ isTold: Bool) {
        let result = decoded(ttml("<div><p end='8s'><animate \(attributes)/>a</p></div>"))
        let shown = result.cues.map {
            "\($0.start.roundedMilliseconds / 1000)-\($0.end.roundedMilliseconds / 1000)"
        }
        #expect(shown.joined(separator: " ") == times)
        #expect(result.codes == (isTold ? ["animation"] : []))
    }

    // MARK: Forced

    @Test func forcedTextAndOthersApart() {
        let body = """
            <p xml:id='i' end='2s'>one <span itts:forcedDisplay='true'>two</span> three</p>
            <p begin='2s' end='4s'>said<br/><span itts:forcedDisplay='true'>sign</span></p>
            <p begin='4s' end='6s'><span itts:forcedDisplay='true'>sign<br/></span>said<br/>more</p>
            <p begin='6s' end='8s' itts:forcedDisplay='true'>all <span>of it</span></p>
            """
        let result = decoded(ttml("<div>\(body)</div>"))
        #expect(
            result.cues.map { ($0.isForced ? "F " : "") + line($0) } == [
                "0-2000 one three", "F 0-2000 two", "2000-4000 said", "F 2000-4000 sign",
                "4000-6000 said\nmore", "F 4000-6000 sign", "F 6000-8000 all of it",
            ])
        #expect(result.cues.map(\.identifier) == ["i", "", "", "", "", "", ""])
        #expect(result.diagnostics.isEmpty)
    }

    /// Each part is cut at its own changes only.
    @Test func forcedTextHasItsOwnTimes() {
        let body = """
            <p end='4s'><span itts:forcedDisplay='true'>sign</span><span begin='1s' end='2s'>a</span></p>
            """
        let result = decoded(ttml("<div>\(body)</div>"))
        #expect(
            result.cues.map { ($0.isForced ? "F " : "") + line($0) }
                == ["F 0-4000 sign", "1000-2000 a"])
    }
}
