import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private let script = """
    \u{FEFF}[Script Info]
    ; a comment
    Title: Our script
    ScriptType: v4.00+
    PlayResX: 640
    PlayResY: 400
    WrapStyle: 0
    ScaledBorderAndShadow: yes

    [V4+ Styles]
    Format: Fontname, Name, Fontsize, PrimaryColour, Bold, Italic, Underline, StrikeOut, BorderStyle, OutlineColour, BackColour, Alignment, MarginL, MarginR, MarginV
    Style: Sans,Default,20,&H00FFFFFF,0,0,0,0,1,&H00000000,&H00000000,2,10,10,10
    Style: Serif,Loud,40,&H000000FF,-1,-1,-1,-1,1,&H00000000,&H00000000,8,10,10,10
    Style: Sans,*Boxed,20,&H80FFFFFF,0,0,0,0,3,&H40FF0000,&H00000000,1,64,32,100

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    """

private func decode(
    _ text: String, style: String = "Default", header: String = script,
    fields: String = "0,0,0,"
) throws -> Cue {
    var decoder = ASSDecoder(stream: stream(.ass, header: Array(header.utf8)))
    let events = decoder.decode(packet("7,2,\(style),,\(fields),\(text)"))
    return try #require(drafts(events).first).cue()
}

/// The runs without the font and size that every run of the style has.
private func runs(_ text: String) throws -> String {
    dump(styledText(try decode(text))).replacing(" font=Sans size=ofHeight(5000)", with: "")
        .replacing("[font=Sans size=ofHeight(5000)]", with: "")
        .replacing("font=Sans size=ofHeight(5000) ", with: "")
}

@Test func scriptHeader() {
    let decoder = ASSDecoder(stream: stream(.ass, header: Array(script.utf8)))
    #expect(decoder.header.canvas == PixelSize(width: 640, height: 400))
    #expect(decoder.header.codecPrivate == Array(script.utf8))
    #expect(decoder.header.codec == .ass)
    let parsed = decoder.script
    #expect(parsed.title == "Our script")
    #expect(parsed.scalesBorders)
    #expect(parsed.statesCanvas)
    #expect(parsed.styles.map(\.name) == ["Default", "Loud", "Boxed"])
    #expect(parsed.styles[1].fontSize == 40)
    #expect(parsed.styles[1].primaryColor == 0xFF)
    #expect(parsed.styles[2].marginVertical == 100)
    #expect(parsed.eventFields.count == 10)
    #expect(parsed.hasStyle(named: "*Loud"))
    #expect(!parsed.hasStyle(named: "loud"))
    #expect(parsed.style(named: "nobody").name == "Default")
}

@Test(arguments: [
    ("", 384, 288), ("PlayResX: 1280", 1280, 1024), ("PlayResX: 640", 640, 480),
    ("PlayResY: 1024", 1280, 1024), ("PlayResY: 300", 400, 300),
    ("PlayResX: 0\nPlayResY: -5", 384, 288), ("PlayResX: 99999999999999999999", 384, 288),
])
func canvasOfAScript(lines: String, width: Int, height: Int) {
    let header = ASSScriptHeader(Array("[Script Info]\r\n\(lines)\r\n".utf8))
    #expect(header.canvas == PixelSize(width: width, height: height))
}

@Test func legacyScript() throws {
    let header = """
        [Script Info]
        PlayResX: 640
        PlayResY: 400
        [V4 Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, TertiaryColour, BackColour, Bold, Italic, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, AlphaLevel, Encoding
        Style: Default,Sans,20,65535,65535,65535,255,-1,0,3,1,0,6,30,30,10,0,0
        """
    var decoder = ASSDecoder(stream: stream(.ssa, header: Array(header.utf8)))
    let events = decoder.decode(packet("0,Marked=0,Default,,0,0,0,,Hi"))
    let cue = try #require(drafts(events).first).cue()
    #expect(decoder.header.codec == .ssa)
    #expect(cue.layer == 0)
    #expect(
        dump(styledText(cue))
            == "Hi[b color=ffff00ff background=ff0000ff font=Sans size=ofHeight(5000)]")
    #expect(dump(cue.layout) == "line:0.0,start")
}

/// libass accepts parentheses around any argument, and a space after the backslash.
@Test(arguments: [#"{\b(1)}x"#, #"{\ b1}x"#, #"{\b( 1 )}x"#, #"{\b(1}x"#])
func argumentsInParentheses(text: String) throws {
    guard case .text(let styled) = try decode(text).content else {
        Issue.record("no text")
        return
    }
    #expect(styled.plainText == "x" && styled.runs.allSatisfy(\.style.isBold))
}

@Test func eventFields() throws {
    let cue = try decode("a, b, c")
    #expect(cue.plainText == "a, b, c")
    #expect(cue.layer == 2)
    #expect(cue.source == .ass("7,2,Default,,0,0,0,,a, b, c"))
    var decoder = ASSDecoder(stream: stream(.ass))
    #expect(decoder.decode(packet("1,2,3,4,5,6,7")).isEmpty)
    #expect(decoder.diagnostics.take().map(\.code) == ["malformed-event"])
    #expect(decoder.decode(packet("")).isEmpty)
    #expect(decoder.diagnostics.take().isEmpty)
    // Without any header there is a style all the same.
    #expect(drafts(decoder.decode(packet("0,-1,,,,,,,x"))).first?.cue().layer == -1)
}

@Test func styleOfTheEvent() throws {
    #expect(
        dump(styledText(try decode("x", style: "Loud")))
            == "x[i b u s color=ff0000ff font=Serif size=ofHeight(10000)]")
    #expect(
        dump(styledText(try decode("{\\b0\\i0}x{\\c&HFFFFFF&}y", style: "Loud")))
            == "x[u s color=ff0000ff font=Serif size=ofHeight(10000)]"
            + "|y[u s font=Serif size=ofHeight(10000)]")
    #expect(
        dump(styledText(try decode("x", style: "Boxed")))
            == "x[color=ffffff7f background=0000ffbf font=Sans size=ofHeight(5000)]")
}

@Test(
    arguments: [
        ("plain", "plain"),
        ("a{\\i1}b{\\i0}c{\\i1}d{\\i}e", "a|b[i]|c|d[i]|e"),
        ("{\\b1}a{\\b0}b{\\b700}c{\\b400}d{\\b599}e{\\b600}f", "a[b]|b|c[b]|de|f[b]"),
        ("{\\u1\\s1}a", "a[u s]"),
        ("{\\c&H0000FF&}a{\\1c&HFF0000&}b{\\c}c", "a[color=ff0000ff]|b[color=0000ffff]|c"),
        ("{\\3c&HFF&\\2c&HFF&\\4c&HFF&}a", "a"),
        ("{\\alpha&H80&}a{\\1a&H00&}b{\\alpha}c", "a[color=ffffff7f]|bc"),
        ("{\\fnMono}a{\\fn}b", "a[font=Mono size=ofHeight(5000)]|b"),
        (
            "{\\fs40}a{\\fs+5}b{\\fs-5}c{\\fs}d",
            "a[font=Sans size=ofHeight(10000)]|b[font=Sans size=ofHeight(15000)]"
                + "|c[font=Sans size=ofHeight(7500)]|d"
        ),
        (
            "{\\i1}a{\\r}b{\\rLoud}c",
            "a[i]|b|c[i b u s color=ff0000ff font=Serif size=ofHeight(10000)]"
        ),
        ("a\\Nb\\nc\\hd", "a\nb c\u{A0}d"),
        ("{\\q2}a\\nb", "a\nb"),
        ("a{comment}b{com\\i1ment}c", "ab|c[i]"),
        ("a{unclosed\\i1", "a{unclosed\\i1"),
        ("\\x{}\\", "\\x\\"),
        ("{\\p1}m 0 0 l 9 9{\\p0}text{\\p4}m 0 0", "text"),
        ("{\\bord3\\blur2\\be1\\shad1\\fad(1,2)\\fscx50\\frz9\\clip(1,2,3,4)}x", "x"),
        ("{\\t(0,500,\\fs80\\c&HFF&)\\i1}x", "x[i]"),
        ("{\\t(0,500,\\clip(1,2,3,4)\\b1)}x", "x"),
        ("{\\unknown7\\i1}x", "x[i]"),
        ("{\\i1\\i}x{\\ib}y", "xy"),
        (
            "{\\k20}one{\\kf30}two{\\ko10}three{\\K5}four",
            "one|two[at=10.2]|three[at=10.5]|four[at=10.6]"
        ),
        ("{\\k20}a{\\kt100\\k5}b", "a|b[at=11.0]"),
        ("\\{\\i1\\}a{\\i1}b", "{\\i1}a|b[i]"), ("a\\\u{2060}N\\\u{2060}", "a\\N\\"),
        ("{\\i1}a{\\rNobody}b", "a[i]|b"),
    ] as [(String, String)])
func overrideTags(text: String, expected: String) throws {
    // Notes in another order than dump's would need no care if the font came last; it does not.
    #expect(try runs(text) == expected)
}

@Test(
    arguments: [
        ("x", "Default", "0,0,0,", ""),
        ("x", "Loud", "0,0,0,", "line:0.0,start"),
        ("x", "Boxed", "0,0,0,", "line:75.0%,end position:10.0%,auto align:start"),
        ("{\\an9}x", "Boxed", "0,0,0,", "line:25.0%,start position:95.0%,auto align:end"),
        ("{\\an5}x", "Boxed", "0,0,0,", "line:50.0%,center position:52.5%,center"),
        (
            "{\\an4}{\\an9}x", "Default", "128,0,0,",
            "line:50.0%,center position:20.0%,auto align:start"
        ),
        ("{\\a6}x", "Default", "0,0,0,", "line:0.0,start"),
        ("x", "Default", "0,0,200,", "line:50.0%,end"),
        // Margins of the event itself are meant, near the edge, too.
        ("x", "Default", "0,0,40,", "line:90.0%,end"),
        ("{\\an8}x", "Default", "0,0,2,", "line:0.5%,start"),
        ("x", "Default", "64,64,0,", "size:80.0%"),
        ("x", "Default", "64,128,0,", "position:45.0%,center size:70.0%"),
        (
            "{\\an5\\pos(160,100)}x", "Default", "32,352,0,",
            "line:25.0%,center position:25.0%,center size:40.0%"
        ),
        ("{\\pos(320,100)}x", "Default", "0,0,0,", "line:25.0%,end position:50.0%,center"),
        (
            "{\\pos(160,100)\\an7}x{\\pos(1,1)}", "Default", "0,0,0,",
            "line:25.0%,start position:25.0%,lineLeft align:start"
        ),
        (
            "{\\an6\\move(64,40,600,300,0,500)}x", "Default", "0,0,0,",
            "line:10.0%,center position:10.0%,lineRight align:end"
        ),
        (
            "{ \\pos( 320 , 100.5 ) }x", "Default", "0,0,0,",
            "line:25.125%,end position:50.0%,center"
        ),
        ("{\\pos(1)}{\\pos(a,b)}x", "Default", "0,0,0,", ""),
        ("{\\pos(-1e9,1e9)}x", "Default", "0,0,0,", "line:0.25%,end position:0.0%,lineLeft"),
    ] as [(String, String, String, String)])
func assLayout(text: String, style: String, fields: String, expected: String) throws {
    #expect(dump(try decode(text, style: style, fields: fields).layout) == expected)
}

@Test(
    arguments: [
        ("plain {comment} \\N", []), ("{\\i1\\c&HFF&\\an8\\pos(1,2)\\fs9\\fnX\\r\\q2\\p0}", []),
        ("{\\p1}m 0 0", .drawing), ("{\\k1}a", .karaoke), ("{\\kf1}a", .karaoke),
        ("{\\K1}a", .karaoke), ("{\\fad(1,2)}", .animation), ("{\\fade(1)}", .animation),
        ("{\\move(1,2,3,4)}", .animation), ("{\\t(\\fs1)}", .animation), ("{\\frz5}", .rotation),
        ("{\\fr5}", .rotation), ("{\\fax1\\org(1,2)}", .rotation), ("{\\iclip(1,2,3,4)}", .clip),
        ("{\\bord1}", .decoration), ("{\\3c&HFF&}", .decoration), ("{\\fscx90}", .scaling),
        ("{\\be1\\clip(m 0 0)\\p2}", [.decoration, .clip, .drawing]),
    ] as [(String, ASSFeatures)])
func featuresOfText(text: String, expected: ASSFeatures) {
    #expect(ASSEvent.features(of: "0,0,Default,,0,0,0,,\(text)") == expected)
}

@Test func featuresOfFields() {
    // The name is part of the neutral form.
    #expect(ASSEvent.features(of: "0,0,Default,Ann,0,0,0,,x") == [])
    #expect(ASSEvent.features(of: "0,0,Default,,0,0,0,,{\\fe128}x") == .metadata)
    #expect(ASSEvent.features(of: "0,0,Default,,0,0,0,Banner;5,x") == .animation)
    #expect(ASSEvent.features(of: "0,0,Default,,0,0,0,Scroll up;1;2,x") == .animation)
    #expect(ASSEvent.features(of: "0,0,Default,,0,0,0,Karaoke,x") == .karaoke)
    #expect(ASSEvent.features(of: "0,0,Default,,0,0,0,note,x") == .metadata)
    #expect(ASSEvent.features(of: "nothing") == [])
    let all = ASSFeatures(rawValue: 0xFF)
    #expect(
        all.lossKinds == [
            .drawing, .karaoke, .animation, .rotation, .clip, .style, .size, .metadata,
        ])
    #expect(ASSFeatures([]).lossKinds.isEmpty)
}

@Test func aDrawingIsACueWithoutText() throws {
    let cue = try decode("{\\p1}m 0 0 l 10 10{\\p0}")
    #expect(styledText(cue).isEmpty)
    #expect(cue.source == .ass("7,2,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}"))
}

@Test func aLongTrackIsNoTrouble() {
    var decoder = ASSDecoder(stream: stream(.ass, header: Array(script.utf8)))
    var runs = 0
    for index in 0..<5000 {
        let line = "\(index),0,Default,,0,0,0,,{\\an8}Line \(index)\\N{\\i1}with{\\i0} style"
        for draft in drafts(decoder.decode(packet(line))) {
            runs += styledText(draft.cue()).runs.count
        }
    }
    #expect(runs == 15_000)
}

@Test(.requiresCorpus("androidx-media/ssa")) func stylesOfAndroidX() throws {
    let folder = try #require(corpusPath("androidx-media/ssa"))
    func header(_ name: String) throws -> ASSScriptHeader {
        ASSScriptHeader(try #require(fileBytes(folder + "/" + name)))
    }
    let sizes = try header("style_font_size")
    #expect(sizes.canvas.height > 0)
    let fractions = sizes.styles.map { $0.fontSize / Double(sizes.canvas.height) }
    #expect(fractions.contains { ($0 - 0.041666666666666664).magnitude < 1e-9 })
    #expect(fractions.contains { ($0 - 0.10027777777777779).magnitude < 1e-9 })
    let faces = try header("style_bold_italic").styles
    #expect(faces.contains { $0.isBold && !$0.isItalic })
    #expect(faces.contains { !$0.isBold && $0.isItalic })
    #expect(faces.contains { $0.isBold && $0.isItalic })
    #expect(try header("style_underline").styles.contains(where: \.isUnderlined))
    #expect(try header("style_strikeout").styles.contains(where: \.isStruckThrough))
}
