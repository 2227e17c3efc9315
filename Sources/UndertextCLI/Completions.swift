internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextProviders
internal import UndertextRecognition

/// The values of options that shells complete.
extension CompletionKind {
    /// `--format` of `extract` and `batch run`: one format for text and one for images.
    static let outputFormats = joined(["native"] + SubtitleFormat.outputs.map(\.name), by: ",")

    /// `--to` of `convert`.
    static let outputFormat = list(SubtitleFormat.outputs.map(\.name))

    /// `--from` of `convert`.
    static let inputFormat = list(SubtitleFormat.inputs.map(\.name))

    /// A selection of tracks such as `en+text,fr+forced`.
    static let selection = joined(
        ["all", "text", "bitmap", "forced", "sdh", "cc", "teletext", "cc1", "cc2", "cc3", "cc4"]
            + languageTags, by: ",+")

    /// One language.
    static let language = joined(languageTags, by: "")

    /// Languages separated by commas.
    static let languages = joined(languageTags, by: ",")

    /// Languages that text can be recognized in, joined by `+`.
    static let recognitionLanguages = joined(recognized, by: "+")

    /// Charsets that text files often have, among the many of iconv.
    static let charset = list([
        "utf-8", "utf-16", "utf-16be", "utf-16le", "big5", "cp437", "cp850", "euc-jp", "euc-kr",
        "gb18030", "iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-7", "iso-8859-9",
        "iso-8859-15", "koi8-r", "koi8-u", "shift_jis", "windows-1250", "windows-1251",
        "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
        "windows-1257", "windows-1258", "windows-874",
    ])

    /// Frame rates, as `--fps` takes them.
    static let frameRate = list(FrameRate.allCases.map(\.rawValue))

    /// Sizes of frames and discs.
    static let size = list([
        "720x480", "720x576", "1280x720", "1920x1080", "3840x2160",
    ])

    /// Online services separated by commas.
    static let providers = joined(OnlineEnvironment.providerNames, by: ",")

    /// Properties of `render --style`.
    static let styleProperty = list([
        "foreground=", "background=", "window=", "edge=none", "edge=raised", "edge=depressed",
        "edge=uniform", "edge=drop-shadow", "edge-color=", "font=", "scale=", "bold=yes", "bold=no",
        "italic=yes", "italic=no", "opacity=", "position=top", "position=middle", "position=bottom",
        "align=", "margin-left=", "margin-right=", "margin-vertical=", "content-first=",
    ])

    /// The tags of ISO 639-1.
    private static var languageTags: [String] {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        return letters.flatMap { first in letters.map { "\(first)\($0)" } }.filter {
            LanguageTag($0).map { $0.threeLetterCode != "und" } ?? false
        }
    }

    /// Those of them that Tesseract has data for, and scripts with data of their own.
    private static var recognized: [String] {
        languageTags.filter { LanguageTag($0).flatMap(RecognitionLanguage.init) != nil }
            + ["az-Cyrl", "de-Latf", "sr-Latn", "uz-Cyrl", "zh-Hans", "zh-Hant"]
    }

    /// Words that one of `separators` divides; each is offered once.
    ///
    /// The words are evaluated only for a completion, because every run of the command creates these values.
    private static func joined(
        _ words: @autoclosure @escaping @Sendable () -> [String], by separators: String
    ) -> CompletionKind {
        .custom { _, _, text in continuations(of: text, with: words(), separators) }
    }

    /// The texts that begin with the complete words of `text`, each with one more word.
    static func continuations(
        of text: String, with words: [String], _ separators: String
    ) -> [String] {
        let last = text.lastIndex { separators.contains($0) }
        let kept = last.map { text[...$0] } ?? ""
        let used = Set(kept.split { separators.contains($0) }.map(String.init))
        return words.filter { !used.contains($0) }.map { kept + $0 }
    }
}
