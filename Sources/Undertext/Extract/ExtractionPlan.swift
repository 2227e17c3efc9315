package import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The planned outputs of an input's tracks, made before anything is written so that the run can still be
/// refused.
struct ExtractionPlan {
    /// One track's part.
    struct Item {
        let stream: StreamDescription
        /// The format; `nil` where the track is not written.
        let format: SubtitleFormat?
        /// `true` if packets are written as they are stored.
        let isNative: Bool
        /// The files or the folder it makes, the main one first.
        let paths: [String]
        /// The report of a track that is skipped or has failed already; `nil` for all others.
        let verdict: TrackReport?
        /// `true` if the text of its images is recognized.
        var needsRecognition = false
        /// The diagnostics of the planned track.
        var notes: [Diagnostic] = []

        /// `true` if the output is a folder.
        var isFolder: Bool { format?.makesFolder(of: stream.kind) ?? false }
    }

    let input: MediaInput
    let directory: String
    var items: [Item]
    /// Tracks that are selected and of a kind that no format was named for.
    let leftOut: [StreamDescription]

    init(
        input: MediaInput, stem: String, fileFormat: SubtitleFormat? = nil,
        streams: [StreamDescription], options: ExtractionOptions
    ) {
        self.input = input
        switch options.destination {
        case .directory(let path): directory = path
        case .file(let path): directory = PathName.directoryName(path)
        case .besideInput, .standardOutput: directory = input.defaultDirectory
        }
        let names = OutputNames(
            stem: stem, streams: streams, forcedOnly: options.forcedOnly)
        func isLeftOut(_ stream: StreamDescription) -> Bool {
            guard let kind = options.format.onlyKind, stream.kind != kind else { return false }
            return !options.tracks.singlesOut(stream)
        }
        let taken = streams.filter(options.tracks.takes)
        leftOut = taken.filter(isLeftOut)
        items = []
        for stream in taken where !isLeftOut(stream) {
            items.append(
                Self.item(
                    stream, base: names.base(for: stream), directory: directory, options: options))
        }
        noteSettingsForImages(options, countsFrames: fileFormat?.countsFrames == true)
    }

    /// Reports the settings that have no effect because no selected track has images.
    private mutating func noteSettingsForImages(
        _ options: ExtractionOptions, countsFrames: Bool
    ) {
        guard !items.contains(where: { $0.stream.kind == .bitmap }) else { return }
        var all = Self.imageSettings(options)
        if options.recognition != nil { all.append(.recognition) }
        if options.images.scale != nil { all.append(.scale) }
        if options.images.fillsCanvas { all.append(.canvas) }
        for index in items.indices {
            let stream = items[index].stream
            let written = items[index].format?.writtenFrameRates ?? []
            let usesRate =
                countsFrames || SubtitleFormat(codec: stream.codec)?.countsFrames == true
                || written.contains { $0 == options.reading.frameRate }
            let settings = usesRate ? all.filter { $0 != .frameRate } : all
            guard !settings.isEmpty else { continue }
            items[index].notes.append(
                .ignored(settings, "the track is text", streamIndex: stream.index))
        }
    }

    private static func item(
        _ stream: StreamDescription, base: String, directory: String, options: ExtractionOptions
    ) -> Item {
        let wasNamed = options.tracks.names(stream)
        func refused(
            _ status: TrackReport.Status, _ reason: String, _ remedy: Remedy? = nil
        ) -> Item {
            Item(
                stream: stream, format: nil, isNative: false, paths: [],
                verdict: TrackReport(
                    stream: stream, status: status, reason: reason, remedy: remedy,
                    wasNamed: wasNamed))
        }
        let request =
            options.destination == .standardOutput ? options.format.asLines : options.format
        let choice = FormatChoice(
            stream: stream, request: request,
            needsImages: options.images.changesPixels || options.reading.decoding.mergesFades
                || (options.forcedOnly && !stream.isForced)
                || options.stripsStyling && stream.kind == .text,
            copiesText: options.copiesText,
            changesTimes: options.reading.retiming != .none || !options.window.isAll
                || options.reading.rollUpLines && stream.service != nil)
        let recognizes =
            options.recognition != nil && stream.kind == .bitmap
            && choice.format.takesRecognizedText
        guard choice.format.takes.contains(stream.kind) || recognizes else {
            let isRecognizable =
                stream.kind == .bitmap && choice.format.takesRecognizedText
                && RecognitionOptions.isAvailable
            return refused(
                .failed,
                "\(stream.codec) (\(stream.kind.rawValue)) cannot be written as \(choice.format.name)",
                isRecognizable ? .set(.recognition) : nil)
        }
        if options.forcedOnly, choice.isNative, !stream.isForced {
            guard stream.kind == .bitmap else {
                return refused(.empty, "the track has no forced cues")
            }
            return refused(
                .failed, "forced cues cannot be cut out of a track that is copied",
                .set(.format, to: [SubtitleFormat.pgs.name, SubtitleFormat.png.name]))
        }
        if let reason = choice.refusal(for: stream) {
            return refused(.skipped, reason)
        }
        let path = PathName.joining(directory, base)
        let paths: [String] =
            switch options.destination {
            case .standardOutput: []
            case .file(let path) where !path.hasSuffix("/"):
                choice.format.files(at: path, kind: stream.kind)
            case .file, .besideInput, .directory:
                choice.extensions(for: stream).map { "\(path).\($0)" }
            }
        return Item(
            stream: stream, format: choice.format, isNative: choice.isNative, paths: paths,
            verdict: nil, needsRecognition: recognizes,
            notes: choice.isNative ? ignored(by: stream, options) : [])
    }

    /// Reports settings that have no effect, or only a part of it, where a track is copied.
    private static func ignored(
        by stream: StreamDescription, _ options: ExtractionOptions
    ) -> [Diagnostic] {
        var notes: [Diagnostic] = []
        if options.reading.retiming.isStretching,
            SubtitleFormat(codec: stream.codec)?.inlineTimes?.resistsStretching == true
        {
            notes.append(
                Diagnostic(
                    .warning, "not-stretched",
                    "the track is copied: the speed applies to the start times of its events, not to the "
                        + "times within them",
                    streamIndex: stream.index))
        }
        guard stream.kind == .bitmap else { return notes }
        var settings: [Remedy.Setting] = []
        if options.stripsStyling { settings.append(.styleRemoval) }
        if options.reading.charset != nil { settings.append(.charset) }
        settings += imageSettings(options)
        guard !settings.isEmpty else { return notes }
        return notes + [
            .ignored(settings, "the track is copied unchanged", streamIndex: stream.index)
        ]
    }

    /// The settings in use of how images are decoded and timed.
    private static func imageSettings(_ options: ExtractionOptions) -> [Remedy.Setting] {
        var settings: [Remedy.Setting] = []
        if options.reading.frameRate != nil || options.images.frameRate != nil {
            settings.append(.frameRate)
        }
        if options.reading.decoding.mergesFades { settings.append(.fadeMerging) }
        if options.reading.decoding.colorMatrix != nil { settings.append(.colorMatrix) }
        return settings
    }

    /// A diagnostic that lists the tracks left out; `nil` if there are none.
    var noteOnSkipped: Diagnostic? {
        guard let first = leftOut.first else { return nil }
        let kind = first.kind == .bitmap ? "bitmap" : "text"
        let tracks = leftOut.prefix(8).map(\.label)
        let more = leftOut.count > 8 ? " and \(leftOut.count - 8) more" : ""
        return Diagnostic(
            .info, "left-out",
            "\(leftOut.count) \(kind) \(leftOut.count == 1 ? "track is" : "tracks are") left out, "
                + "because the requested format does not support \(kind == "text" ? kind : "bitmaps"): "
                + (leftOut.count == 1 ? "stream " : "streams ")
                + tracks.joined(separator: ", ") + more,
            remedy: .set(.tracks))
    }

    /// Every path that it makes.
    var paths: [String] { items.flatMap(\.paths) }

    /// The paths of folders.
    var folders: Set<String> { Set(items.filter(\.isFolder).flatMap(\.paths)) }
}

/// The format of a track's output, with a flag that its packets are copied.
struct FormatChoice {
    let format: SubtitleFormat
    let isNative: Bool

    /// - Parameters:
    ///   - stream: the track.
    ///   - request: The requested formats.
    ///   - needsImages: `true` if cues must be decoded although their packets could be copied, because cues are
    ///     skipped or pixels change.
    ///   - copiesText: `true` to copy WebVTT and SubRip in the same format; otherwise their cues are rewritten,
    ///     which repairs them.
    ///   - changesTimes: `true` if times change or a time window drops cues; for TTML, this requires decoding,
    ///     because its times are within the document that is its only packet.
    init(
        stream: StreamDescription, request: FormatRequest, needsImages: Bool = false,
        copiesText: Bool = false, changesTimes: Bool = false
    ) {
        let isCopy = request.text == nil || copiesText && !needsImages
        let asked = stream.kind == .bitmap ? request.bitmap : request.text
        let format = asked ?? Self.storedFormat(of: stream)
        self.format = format
        let stored = SubtitleFormat(codec: stream.codec)
        let isStored =
            format.codecs.contains(stream.codec)
            || stored?.packetWriter != nil && stored?.native == format
        isNative =
            switch format.copying {
            case .never: false
            case .onRequest: isStored && isCopy
            case .withSameTimes: isStored && isCopy && !needsImages && !changesTimes
            case .always: isStored && (asked == nil || !needsImages)
            case .alwaysWithSameTimes:
                isStored && (asked == nil || !needsImages) && !changesTimes
            }
    }

    /// The format in which a codec is stored, or the nearest one that can carry it.
    private static func storedFormat(of stream: StreamDescription) -> SubtitleFormat {
        let standard = FormatRequest.standard
        if let native = SubtitleFormat(codec: stream.codec)?.native,
            native.takes.contains(stream.kind)
        {
            return native
        }
        return (stream.kind == .bitmap ? standard.bitmap : standard.text) ?? .webVTT
    }

    /// The reason why the track cannot be written: it has no decoder; `nil` if it can.
    ///
    /// Copying needs no decoder.
    func refusal(for stream: StreamDescription) -> String? {
        isNative ? nil : SubtitleFormat.decodingRefusal(of: stream.codec)
    }

    /// The extensions of the files it makes, the main one first.
    func extensions(for stream: StreamDescription) -> [String] {
        format.outputExtensions(for: stream.kind)
    }
}

extension SubtitleFormat {
    /// The formats that a stream can be written in; none if it can be neither copied nor decoded.
    static func possible(for stream: StreamDescription) -> [SubtitleFormat] {
        // The default format is first.
        let usual =
            stream.kind == .bitmap ? FormatRequest.standard.bitmap : FormatRequest.standard.text
        let ordered = outputs.filter { $0 == usual } + outputs.filter { $0 != usual }
        return ordered.filter { format in
            guard format.takes.contains(stream.kind) else { return false }
            let request = FormatRequest(text: format, bitmap: format)
            return FormatChoice(stream: stream, request: request).refusal(for: stream) == nil
        }
    }
}

/// Names of outputs: `STEM[.N].LANG[.forced][.sdh].EXT`.
///
/// N counts tracks that are equal in language, forced and sdh over all subtitle tracks of the
/// input, so a name never depends on the selection. For a service within another stream it is the service, such as `cc1`
/// or `page150`: the services that are known depend on the selection and on how much of the input was searched.
package struct OutputNames {
    private let bases: [Int: String]

    /// Creates the names of an input.
    ///
    /// - Parameters:
    ///   - stem: The beginning of each name.
    ///   - streams: All streams of the input.
    ///   - forcedOnly: Whether only forced cues are written.
    package init(stem: String, streams: [StreamDescription], forcedOnly: Bool) {
        var seen: [String: Int] = [:]
        var bases: [Int: String] = [:]
        for stream in streams where stream.kind.isSubtitle {
            var tail = "." + (stream.language?.rawValue ?? "und")
            if stream.isForced || forcedOnly { tail += ".forced" }
            if stream.isHearingImpaired { tail += ".sdh" }
            if let service = stream.service, stream.carrier != nil {
                tail = ".\(service.lowercased())" + tail
            }
            let number = (seen[tail] ?? 0) + 1
            seen[tail] = number
            bases[stream.index] = stem + (number > 1 ? ".\(number)" : "") + tail
        }
        self.bases = bases
    }

    /// The name without folder and extension.
    func base(for stream: StreamDescription) -> String {
        bases[stream.index] ?? "stream\(stream.index)"
    }

    /// The names of the files that a track becomes in the format of that name; those of folders end in a slash.
    package func files(of stream: StreamDescription, as format: String) -> [String] {
        let extensions =
            SubtitleFormat(name: format)?.outputExtensions(for: stream.kind) ?? [format]
        return extensions.map {
            "\(base(for: stream)).\($0)" + ($0 == SubtitleFormat.folderExtension ? "/" : "")
        }
    }
}
