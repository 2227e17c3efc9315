public import UndertextCore

/// The properties in the name of a subtitle file: `Movie.2.pt-BR.forced.srt` beside `Movie.mkv`.
///
/// The rules are those of Jellyfin, mpv, Kodi and Plex and of the names that extraction writes,
/// `STEM[.N].LANG[.forced][.sdh].EXT`, which are parsed exactly. The exceptions are languages that have no code
/// of two or three letters, or are `cc` or `sdh`: words win over codes.
public struct SidecarName: Hashable, Sendable {
    /// The file's name as it was given.
    public let fileName: String
    /// The extension in lower case, without its dot.
    public let fileExtension: String
    /// The quality of the match with the name of the video.
    public let match: SidecarMatch
    /// The language; `nil` if the name has none or says `und`.
    public let language: LanguageTag?
    /// `true` if the name states a language, be it `und`.
    public let statesLanguage: Bool
    /// `forced` or `foreign`: shown also where subtitles are off.
    public let isForced: Bool
    /// `sdh`, `cc`, or `hi` beside another language: for the hard of hearing.
    public let isHearingImpaired: Bool
    /// `default`.
    public let isDefault: Bool
    /// `commentary`.
    public let isCommentary: Bool
    /// The number among several equal ones: `Movie.2.en.srt`, `Movie.en.2.srt`, `2_English.srt`.
    public let number: Int?
    /// The rest of the name, without control characters and bidirectional marks.
    public let title: String?

    /// Extensions of files that can be read, in lower case: those of subtitle formats, and of Matroska files
    /// without video.
    public static let readableExtensions: Set<String> =
        Set(SubtitleFormat.inputs.flatMap(\.fileExtensions)).union(["mks"])

    /// Extensions of files that are written and not read.
    static let writtenExtensions =
        Set(SubtitleFormat.outputs.flatMap(\.fileExtensions)).subtracting(readableExtensions)

    /// Extensions of folders of images.
    private static let folderExtensions = Set(
        SubtitleFormat.outputs.flatMap { format -> [String] in
            if case .imageFolder = format.output { format.fileExtensions } else { [] }
        })

    /// Extensions of files that may hold several tracks; a `.sub` file is mostly text.
    private static let severalTracks = Set(
        SubtitleFormat.inputs.filter(\.holdsSeveralTracks).flatMap {
            $0.textFile == nil ? Array($0.fileExtensions.prefix(1)) : $0.fileExtensions
        }
    ).union(["mks"])

    /// The main extensions of files of images.
    private static let bitmapExtensions = Set(
        SubtitleFormat.outputs.compactMap { format -> String? in
            if case .images = format.output { format.fileExtensions.first } else { nil }
        })

    /// Longest name in bytes that is examined; file systems allow 255 characters.
    public static let lengthLimit = 1024

    /// `true` if the extension is that of a bitmap format.
    ///
    /// A `.sub` file without an `.idx` is more often text than half a VobSub pair.
    public var isBitmap: Bool { isFolder || Self.bitmapExtensions.contains(fileExtension) }

    /// `true` if the extension is that of a folder of images.
    public var isFolder: Bool { Self.folderExtensions.contains(fileExtension) }

    /// `true` if the extension is that of files that may hold several tracks.
    package var mayHoldSeveralTracks: Bool { Self.severalTracks.contains(fileExtension) }

    /// The flags as containers state them.
    public var disposition: Disposition {
        var disposition: Disposition = []
        if isForced { disposition.insert(.forced) }
        if isHearingImpaired { disposition.insert(.hearingImpaired) }
        if isCommentary { disposition.insert(.comment) }
        if isDefault { disposition.insert(.default) }
        return disposition
    }

    /// Parses a name; `nil` if the extension is not that of subtitles, or the name is a path or longer than
    /// ``lengthLimit``.
    ///
    /// - Parameters:
    ///   - fileName: the subtitle file's name, without folders.
    ///   - videoName: the video's file name with its extension.
    ///   - folder: the folder of the subtitle file; in a folder named after the video, its name need not
    ///     contain the video's name.
    public init?(_ fileName: String, of videoName: String, in folder: SidecarFolder = .beside) {
        self.init(fileName, of: VideoStem(fileName: videoName), in: folder)
    }

    init?(_ fileName: String, of video: VideoStem, in folder: SidecarFolder) {
        guard fileName.utf8.count <= Self.lengthLimit else { return nil }
        let bytes = Array(fileName.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0,
            !bytes.contains(UInt8(ascii: "/"))
        else { return nil }
        let ending = String(
            decoding: bytes[(dot + 1)...].map(\.lowercased), as: UTF8.self)
        guard Self.readableExtensions.contains(ending) || Self.writtenExtensions.contains(ending)
        else { return nil }
        let stem = bytes[..<dot]

        let tail: SidecarTail
        var prefix: ArraySlice<UInt8> = []
        if let rest = video.rest(of: stem) {
            let isDotted = rest.first.map { $0 == UInt8(ascii: ".") } ?? true
            tail = SidecarTail(rest, isDotted ? .anywhere : .atEnd)
            match = tail.leftovers.isEmpty ? .exact : isDotted ? .titled : .fuzzy
        } else if folder == .ofVideo {
            tail = SidecarTail(stem, .atEndAfterNumber)
            match = .exact
        } else if let range = video.range(in: stem) {
            prefix = stem[..<range.lowerBound]
            tail = SidecarTail(stem[range.upperBound...], .atEnd)
            match = .fuzzy
        } else {
            tail = SidecarTail(stem, .atEnd)
            match = .any
        }
        self.fileName = fileName
        fileExtension = ending
        language = tail.language
        statesLanguage = tail.statesLanguage
        isForced = tail.isForced
        isHearingImpaired = tail.isHearingImpaired
        isDefault = tail.isDefault
        isCommentary = tail.isCommentary
        number = tail.number
        title = Self.title([prefix] + tail.leftovers)
    }

    /// Pieces of a name as one text to show; `nil` if there is nothing to see in it.
    private static func title(_ pieces: [ArraySlice<UInt8>]) -> String? {
        var title = String.UnicodeScalarView()
        for piece in pieces {
            var piece = piece.drop(while: \.isNameSeparator)
            while piece.last?.isNameSeparator == true { piece.removeLast() }
            let shown = String(decoding: piece, as: UTF8.self).unicodeScalars.filter(isShown)
            if shown.isEmpty { continue }
            if !title.isEmpty { title.append(" ") }
            title.append(contentsOf: shown)
        }
        return title.allSatisfy { $0 == " " } ? nil : String(title)
    }

    /// `true` if a character is allowed in a title; the joiners are a part of spelling.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}
