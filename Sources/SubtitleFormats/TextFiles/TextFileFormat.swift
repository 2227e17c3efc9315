public import MediaCore

/// The formats of text files that we read.
public enum TextFileFormat: Hashable, Sendable, CaseIterable {
    // Those that are told by a signature first.
    case webVTT
    case ttml
    case ass
    case sami
    case subRip

    /// Why a file is not of a format.
    public struct Refusal: Hashable, Sendable {
        /// The format.
        public var format: TextFileFormat
        /// What is wrong, as a part of a sentence.
        public var reason: String
    }

    /// What people call it.
    public var title: String {
        switch self {
        case .webVTT: "WebVTT"
        case .ttml: "TTML"
        case .ass: "ASS or SSA"
        case .sami: "SAMI"
        case .subRip: "SubRip"
        }
    }

    /// libavformat's name.
    public var containerName: String {
        switch self {
        case .webVTT: "webvtt"
        case .ttml: "ttml"
        case .ass: "ass"
        case .sami: "sami"
        case .subRip: "srt"
        }
    }

    /// What is said of a file whose beginning is no text in any charset.
    public static var refusalsOfBinaryData: [Refusal] {
        allCases.map { Refusal(format: $0, reason: "it is binary data, not text") }
    }

    private var readerType: any TextFileReader.Type {
        switch self {
        case .webVTT: WebVTTFileReader.self
        case .ttml: TTMLFileReader.self
        case .ass: ASSFileReader.self
        case .sami: SAMIFileReader.self
        case .subRip: SubRipFileReader.self
        }
    }

    /// A reader of `text`: valid UTF-8 without a byte order mark.
    public func reader(of text: [UInt8], limits: Limits) -> any TextFileReader {
        readerType.init(text, limits: limits)
    }

    /// The format of a file that begins with `text`, or why it is of none.
    ///
    /// - Parameters:
    ///   - text: the beginning as UTF-8.
    ///   - claimed: the only format to be tried; `nil` = all.
    /// - Returns: the format, or why it is none of those that were tried.
    public static func recognised(
        _ text: ArraySlice<UInt8>, claimed: TextFileFormat? = nil
    ) -> (TextFileFormat?, [Refusal]) {
        var refusals: [Refusal] = []
        for format in claimed.map({ [$0] }) ?? allCases {
            guard let reason = format.readerType.refusal(of: text) else { return (format, []) }
            refusals.append(Refusal(format: format, reason: reason))
        }
        return (nil, refusals)
    }
}
