extension ContentInfo {
    /// The known values as aligned `key: value` lines for a fixed-pitch font.
    ///
    /// Streams are indented by four spaces, their tracks by eight. Every line ends with a line
    /// feed; text from the file is escaped for terminals. NexPlayer: `infoAsMultiLineString`.
    public var multiLineDescription: String {
        var fields: [Field] = [
            ("fileFormat", fileFormat?.rawValue),
            ("hasVideo", yesNo(hasVideo)),
            ("hasAudio", yesNo(hasAudio)),
            ("videoCodec", videoCodec?.rawValue),
            ("audioCodec", audioCodec?.rawValue),
            ("captionType", captionType?.rawValue),
            ("width", width.map { "\($0)" }),
            ("height", height.map { "\($0)" }),
            ("pitch", pitch.map { "\($0)" }),
            ("videoFrameRate", videoFrameRate.map(decimal)),
            ("audioChannels", audioChannels.map { "\($0)" }),
            ("audioSampleRate", audioSampleRate.map { "\($0)" }),
            ("audioBitrate", audioBitrate.map { "\($0)" }),
            ("videoBitrate", videoBitrate.map { "\($0)" }),
            ("totalPlayTime", totalPlayTime.map(clockText)),
            ("totalContentSize", totalContentSize.map { "\($0)" }),
            ("isSeekable", yesNo(isSeekable)),
            ("isPausable", yesNo(isPausable)),
            ("isJunkContent", yesNo(isJunkContent)),
            ("drmInfo", drmInfo.map(\.oneLine) ?? "none"),
        ]
        fields += metadata.map { ("metadata", "\($0.key)=\($0.value)") }
        fields += [
            ("currentVideoStream", currentVideoStreamID.map { "\($0)" } ?? "none"),
            ("currentAudioStream", currentAudioStreamID.map { "\($0)" } ?? "none"),
            ("currentTextStream", currentTextStreamID.map { "\($0)" } ?? "none"),
            ("streams", "\(streams.count)"),
        ]
        return aligned(fields.map { ($0.key, $0.value ?? "unknown") }, indent: 0)
            + streams.map { $0.description(indent: 4) }.joined()
    }
}

extension MediaStreamInfo {
    /// The known values of the stream as aligned `key: value` lines, its tracks indented.
    ///
    /// Every line ends with a line feed; text from the file is escaped for terminals.
    public var multiLineDescription: String { description(indent: 0) }

    fileprivate func description(indent: Int) -> String {
        var fields: [Field] = [
            ("id", "\(id)"),
            ("type", type.rawValue),
            ("name", name),
            ("language", language?.rawValue),
            ("inStreamID", inStreamID),
            ("representativeCodec", representativeCodec?.rawValue),
            ("disposition", disposition.isEmpty ? nil : disposition.names.joined(separator: " ")),
        ]
        fields += customAttributeSets.map { ("customAttributeSet", attributeText($0)) }
        fields += [
            ("currentTrack", currentTrackID.map { "\($0)" } ?? "none"),
            ("tracks", "\(tracks.count)"),
        ]
        return aligned(fields.compactMap(known), indent: indent)
            + tracks.map { $0.description(indent: indent + 4) }.joined()
    }
}

extension TrackInfo {
    fileprivate func description(indent: Int) -> String {
        let fields: [Field] = [
            ("id", "\(id)"),
            ("codec", codec?.rawValue),
            ("bandwidth", bandwidth.map { "\($0)" }),
            ("width", width.map { "\($0)" }),
            ("height", height.map { "\($0)" }),
            ("frameRate", frameRate.map(decimal)),
            ("profile", profile.map { "\($0)" }),
            ("level", level.map { "\($0)" }),
            ("channels", channels.map { "\($0)" }),
            ("sampleRate", sampleRate.map { "\($0)" }),
            ("customAttributes", customAttributes.isEmpty ? nil : attributeText(customAttributes)),
            ("hasAudio", yesNo(hasAudio)),
            ("hasVideo", yesNo(hasVideo)),
            ("isIFrameOnly", yesNo(isIFrameOnly)),
            ("isValid", yesNo(isValid)),
            ("invalidReason", invalidReason?.rawValue),
        ]
        return aligned(fields.compactMap(known), indent: indent)
    }
}

extension Disposition {
    /// The names of the set flags in ffprobe's spelling and order.
    public var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }

    /// Every flag of FFmpeg 9.0 with ffprobe's name, in its order.
    public static let named: [(name: String, flag: Disposition)] = [
        ("default", .default), ("dub", .dub), ("original", .original), ("comment", .comment),
        ("lyrics", .lyrics), ("karaoke", .karaoke), ("forced", .forced),
        ("hearing_impaired", .hearingImpaired), ("visual_impaired", .visualImpaired),
        ("clean_effects", .cleanEffects), ("attached_pic", .attachedPicture),
        ("timed_thumbnails", .timedThumbnails), ("non_diegetic", .nonDiegetic),
        ("captions", .captions),
        ("descriptions", .descriptions), ("metadata", .metadata), ("dependent", .dependent),
        ("still_image", .stillImage), ("multilayer", .multilayer),
    ]

    /// The flags that ffprobe 5.1 does not have.
    package static let ofLaterVersions: Disposition = [.nonDiegetic, .multilayer]
}

extension DRMInfo {
    fileprivate var oneLine: String {
        ([scheme ?? "unknown scheme"] + systems.map(\.id)).joined(separator: ", ")
    }
}

private typealias Field = (key: String, value: String?)

/// The field, if its value is known.
private func known(_ field: Field) -> (String, String)? {
    field.value.map { (field.key, $0) }
}

private func aligned(_ fields: [(key: String, value: String)], indent: Int) -> String {
    let width = fields.map { $0.key.utf8.count + 2 }.max() ?? 0
    return fields.map { key, value in
        String(repeating: " ", count: indent) + key + ":"
            + String(repeating: " ", count: width - key.utf8.count - 1) + escapedForTerminal(value)
            + "\n"
    }.joined()
}

private func yesNo(_ value: Bool) -> String { value ? "yes" : "no" }

private func attributeText(_ attributes: [String: String]) -> String {
    attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
}

/// At most three decimals, without trailing zeros.
private func decimal(_ value: Double) -> String {
    let thousandths = value * 1000
    guard thousandths.magnitude < 9e15 else { return "\(value)" }
    let text = decimalSeconds(.milliseconds(Int64(thousandths.rounded())))
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
