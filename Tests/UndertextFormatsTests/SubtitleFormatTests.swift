import Testing
import UndertextCore
import UndertextFormats

/// The list of formats and what it is asked.
@Suite struct SubtitleFormatTests {
    @Test func namesAndCodecsAreUnique() {
        let names = SubtitleFormat.all.map(\.name)
        #expect(Set(names).count == names.count)
        let codecs = SubtitleFormat.all.flatMap(\.codecs)
        #expect(Set(codecs).count == codecs.count)
        for format in SubtitleFormat.all { #expect(SubtitleFormat(name: format.name) == format) }
    }

    @Test func everyFormatIsReadOrDecoded() {
        for format in SubtitleFormat.all where format.output == nil {
            #expect(format.textFile != nil || format.decoder != nil, "\(format)")
        }
        for format in SubtitleFormat.all where format.nativeName != nil {
            #expect(format.native?.output != nil, "\(format)")
        }
    }

    @Test(arguments: ["lrc", "MPL", "sbv", "smi", "sami", "scc", "stl", "mcc"])
    func extensionsWithoutOutput(_ ending: String) {
        #expect(SubtitleFormat.isExtensionWithoutOutput(ending))
        #expect(SubtitleFormat(outputExtension: ending) == nil)
    }

    @Test(arguments: [
        ("vtt", SubtitleFormat.webVTT), ("SRT", .subRip), ("dfxp", .ttml), ("idx", .vobSub),
        ("sub", .vobSub), ("images", .png), ("png", .png), ("sup", .pgs), ("jsonl", .jsonLines),
    ])
    func extensionsOfOutputs(_ ending: String, _ format: SubtitleFormat) {
        #expect(SubtitleFormat(outputExtension: ending) == format)
        #expect(!SubtitleFormat.isExtensionWithoutOutput(ending))
    }

    /// A file with a signature is never taken for one that its first lines tell.
    @Test func signaturesComeFirst() {
        let text = Array("WEBVTT\n\n00:01.000 --> 00:02.000\na\n".utf8)
        #expect(SubtitleFormat.recognized(text[...]).0 == .webVTT)
        let script = Array("[Script Info]\n00:00:01,000 --> 00:00:02,000\n".utf8)
        #expect(SubtitleFormat.recognized(script[...]).0 == .ass)
        let (found, refusals) = SubtitleFormat.recognized(Array("text".utf8)[...])
        #expect(found == nil)
        #expect(refusals.map(\.format) == [.webVTT, .ass, .ttml, .sami, .subRip])
    }
}
