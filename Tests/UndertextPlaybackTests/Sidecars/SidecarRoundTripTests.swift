import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextPlayback

@testable import Undertext

@Suite struct SidecarRoundTripTests {
    /// Every code of two letters but `cc`, which is a flag and no language.
    static let codes: [LanguageTag] = {
        let letters = (0x61...0x7A).map { String(Unicode.Scalar(UInt8($0))) }
        let texts = letters.flatMap { first in letters.map { first + $0 } }
        return texts.filter { $0 != "cc" }.compactMap(LanguageTag.init)
    }()

    /// Tags with all kinds of subtags, codes of three letters, known and not.
    static let tags: [LanguageTag] = {
        let texts = [
            "pt-BR", "en-US", "es-419", "zh-Hans", "zh-Hant-TW", "sr-Latn-RS", "en-CC", "hi-IN",
            "de-1996", "sl-rozaj", "ca-valencia", "x-klingon", "zh-min-nan", "en-x-forced-sdh",
            "gsw", "yue", "qaa", "sr-Zzzz", "de-DE-u-co-phonebk", "mul", "zxx", "fil", "cmn",
            "hi", "en", "de", "no", "is", "it", "qzz", "the", "ase",
        ]
        return texts.compactMap(LanguageTag.init)
    }()

    @Test(arguments: [
        "Movie", "my.movie", "Show.S01E02.1080p", "A [en] (2)", "7", "en", "Movie.en", "Ünï",
        "x.sub",
    ])
    func namesOfExtractionComeBack(_ stem: String) {
        let flags: [Disposition] = [[], .forced, .hearingImpaired, [.forced, .hearingImpaired]]
        var streams: [StreamDescription] = []
        let languages =
            Self.tags + (stem == "Movie" ? Self.codes.filter { !Self.tags.contains($0) } : [])
        for language in languages.map(Optional.some) + [nil] {
            for flag in flags {
                for _ in 1...3 {
                    streams.append(
                        StreamDescription(
                            index: streams.count, kind: .text, codec: .subRip, language: language,
                            disposition: flag))
                }
            }
        }
        let names = OutputNames(stem: stem, streams: streams, forcedOnly: false)
        var wrong: [String] = []
        for stream in streams {
            let name = names.base(for: stream) + ".vtt"
            guard let parsed = SidecarName(name, of: stem + ".mkv") else {
                wrong.append(name)
                continue
            }
            let number = stream.index % 3 + 1
            if parsed.match != .exact || parsed.language != stream.language
                || parsed.isForced != stream.isForced
                || parsed.isHearingImpaired != stream.isHearingImpaired
                || (parsed.number ?? 1) != number || parsed.title != nil || !parsed.statesLanguage
            {
                wrong.append("\(name) → \(parsed)")
            }
        }
        #expect(streams.count >= 12 * (stem == "Movie" ? 690 : 30))
        #expect(wrong.isEmpty, "\(wrong.count) wrong: \(wrong.prefix(5))")
    }

    @Test func everyExtensionOfExtractionIsKnown() {
        for format in SubtitleFormat.outputs {
            for kind in [MediaKind.text, .bitmap] {
                for ending in format.outputExtensions(for: kind) {
                    let parsed = SidecarName("m.2.pt-BR.forced." + ending, of: "m.mkv")
                    #expect(parsed?.language?.rawValue == "pt-BR")
                    #expect(parsed?.number == 2)
                    #expect(parsed?.fileExtension == ending)
                }
            }
        }
    }

    @Test func largeNumbersComeBack() {
        for number in [2, 9, 10, 99, 100, 999, 1000, 1899] {
            #expect(SidecarName("m.\(number).en.vtt", of: "m.mkv")?.number == number)
        }
    }

    /// Names that use every rule.
    static let seeds = [
        "Movie.2.pt-BR.forced.sdh.vtt", "Movie - English (US) [SDH].srt", "[Gröup] Movie_en-hi.ass",
        "2_Portuguese (Brazil).srt", "Movie.fr.Signs & Songs.hi.default.commentary.cc.idx",
    ]

    @Test(arguments: seeds)
    func truncatedAtEveryByte(_ seed: String) {
        let bytes = Array(seed.utf8)
        for cut in truncations(of: bytes) {
            // The cut before the extension as well as in it.
            for ending in ["", ".srt"] {
                check(String(decoding: cut, as: UTF8.self) + ending)
            }
        }
        for start in bytes.indices {
            check(String(decoding: bytes[start...], as: UTF8.self))
        }
    }

    @Test(arguments: seeds)
    func bitsFlipped(_ seed: String) {
        for damaged in bitFlips(of: Array(seed.utf8), count: 2000) {
            check(String(decoding: damaged, as: UTF8.self))
            check(String(decoding: damaged, as: UTF8.self) + ".srt")
        }
    }

    /// Checks the properties of any name.
    private func check(_ name: String) {
        for folder in [SidecarFolder.beside, .subtitles, .ofVideo] {
            guard let parsed = SidecarName(name, of: "Movie.mkv", in: folder) else { continue }
            #expect(parsed.fileName == name)
            #expect(parsed.language == nil || parsed.statesLanguage)
            #expect((parsed.title?.utf8.count ?? 0) <= name.utf8.count)
            #expect(parsed.title.map { !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } } ?? true)
            #expect(parsed.number.map { (1..<1900).contains($0) } ?? true)
            #expect(SidecarName(name, of: "Movie.mkv", in: folder) == parsed)
        }
    }
}
