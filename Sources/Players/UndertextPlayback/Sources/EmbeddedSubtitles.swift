public import Undertext
public import UndertextCore
internal import UndertextFormats

/// A source of the subtitle tracks of a video, or of any file with several tracks.
public final class EmbeddedSubtitles: SubtitleDataSource {
    /// The name that users see.
    public let name: String
    /// The video.
    public let input: MediaInput
    /// The options for reading it, or `nil` for those of the model.
    let options: Media.Options?
    /// The selection that the model shares with the media, if there is one.
    let selection: ContentSelection?

    /// Creates a source without opening the video yet.
    ///
    /// - Parameters:
    ///   - input: The video.
    ///   - options: The options for reading it, or `nil` for those of the model.
    ///   - name: The name that users see.
    public init(
        of input: MediaInput, options: Media.Options? = nil,
        name: String = "video"
    ) {
        self.input = input
        self.options = options
        self.name = name
        selection = nil
    }

    /// Creates a source for media that a player has open, which share their selection with the model.
    ///
    /// `SubtitleModel.select(_:at:)` for the first place selects the text stream of `media.content`, or none if the
    /// subtitles are not of this source; `media.select(text:)` selects subtitles of the model. The model reads the
    /// renditions that go with the variant that `media` has selected, also after `media.setTargetBandwidth`. If both
    /// have a selection when the source is added, that of the model counts.
    ///
    /// The model opens the input again, with the options of `media`; a pipe cannot be opened twice.
    ///
    /// - Parameters:
    ///   - media: The media.
    ///   - name: The name that users see.
    public init(of media: Media, name: String = "video") {
        input = media.input
        selection = media.selection
        var options = media.options
        options.selection = media.selection
        self.options = options
        self.name = name
    }

    /// Creates a source for a path or a URL (`scheme://…`).
    public convenience init(
        of argument: String, options: Media.Options? = nil
    ) {
        self.init(of: MediaInput(argument: argument), options: options)
    }

    /// Opens the video and returns its subtitle tracks; tracks that cannot be decoded have an error.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        var options = self.options ?? options
        options.cancellation = Cancellation(parent: cancellation)
        let file = try Media(input, options: options)
        let tracks = file.subtitleTracks
        return SubtitleInfo.distinguished(tracks.map(info), services: tracks.map(\.stream.service))
    }

    /// Returns the track of the video with the options of this source.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        SubtitleContent(of: info.origin, options: self.options ?? options)
    }

    private func info(_ track: SubtitleTrack) -> SubtitleInfo {
        var info = SubtitleInfo(
            id: "\(name):\(SubtitleInfo.identity(of: input.argument))#\(track.id)",
            name: SubtitleInfo.listName(
                title: track.title, language: track.language, SubtitleCandidate(track.stream).kind,
                else: "\(track.id)"),
            language: track.language, disposition: track.disposition,
            isBitmap: track.kind == .bitmap, codec: track.codec, source: name,
            origin: .embedded(input, stream: track.id))
        if let reason = track.decodingRefusal {
            info.refuse(UndertextError(.unsupported, reason, path: info.name))
        }
        return info
    }
}

extension SubtitleInfo {
    /// Returns the name to show in a list: the title, otherwise language and kind.
    static func listName(
        title: String?, language: LanguageTag?, _ kind: SubtitleKind, else other: String
    ) -> String {
        if let title, !title.isEmpty { return title }
        let words = [language?.rawValue, note(of: kind).map { "(\($0))" }].compactMap(\.self)
        return words.isEmpty ? other : words.joined(separator: " ")
    }

    /// Returns the infos of a source with a name of its own for each.
    ///
    /// Equal names get the first of kind, service and codec in which they differ; otherwise those after the first one get
    /// a number.
    static func distinguished(_ infos: [SubtitleInfo], services: [String?] = []) -> [SubtitleInfo] {
        var infos = infos
        func name(_ index: Int) -> String { infos[index].name }
        let details: [[String?]] = [
            infos.map { note(of: $0.kind) }, services.count == infos.count ? services : [],
            infos.map { $0.codec.map { SubtitleFormat(codec: $0)?.name ?? $0.rawValue } },
        ]
        for detail in details where !detail.isEmpty {
            for group in Dictionary(grouping: infos.indices, by: name).values
            where Set(group.map { detail[$0] }).count > 1 {
                for index in group {
                    guard let text = detail[index], !infos[index].name.hasSuffix("(\(text))") else {
                        continue
                    }
                    infos[index].name += " (\(text))"
                }
            }
        }
        var taken = Set(infos.map(\.name))
        for group in Dictionary(grouping: infos.indices, by: name).values {
            var number = 2
            for index in group.sorted().dropFirst() {
                while !taken.insert("\(infos[index].name) (\(number))").inserted { number += 1 }
                infos[index].name += " (\(number))"
            }
        }
        return infos
    }

    /// The note on a kind in lists.
    private static func note(of kind: SubtitleKind) -> String? {
        switch kind {
        case .full: nil
        case .hearingImpaired: "SDH"
        case .forced: "forced"
        case .commentary: "commentary"
        }
    }
}
