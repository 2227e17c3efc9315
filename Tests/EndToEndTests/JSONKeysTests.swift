import TestSupport
import Testing
import Undertext
import UndertextCore

/// Programs read the JSON that the command writes: its keys and closed vocabularies are a contract.
///
/// Each list holds every key path, `[]` for the elements of an array. A change of it is a change of the contract.
@Suite struct JSONKeysTests {
    let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")

    /// Text with a region, a style sheet and a damaged character.
    private var webVTT: String {
        folder.write(
            Array(
                """
                WEBVTT

                REGION
                id:r
                lines:2

                STYLE
                ::cue{color:red}

                a
                00:01.000 --> 00:02.000 region:r
                ÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèà
                ÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèàÄÖÜäöüßéèà

                """.utf8) + [0x61, 0xFF, 0x0A], to: "a.vtt")
    }

    // MARK: Keys

    @Test func keysOfTheReport() {
        let whole = Command.reported([
            "extract", "--attachments", folder / "fonts", "-o", folder / "whole", movie,
        ])
        #expect(whole.status == 0, "\(whole.result.stderr)")
        let damaged = Command.reported([
            "extract", "-o", folder / "damaged", fixture("containers/invalid-utf8.mkv"),
            fixture("containers/movie-videocues.mkv"), fixture("containers/truncated.mkv"),
            fixture("containers/empty-track.mkv"), webVTT, folder / "missing.mkv",
        ])
        #expect(damaged.status == 3, "\(damaged.result.stderr)")
        expectKeys([whole.report, damaged.report], Self.report)
    }

    @Test func keysOfDocuments() throws {
        let text = folder / "text.json"
        #expect(Command.undertext("convert", webVTT, text).status == 3)
        let bitmap = folder / "in.png"
        #expect(Command.undertext("convert", fixture("subtitles/bitmaps.sup"), bitmap).status == 0)
        expectKeys([try read(text)], Self.frame + Self.textCues("cues[]"))
        expectKeys(
            [try read(bitmap + "/index.json")], Self.frame + Self.bitmapCues("cues[]", "file"),
            without: ["regions[]", "styles[]", "diagnostics[]"])
    }

    @Test func keysOfLines() throws {
        func records(_ arguments: String...) throws -> [JSON] {
            let result = Command.undertext(["extract", "-o", "-"] + arguments)
            return try result.text.split(separator: "\n").map { try JSON(parsing: $0.utf8) }
        }
        let text = try records("--format", "json", webVTT)
        expectKeys(Self.byType(text), Self.lines + Self.textCues("cue"))
        let bitmap = try records("--tracks", "bitmap", "--format", "jsonl", movie)
        expectKeys(
            Self.byType(bitmap), Self.lines + Self.bitmapCues("cue", "png"),
            without: ["region", "style", "diagnostic"])
    }

    /// Recognized text has its confidence.
    @Test(.requiresRecognition) func keysOfRecognizedCues() throws {
        let result = Command.undertext(
            "extract", "-q", "--ocr", "en", "--tracks", "8", "--format", "png", "-o", folder.path,
            movie)
        try #require(result.status == 0, "\(result.stderr)")
        let index = try read(folder / "movie.de.images/index.json")
        expectKeys(
            [.object([.init("cues", index["cues"] ?? .null)])],
            ["/: cues", "cues[]: text confidence"] + Self.bitmapCues("cues[]", "file"))
    }

    @Test(arguments: [false, true]) func keysOfTheProbe(isDeep: Bool) {
        let options = isDeep ? ["--deep"] : []
        let paths = ["movie.mkv", "movie.mp4", "movie.ts"].map { fixture("containers/\($0)") }
        let several = Command.probed(options + paths)
        #expect(several.elements.count == paths.count)
        let deep = ["streams[]: closed_captions", "programs[].streams[]: closed_captions"]
        expectKeys(several.elements, Self.probe + (isDeep ? deep : []), haveOneShape: false)
        let one = Command.probed(options + paths.prefix(1))
        #expect(Self.paths(one) == several.elements.first.map { Self.paths($0) })
    }

    @Test func keysOfProtection() {
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "a.vtt")
        let playlist = folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"\n"
                + "#EXTINF:10,\na.vtt\n#EXT-X-ENDLIST\n", to: "key.m3u8")
        let drm = Command.probed([playlist])["undertext"]?["content"]?["drmInfo"]
        #expect(drm?.members.map(\.key) == ["scheme", "systems"])
    }

    @Test func keysOfAProbeThatFailed() {
        let failed = Command.probed([folder / "missing.mkv"])
        expectKeys([failed], ["/: error undertext", "error: code string", "undertext: input code"])
        #expect(failed["undertext"]?["code"]?.text == "not-found")
    }

    // MARK: The lists

    /// The path of an object, then its keys; `/` is the path of the whole.
    private static let report = [
        "/: version avformat inputs",
        "inputs[]: input exitCode error container timeline io seconds tracks attachments diagnostics",
        "inputs[].error: code message offset",
        "inputs[].timeline: view offset",
        "inputs[].io: path proof refused bytesRead requests inputSize",
        "inputs[].io.refused[]: path reason",
        "inputs[].tracks[]: track codec language title forced hearingImpaired status reason cues",
        "inputs[].tracks[]: first last outputs charset losses diagnostics diagnosticCounts",
        "inputs[].tracks[].outputs[]: file format bytes",
        "inputs[].tracks[].charset: name source confidence",
        "inputs[].tracks[].losses[]: kind count example",
        "inputs[].tracks[].losses[].example: cue start",
        "inputs[].tracks[].diagnostics[]: severity code track time offset message",
        "inputs[].attachments[]: file format bytes",
        "inputs[].diagnostics[]: severity code track time offset message",
    ]

    /// A document of cues without them.
    private static let frame = [
        "/: track regions styles cues diagnostics summary",
        "track: type track codec language title forced hearingImpaired canvas",
        "regions[]: type id width lines regionAnchor viewportAnchor scroll",
        "styles[]: type css",
        "diagnostics[]: type severity code track time offset message",
        "summary: type cues path bytesRead partial",
    ]

    /// The records of lines, by their type, without cues.
    private static let lines = [
        "/: track region style cue diagnostic summary",
        "track: type track codec language title forced hearingImpaired canvas",
        "region: type id width lines regionAnchor viewportAnchor scroll",
        "style: type css",
        "diagnostic: type severity code track time offset message",
        "summary: type cues path bytesRead partial",
    ]

    private static func textCues(_ path: String) -> [String] {
        cues(path) + ["\(path): text payload"]
    }

    private static func bitmapCues(_ path: String, _ content: String) -> [String] {
        cues(path) + ["\(path): images", "\(path).images[]: \(content) x y width height"]
    }

    private static func cues(_ path: String) -> [String] {
        [
            "\(path): type track id start end endSource forced layer layout",
            "\(path).layout: vertical line snapToLines lineAlign position positionAlign size align",
            "\(path).layout: region",
        ]
    }

    private static let probe =
        [
            "/: programs streams chapters format undertext",
            "programs[]: program_id program_num nb_streams pmt_pid pcr_pid tags streams",
            "chapters[]: id time_base start start_time end end_time tags",
            "format: filename nb_streams nb_programs format_name format_long_name start_time",
            "format: duration size bit_rate probe_score tags",
            "streams[]: undertext",
            "streams[].undertext: kind codec language extraction",
            "streams[].undertext.extraction: kind indexed packets cues first last coverage outputs",
            "undertext: input content attachments",
            "undertext.content: fileFormat hasVideo hasAudio videoCodec audioCodec captionType",
            "undertext.content: width height pitch videoFrameRate audioChannels audioSampleRate",
            "undertext.content: audioBitrate videoBitrate totalPlayTime totalContentSize",
            "undertext.content: isSeekable isPausable isJunkContent metadata drmInfo",
            "undertext.content: currentVideoStream currentAudioStream currentTextStream streams",
            "undertext.content.streams[]: id type name language inStreamID representativeCodec",
            "undertext.content.streams[]: disposition customAttributeSets currentTrack tracks",
            "undertext.content.streams[].tracks[]: id codec bandwidth width height frameRate",
            "undertext.content.streams[].tracks[]: profile level customAttributes hasAudio hasVideo",
            "undertext.content.streams[].tracks[]: isIFrameOnly isValid invalidReason",
            "undertext.attachments[]: stream fileName mimeType size",
        ]
        + ["streams[]", "programs[].streams[]"].flatMap {
            [
                "\($0): index codec_name codec_type codec_tag_string codec_tag sample_rate channels",
                "\($0): channel_layout width height id avg_frame_rate time_base bit_rate",
                "\($0): extradata_size disposition tags",
                "\($0).disposition: default dub original comment lyrics karaoke forced",
                "\($0).disposition: hearing_impaired visual_impaired clean_effects attached_pic",
                "\($0).disposition: timed_thumbnails captions descriptions metadata dependent",
                "\($0).disposition: still_image",
            ]
        }

    // MARK: Vocabularies

    @Test func vocabularies() {
        // A case that is added has to be added here.
        func name(_ source: EndSource) -> String {
            switch source {
            case .explicit: "explicit"
            case .containerDuration: "containerDuration"
            case .nextEvent: "nextEvent"
            case .clamped: "clamped"
            case .endOfStream: "endOfStream"
            }
        }
        let sources: [EndSource] = [
            .explicit, .containerDuration, .nextEvent, .clamped, .endOfStream,
        ]
        #expect(sources.map(\.rawValue) == sources.map(name))

        func name(_ severity: Diagnostic.Severity) -> String {
            switch severity {
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
        let severities: [Diagnostic.Severity] = [.info, .warning, .error]
        #expect(severities.map(\.rawValue) == severities.map(name))

        func name(_ status: TrackReport.Status) -> String {
            switch status {
            case .written: "written"
            case .empty: "empty"
            case .skipped: "skipped"
            case .failed: "failed"
            }
        }
        let statuses: [TrackReport.Status] = [.written, .empty, .skipped, .failed]
        #expect(statuses.map(\.rawValue) == statuses.map(name))

        func name(_ kind: MediaKind) -> String {
            switch kind {
            case .video: "video"
            case .audio: "audio"
            case .text: "text"
            case .bitmap: "bitmap"
            case .attachment: "attachment"
            case .data: "data"
            }
        }
        let kinds: [MediaKind] = [.video, .audio, .text, .bitmap, .attachment, .data]
        #expect(kinds.map(\.rawValue) == kinds.map(name))

        func name(_ kind: ExtractionSummary.Kind) -> String {
            switch kind {
            case .text: "text"
            case .bitmap: "bitmap"
            }
        }
        let extracted: [ExtractionSummary.Kind] = [.text, .bitmap]
        #expect(extracted.map(\.rawValue) == extracted.map(name))

        #expect(
            ConversionLosses.Kind.allCases.map(\.rawValue) == [
                "position", "alignment", "color", "background", "font", "size", "style", "karaoke",
                "drawing", "animation", "rotation", "clip", "ruby", "region", "voice", "metadata",
                "image", "timing", "text",
            ])
        #expect(ReadPath.allCases.map(\.rawValue) == ["index", "walk", "scan", "file"])
        #expect(TimelineView.allCases.map(\.rawValue) == ["player", "source"])
        #expect(
            MediaStreamInfo.StreamType.allCases.map(\.rawValue) == ["video", "audio", "text"])
    }

    // MARK: Comparing

    /// Members whose keys come from the input.
    private static let open: Set = [
        "tags", "metadata", "customAttributes", "customAttributeSets", "diagnosticCounts",
    ]

    private static func paths(_ value: JSON, below path: String = "") -> Set<String> {
        var found: Set<String> = []
        for member in value.members {
            let key = path.isEmpty ? member.key : "\(path).\(member.key)"
            found.insert(key)
            if !open.contains(member.key) { found.formUnion(paths(member.value, below: key)) }
        }
        for element in value.elements { found.formUnion(paths(element, below: path + "[]")) }
        return found
    }

    /// The keys of each object, by its path.
    private static func shapes(_ value: JSON, at path: String = "") -> [String: Set<[String]>] {
        var found: [String: Set<[String]>] = [:]
        if !value.members.isEmpty { found[path] = [value.members.map(\.key)] }
        for member in value.members where !open.contains(member.key) {
            found.merge(shapes(member.value, at: "\(path).\(member.key)")) { $0.union($1) }
        }
        for element in value.elements {
            found.merge(shapes(element, at: path + "[]")) { $0.union($1) }
        }
        return found
    }

    /// Records of lines, each as the one member of an object that is called as its type.
    private static func byType(_ records: [JSON]) -> [JSON] {
        records.map { .object([.init($0["type"]?.text ?? "?", $0)]) }
    }

    /// The paths that a list holds.
    private static func paths(of list: [String]) -> Set<String> {
        var paths: Set<String> = []
        for line in list {
            let parts = line.split(separator: ": ", maxSplits: 1)
            for key in parts[1].split(separator: " ") {
                paths.insert(parts[0] == "/" ? String(key) : "\(parts[0]).\(key)")
            }
        }
        return paths
    }

    private func read(_ path: String) throws -> JSON {
        try JSON(parsing: try #require(fileBytes(path), "\(path)"))
    }

    /// Compares the keys of values with a list, of which the objects in `absent` do not occur.
    private func expectKeys(
        _ values: [JSON], _ list: [String], without absent: [String] = [],
        haveOneShape: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = values.reduce(into: Set<String>()) { $0.formUnion(Self.paths($1)) }
        let expected = Self.paths(of: list).filter { path in
            !absent.contains { path == $0 || path.hasPrefix($0 + ".") }
        }
        let new = found.subtracting(expected).sorted()
        #expect(new.isEmpty, "new keys", sourceLocation: sourceLocation)
        let missing = expected.subtracting(found).sorted()
        #expect(missing.isEmpty, "missing keys", sourceLocation: sourceLocation)
        guard haveOneShape else { return }
        // Objects at one path have the same keys in the same order: what is unknown is `null`.
        let shapes = values.map { Self.shapes($0) }.reduce(into: [:]) {
            $0.merge($1) { $0.union($1) }
        }
        for (path, shapes) in shapes where !values.isEmpty && path != "" {
            #expect(shapes.count == 1, "\(path)", sourceLocation: sourceLocation)
        }
    }
}
