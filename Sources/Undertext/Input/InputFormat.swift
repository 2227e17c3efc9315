internal import UndertextFormats

/// A format that an input can be claimed to have; the raw values are those of `--from`.
public enum InputFormat: String, Hashable, Sendable, CaseIterable {
    /// WebVTT.
    case vtt
    /// SubRip.
    case srt
    /// Advanced SubStation Alpha.
    case ass
    /// SubStation Alpha v4.
    case ssa
    /// Timed Text Markup Language.
    case ttml
    /// Synchronized Accessible Media Interchange.
    case sami
    /// Blu-ray `.sup`.
    case sup
    /// `.idx` and `.sub`.
    case vobsub
    /// PNG images with BDN XML.
    case bdn
    /// The same as ``bdn``.
    case png
    /// Lyrics with times.
    case lrc
    /// MicroDVD, whose times are frames.
    case microdvd
    /// MPL2.
    case mpl2
    /// SubViewer, version 1 or 2, and YouTube's `.sbv`.
    case subviewer

    /// Formats of the contract that have no reader yet.
    private static let withoutReader: Set<String> = ["scc", "stl", "mcc", "json", "jsonl"]

    /// The format of that name.
    ///
    /// - Throws: ``FormatRequest/SyntaxError`` that says whether there is no such format, or no reader yet.
    public init(parsing name: String) throws(FormatRequest.SyntaxError) {
        guard let format = Self(rawValue: name) else {
            throw FormatRequest.SyntaxError(
                unknown: name, known: Self.allCases.map(\.rawValue),
                unsupported: Self.withoutReader.contains(name) ? "reading" : nil)
        }
        self = format
    }

    /// Whether a container of that name, FFmpeg's or ours, is this format.
    func matches(container name: String) -> Bool {
        let names: [String] =
            switch self {
            case .vtt: ["webvtt"]
            case .srt: ["srt"]
            case .ass, .ssa: ["ass"]
            case .ttml: ["ttml"]
            case .sami: ["sami"]
            case .sup: ["sup"]
            // A .sub file by itself is a program stream.
            case .vobsub: ["vobsub", "mpeg"]
            case .bdn, .png: ["bdn"]
            case .lrc, .microdvd, .mpl2: [rawValue]
            case .subviewer: ["subviewer", "subviewer1"]
            }
        return name.split(separator: ",").contains { names.contains(String($0)) }
    }

    /// The text file of ours that it is.
    var textFile: TextFileFormat? {
        switch self {
        case .vtt: .webVTT
        case .srt: .subRip
        case .ass, .ssa: .ass
        case .ttml: .ttml
        case .sami: .sami
        case .microdvd: .microDVD
        case .mpl2: .mpl2
        case .subviewer: .subViewer
        case .lrc: .lrc
        case .sup, .vobsub, .bdn, .png: nil
        }
    }
}
