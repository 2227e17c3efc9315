import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt32(content.count + 8))
    return bytes + type.utf8 + content
}

private func record(
    _ start: UInt16, _ end: UInt16, font: UInt16 = 1, face: UInt8 = 0, size: UInt8 = 18,
    color: UInt32 = 0xFFFF_FFFF
) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(start)
    bytes.appendBigEndian(end)
    bytes.appendBigEndian(font)
    bytes += [face, size]
    bytes.appendBigEndian(color)
    return bytes
}

private func styles(_ records: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt16(records.count))
    return box("styl", bytes + records.flatMap { $0 })
}

private func sample(_ text: [UInt8], _ boxes: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt16(text.count))
    return bytes + text + boxes.flatMap { $0 }
}

private func sample(_ text: String, _ boxes: [UInt8]...) -> [UInt8] {
    sample(Array(text.utf8), boxes.flatMap { $0 })
}

private func description(
    flags: UInt32 = 0, horizontal: Int8 = 1, vertical: Int8 = -1, background: UInt32 = 0,
    style: [UInt8] = record(0, 0), fonts: [(UInt16, String)] = [(1, "Sans-Serif")]
) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(flags)
    bytes += [UInt8(bitPattern: horizontal), UInt8(bitPattern: vertical)]
    bytes.appendBigEndian(background)
    bytes += [0, 0, 0, 0, 0, 60, 1, 144]
    var table: [UInt8] = []
    table.appendBigEndian(UInt16(fonts.count))
    for (id, name) in fonts {
        table.appendBigEndian(id)
        table.append(UInt8(name.utf8.count))
        table += name.utf8
    }
    return bytes + style + box("ftab", table)
}

private func decode(_ data: [UInt8], header: [UInt8] = description()) -> Cue? {
    var decoder = TX3GDecoder(stream: stream(.movText, header: header))
    return drafts(decoder.decode(packet(data))).first?.cue()
}

private func runs(_ data: [UInt8], header: [UInt8] = description()) -> String? {
    decode(data, header: header).map { dump(styledText($0)) }
}

@Test func sampleDescription() {
    let parsed = TX3GSampleDescription(
        description(
            flags: 0x8000_0000, background: 0x0102_0304, style: record(0, 0, font: 2, face: 3),
            fonts: [(1, "Sans-Serif"), (2, "Own")]))
    #expect(parsed.isForced)
    #expect(parsed.background == RGBA(rawValue: 0x0102_0304))
    #expect(parsed.box.bottom == 60)
    #expect(parsed.box.right == 400)
    #expect(parsed.style.face == 3)
    #expect(parsed.fonts == [1: "Sans-Serif", 2: "Own"])
    #expect(TX3GSampleDescription([1, 2, 3]) == TX3GSampleDescription())
}

@Test(
    arguments: [
        (1, -1, ""), (0, -1, "position:5.0%,auto align:start"),
        (-1, -1, "position:95.0%,auto align:end"), (1, 0, "line:0.0,start"),
        (1, 1, "line:50.0%,center"), (0, 0, "line:0.0,start position:5.0%,auto align:start"),
        (9, 9, ""),
    ] as [(Int8, Int8, String)])
func justification(horizontal: Int8, vertical: Int8, expected: String) throws {
    let cue = try #require(
        decode(sample("x"), header: description(horizontal: horizontal, vertical: vertical)))
    #expect(dump(cue.layout) == expected)
}

@Test func theBoxOnTheScreen() {
    func layout(
        _ data: [UInt8], horizontal: Int8 = 1, vertical: Int8 = -1, flags: UInt32 = 0,
        area: TrackArea?
    ) -> String? {
        var stream = stream(
            .movText,
            header: description(flags: flags, horizontal: horizontal, vertical: vertical))
        stream.area = area
        var decoder = TX3GDecoder(stream: stream)
        return drafts(decoder.decode(packet(data))).first.map { dump($0.layout) }
    }
    let screen = PixelSize(width: 400, height: 300)
    func area(_ x: Int, _ y: Int) -> TrackArea {
        TrackArea(x: x, y: y, width: 400, height: 60, screen: screen)
    }
    // The track states the default of players.
    #expect(layout(sample("a"), area: area(0, 240)) == "")
    #expect(layout(sample("a"), area: nil) == "")
    // A third of the screen from the top.
    #expect(layout(sample("a"), area: area(0, 90)) == "line:50.0%,end")
    #expect(layout(sample("a"), vertical: 0, area: area(0, 90)) == "line:30.0%,start")
    #expect(layout(sample("a"), vertical: 0, area: area(0, 0)) == "line:0.0,start")
    #expect(layout(sample("a"), vertical: 1, area: area(0, 90)) == "line:40.0%,center")
    #expect(layout(sample("a"), area: area(200, 240)) == "position:75.0%,center")
    // The sample's own box: top, left, bottom, right.
    let own = box("tbox", [0, 0, 0, 100, 0, 30, 0, 200])
    #expect(
        layout(sample("a", own), horizontal: 0, vertical: 0, area: area(0, 150))
            == "line:50.0%,start position:25.0%,lineLeft align:start")
    #expect(
        layout(sample("a", own), horizontal: -1, area: area(0, 150))
            == "line:60.0%,end position:50.0%,lineRight align:end")
    // Beside the screen, or without a size.
    #expect(layout(sample("a"), area: area(0, 900)) == "")
    #expect(
        layout(sample("a"), area: TrackArea(x: 0, y: 9, width: 0, height: 0, screen: screen)) == "")
    #expect(layout(sample("a"), flags: 0x0002_0000, area: nil) == "vertical:rl")
}

@Test func descriptionsChange() {
    var decoder = TX3GDecoder(stream: stream(.movText, header: description()))
    let red = description(horizontal: 0, style: record(0, 0, color: 0xFF00_00FF))
    func next(_ header: [UInt8]?) -> String {
        let side = header.map { [SideData(.newExtradata, $0)] } ?? []
        let events = decoder.decode(packet(sample("a"), sideData: side))
        return drafts(events).map { dump(styledText($0.cue())) + dump($0.layout) }.joined()
    }
    #expect(next(nil) == "a")
    #expect(next(red) == "a[color=ff0000ff]position:5.0%,auto align:start")
    #expect(next(nil) == "a[color=ff0000ff]position:5.0%,auto align:start")
    decoder.reset()
    #expect(next(nil) == "a")
}

@Test func effectsAreReportedOnce() {
    var decoder = TX3GDecoder(stream: stream(.movText, header: description(flags: 0x20)))
    let data = sample(
        "a", box("dlay", [0, 0, 0, 9]), box("blnk", [0, 0, 0, 1]), box("href", [0, 0, 0, 1, 0, 0]),
        box("twrp", [1]))
    _ = decoder.decode(packet(data))
    _ = decoder.decode(packet(data))
    let reported = decoder.diagnostics.take()
    #expect(reported.map(\.code) == ["ignored-effect", "ignored-effect", "ignored-effect"])
    // One for each effect: the header and `dlay` state the same one.
    let messages = reported.map(\.message)
    #expect(Set(messages).count == 3)
    var scrolling = TX3GDecoder(stream: stream(.movText, header: description()))
    _ = scrolling.decode(packet(sample("a", box("dlay", [0, 0, 0, 9]))))
    let scroll = scrolling.diagnostics.take()
    #expect(scroll.map(\.code) == ["ignored-effect"])
    #expect(messages.contains { $0 == scroll.first?.message })
}

@Test func stylesCountCharacters() {
    #expect(
        runs(sample("añ😀b", styles(record(1, 3, face: 1), record(3, 4, face: 6))))
            == "a|ñ😀[b]|b[i u]")
    #expect(
        runs(sample("abc", styles(record(1, 2, color: 0xFF00_00FF)))) == "a|b[color=ff0000ff]|c")
    #expect(runs(sample("ab", styles(record(0, 1, size: 36)))) == "a[size=percent(200)]|b")
    #expect(
        runs(
            sample("ab", styles(record(0, 1, font: 2))),
            header: description(fonts: [(1, "Usual"), (2, "Own")]))
            == "a[font=Own]|b")
    #expect(
        runs(sample("abc", styles(record(0, 2, face: 1)), styles(record(2, 3, face: 2))))
            == "ab[b]|c[i]")
}

@Test func defaultStyleOfTheTrack() {
    let header = description(style: record(0, 0, face: 2, size: 20, color: 0x00FF_00FF))
    #expect(runs(sample("a"), header: header) == "a[i color=00ff00ff]")
    #expect(
        runs(sample("ab", styles(record(1, 2, size: 20))), header: header)
            == "a[i color=00ff00ff]|b")
    #expect(
        runs(sample("a"), header: description(background: 0x0000_00FF)) == "a")
    #expect(runs(sample("a"), header: []) == "a")
}

@Test func oddStyles() {
    // Beyond the text, empty, reversed, overlapping.
    #expect(runs(sample("abc", styles(record(1, 99, face: 1)))) == "a|bc[b]")
    #expect(runs(sample("abc", styles(record(7, 9, face: 1)))) == "abc")
    #expect(runs(sample("abc", styles(record(2, 2, face: 1), record(2, 1, face: 1)))) == "abc")
    #expect(
        runs(sample("abc", styles(record(0, 2, face: 1), record(1, 3, face: 2)))) == "ab[b]|c[i]")
    // A count that is larger than the data.
    #expect(runs(sample("abc", box("styl", [0, 9] + record(0, 1, face: 1)))) == "a[b]|bc")
    #expect(runs(sample("abc", [0, 0, 0, 99] + "styl".utf8)) == "abc")
    #expect(runs(sample("abc", [0, 0, 0, 0] + "styl".utf8)) == "abc")
}

@Test func textEncodings() {
    let big: [UInt8] = [0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D, 0xDE, 0x00, 0, 0x62]
    let little: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x00, 0xDE, 0x62, 0]
    let bold = styles(record(1, 2, face: 1))
    #expect(runs(sample(big, bold)) == "a|😀[b]|b")
    #expect(runs(sample(little, bold)) == "a|😀[b]|b")
    #expect(runs(sample(Array("\u{FEFF}ab".utf8), bold)) == "a|b[b]")
    #expect(runs(sample([0xFE, 0xFF, 0xD8, 0x00, 0, 0x61, 0])) == "\u{FFFD}a\u{FFFD}")
    #expect(runs(sample([0x61, 0xFF, 0x62], bold)) == "a|\u{FFFD}[b]|b")
    #expect(runs(sample("ab\0junk")) == "ab")
}

@Test func damageIsReported() {
    var decoder = TX3GDecoder(stream: stream(.movText))
    _ = decoder.decode(packet(sample([0x61, 0xFF])))
    let first = decoder.diagnostics.take()
    #expect(first.map(\.code) == ["invalid-utf8"])
    #expect(first.first?.message.statedNumbers == [1, 3])
    #expect(drafts(decoder.decode(packet([0, 9, 0x61]))).first?.cue().plainText == "a")
    #expect(decoder.diagnostics.take().map(\.code) == ["truncated-sample"])
    #expect(decoder.decode(packet([0])).isEmpty)
    #expect(decoder.diagnostics.take().map(\.code) == ["truncated-sample"])
    #expect(decoder.decode(packet([])).isEmpty)
    #expect(decoder.diagnostics.take().isEmpty)
}

/// A sample without text ends the one before it, which may have no length of its own.
@Test func emptySamplesClear() {
    var decoder = TX3GDecoder(stream: stream(.movText))
    var empty = packet([0, 0])
    empty.pts = 2540
    let start = empty.start ?? .zero
    #expect(decoder.decode(empty) == [.clear(at: start)])
    #expect(decoder.diagnostics.take().isEmpty)
}

@Test func lineEndsDoNotMoveStyles() {
    #expect(runs(sample("a\r\nb\rc\n", styles(record(3, 4, face: 1)))) == "a\n|b[b]|\nc")
    #expect(runs(sample("a\r", styles(record(1, 2, face: 1)))) == "a")
}

@Test func gapsAreNoCues() {
    #expect(decode([0, 0]) == nil)
    #expect(decode([0, 0] + box("frcd", [])) == nil)
    #expect(decode(sample("\n")) == nil)
}

@Test func forcedSamples() {
    #expect(decode(sample("a"))?.isForced == false)
    #expect(decode(sample("a", box("frcd", [])))?.isForced == true)
    #expect(decode(sample("a"), header: description(flags: 0x4000_0000))?.isForced == false)
    #expect(
        decode(sample("a", box("frcd", [])), header: description(flags: 0x4000_0000))?.isForced
            == true)
    #expect(decode(sample("a"), header: description(flags: 0x8000_0000))?.isForced == true)
}

@Test func highlightsAndKaraoke() {
    #expect(
        runs(sample("abcd", box("hlit", [0, 1, 0, 3]), box("hclr", [255, 0, 0, 255])))
            == "a|bc[background=ff0000ff]|d")
    #expect(
        runs(sample("abcd", box("hlit", [0, 1, 0, 3])))
            == "a|bc[color=000000ff background=ffffffff]|d")
    let karaoke = box(
        "krok",
        [0, 0, 0, 0, 0, 2, 0, 0, 1, 0xF4, 0, 0, 0, 1, 0, 0, 3, 0xE8, 0, 1, 0, 3])
    #expect(runs(sample("abcd", karaoke)) == "a|bc[at=10.5]|d")
}

@Test(
    .requiresCorpus("androidx-media/tx3g"),
    arguments: [
        ("sample_just_text", "CC Test"),
        ("sample_with_styl", "CC Tes[i b u color=00ff00ff]|t"),
        ("sample_with_styl_all_defaults", "CC Test"),
        ("sample_with_multiple_styl", "Line [i color=00ff00ff]|2\n|Line [u color=00ff00ff]|3"),
        ("sample_with_other_extension", "CC Tes[b color=00ff00ff]|t"),
        ("sample_with_tbox", "CC Test"), ("no_subtitle", nil),
    ] as [(String, String?)])
func samplesOfAndroidX(name: String, expected: String?) throws {
    let folder = try #require(corpusPath("androidx-media/tx3g"))
    let header = try #require(fileBytes(folder + "/initialization_all_defaults"))
    let data = try #require(fileBytes(folder + "/" + name))
    #expect(runs(data, header: header) == expected)
}

@Test(.requiresCorpus("androidx-media/tx3g")) func initializationOfAndroidX() throws {
    let folder = try #require(corpusPath("androidx-media/tx3g"))
    let header = try #require(fileBytes(folder + "/initialization"))
    let data = try #require(fileBytes(folder + "/sample_just_text"))
    #expect(runs(data, header: header) == "CC Test[i b u color=ff0000ff]")
}
