import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Well-formed packets that use all of a codec, with the codec's header.
private struct Sample: CustomTestStringConvertible {
    var codec: CodecID
    var header: [UInt8]
    var packet: Packet
    var testDescription: String { codec.rawValue }
}

private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

private func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

private let subRipSample = Sample(
    codec: .subRip, header: [],
    packet: packet(
        "{\\an8\\pos(1,2)}<font color=\"#ff0000\" size=12 face='A'>é <b>b</b></font>\r\n<3 {x} <br>",
        sideData: [SideData(.subtitlePosition, Array(repeating: 1, count: 16))]))

private let assSample = Sample(
    codec: .ass,
    header: ascii(
        """
        [Script Info]
        PlayResX: 640
        PlayResY: 400
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment, MarginV
        Style: Default,Sans,20,&H00FFFFFF,-1,2,10
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        """),
    packet: packet(
        "1,0,Default,Ann,1,2,3,Banner;1,{\\i1\\pos(3,4)\\c&HFF&\\fs+1}é\\N"
            + "{\\k5}b{\\p1}m 0 0{\\p0\\t(0,1,\\clip(1,2))}c"))

private let webVTTSample = Sample(
    codec: .webVTT,
    header: ascii("WEBVTT x\n\nSTYLE\n::cue{}\n\nREGION\nid:a\nlines:3\nregionanchor:1%,2%\n"),
    packet: packet(
        "<v.a Bob &amp;>é<00:00:01.000><ruby>b<rt>r</rt></ruby></v>&#x41;&notin;\n<lang en>c",
        sideData: [
            SideData(
                .blockAdditional,
                joined(
                    [0, 0, 0, 0, 0, 0, 0, 1],
                    ascii("line:5%,end position:3%,center size:4% region:a vertical:rl\nid\n")))
        ]))

private let movTextSample = Sample(
    codec: .movText,
    header: joined(
        [0, 0, 0, 0, 1, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 1, 144],
        [0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255],
        [0, 0, 0, 18], ascii("ftab"), [0, 1, 0, 1, 5], ascii("Serif")),
    packet: packet(
        joined(
            [0, 5, 0x61, 0xC3, 0xA9, 0x0D, 0x62], [0, 0, 0, 34], ascii("styl"), [0, 2],
            [0, 0, 0, 1, 0, 1, 1, 18, 1, 2, 3, 4], [0, 1, 0, 3, 0, 1, 6, 24, 5, 6, 7, 8],
            [0, 0, 0, 12], ascii("hlit"), [0, 1, 0, 2], [0, 0, 0, 12], ascii("hclr"),
            [1, 2, 3, 4], [0, 0, 0, 22], ascii("krok"),
            [0, 0, 0, 5, 0, 1, 0, 0, 0, 9, 0, 1, 0, 3], [0, 0, 0, 8], ascii("frcd"))))

private let samples = [subRipSample, assSample, webVTTSample, movTextSample]

/// Decodes and checks what must hold for any input.
private func check(_ sample: Sample, header: [UInt8], packet: Packet) {
    guard
        var decoder = SubtitleFormat.decoder(
            of: stream(sample.codec, header: header), diagnostics: DiagnosticSink())
    else {
        Issue.record("no decoder for \(sample.codec)")
        return
    }
    for draft in drafts(decoder.decode(packet)) {
        let text = styledText(draft.cue())
        #expect(text.runs.allSatisfy { !$0.text.isEmpty })
        #expect(!text.plainText.utf8.contains(0x0D))
        if let position = draft.layout.position { #expect((0...100).contains(position)) }
        if case .ass(let line)? = draft.source { _ = ASSEvent.features(of: line) }
    }
    #expect(decoder.diagnostics.take().count <= 2)
}

@Test(arguments: samples)
private func truncatedPackets(sample: Sample) {
    var decoder = SubtitleFormat.decoder(
        of: stream(sample.codec, header: sample.header), diagnostics: DiagnosticSink())
    #expect(decoder?.decode(sample.packet).count == 1)
    for data in truncations(of: sample.packet.data) {
        var damaged = sample.packet
        damaged.data = data
        check(sample, header: sample.header, packet: damaged)
    }
    for header in truncations(of: sample.header) {
        check(sample, header: header, packet: sample.packet)
    }
    for side in sample.packet.sideData {
        for bytes in truncations(of: side.bytes) {
            var damaged = sample.packet
            damaged.sideData = [SideData(side.kind, bytes)]
            check(sample, header: sample.header, packet: damaged)
        }
    }
}

@Test(arguments: samples)
private func flippedBits(sample: Sample) {
    for data in bitFlips(of: sample.packet.data, count: 1000, seed: 5) {
        var damaged = sample.packet
        damaged.data = data
        check(sample, header: sample.header, packet: damaged)
    }
    for header in bitFlips(of: sample.header, count: 400, seed: 6) {
        check(sample, header: header, packet: sample.packet)
    }
    for side in sample.packet.sideData {
        for bytes in bitFlips(of: side.bytes, count: 400, seed: 7) {
            var damaged = sample.packet
            damaged.sideData = [SideData(side.kind, bytes)]
            check(sample, header: sample.header, packet: damaged)
        }
    }
}
