public import UndertextCore

/// The formats of text files that we read.
public enum TextFileFormat: Hashable, Sendable, CaseIterable {
    // Those that are told by a signature first.
    case webVTT
    case ttml
    case ass
    case sami
    case subRip
    // Then those that only their first lines tell.
    case microDVD
    case mpl2
    case subViewer
    case lrc

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
        case .microDVD: "MicroDVD"
        case .mpl2: "MPL2"
        case .subViewer: "SubViewer"
        case .lrc: "LRC"
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
        case .microDVD: "microdvd"
        case .mpl2: "mpl2"
        case .subViewer: "subviewer"
        case .lrc: "lrc"
        }
    }

    /// Whether its reason matters to whoever has a file that is of no format: that of a rare one does not.
    private var isCommon: Bool {
        switch self {
        case .webVTT, .ttml, .ass, .sami, .subRip: true
        case .microDVD, .mpl2, .subViewer, .lrc: false
        }
    }

    /// What is said of a file whose beginning is no text in any charset.
    public static var refusalsOfBinaryData: [Refusal] {
        allCases.filter(\.isCommon).map {
            Refusal(format: $0, reason: "it is binary data, not text")
        }
    }

    private var readerType: any TextFileReader.Type {
        switch self {
        case .webVTT: WebVTTFileReader.self
        case .ttml: TTMLFileReader.self
        case .ass: ASSFileReader.self
        case .sami: SAMIFileReader.self
        case .subRip: SubRipFileReader.self
        case .microDVD: MicroDVDFileReader.self
        case .mpl2: MPL2FileReader.self
        case .subViewer: SubViewerFileReader.self
        case .lrc: LRCFileReader.self
        }
    }

    /// A reader of `text`: valid UTF-8 without a byte order mark.
    ///
    /// `frameRate` counts for formats whose times are frames; `nil` = as the file states it.
    public func reader(
        of text: [UInt8], limits: Limits, frameRate: TimeBase? = nil
    ) -> any TextFileReader {
        if self == .microDVD {
            return MicroDVDFileReader(text, limits: limits, frameRate: frameRate)
        }
        return readerType.init(text, limits: limits)
    }

    /// The format of a file that begins with `text`, or why it is of none.
    ///
    /// - Parameters:
    ///   - text: the beginning as UTF-8.
    ///   - claimed: the only format to be tried; `nil` = all.
    /// - Returns: the format, or why it is none of the common ones that were tried.
    public static func recognized(
        _ text: ArraySlice<UInt8>, claimed: TextFileFormat? = nil
    ) -> (TextFileFormat?, [Refusal]) {
        var refusals: [Refusal] = []
        for format in claimed.map({ [$0] }) ?? allCases {
            guard let reason = format.readerType.refusal(of: text) else { return (format, []) }
            guard format.isCommon || format == claimed else { continue }
            refusals.append(Refusal(format: format, reason: reason))
        }
        return (nil, refusals)
    }
}
