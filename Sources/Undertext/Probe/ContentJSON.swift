internal import UndertextCore

extension ContentInfo {
    /// The content under its binding names; times in seconds, unknown is `null`.
    var json: JSON {
        .object([
            .init("fileFormat", .optional(fileFormat?.rawValue)),
            .init("hasVideo", .bool(hasVideo)),
            .init("hasAudio", .bool(hasAudio)),
            .init("videoCodec", .optional(videoCodec?.rawValue)),
            .init("audioCodec", .optional(audioCodec?.rawValue)),
            .init("captionType", .optional(captionType?.rawValue)),
            .init("width", number(width)),
            .init("height", number(height)),
            .init("pitch", number(pitch)),
            .init("videoFrameRate", videoFrameRate.map(JSON.decimal) ?? .null),
            .init("audioChannels", number(audioChannels)),
            .init("audioSampleRate", number(audioSampleRate)),
            .init("audioBitrate", number(audioBitrate)),
            .init("videoBitrate", number(videoBitrate)),
            .init("totalPlayTime", totalPlayTime.map(seconds) ?? .null),
            .init("totalContentSize", number(totalContentSize)),
            .init("isSeekable", .bool(isSeekable)),
            .init("isPausable", .bool(isPausable)),
            .init("isJunkContent", .bool(isJunkContent)),
            .init("metadata", .object(metadata.map { .init($0.key, .string($0.value)) })),
            .init("drmInfo", drmInfo?.json ?? .null),
            .init("currentVideoStream", number(currentVideoStreamID)),
            .init("currentAudioStream", number(currentAudioStreamID)),
            .init("currentTextStream", number(currentTextStreamID)),
            .init("streams", .array(streams.map(\.json))),
        ])
    }
}

extension MediaStreamInfo {
    /// The stream under its binding names.
    fileprivate var json: JSON {
        .object([
            .init("id", .integer(id)),
            .init("type", .string(type.rawValue)),
            .init("name", .optional(name)),
            .init("language", .optional(language?.rawValue)),
            .init("inStreamID", .optional(inStreamID)),
            .init("representativeCodec", .optional(representativeCodec?.rawValue)),
            .init("disposition", .array(disposition.names.map(JSON.string))),
            .init("customAttributeSets", .array(customAttributeSets.map(attributes))),
            .init("currentTrack", number(currentTrackID)),
            .init("tracks", .array(tracks.map(\.json))),
        ])
    }
}

extension TrackInfo {
    /// The track under its binding names.
    fileprivate var json: JSON {
        .object([
            .init("id", .integer(id)),
            .init("codec", .optional(codec?.rawValue)),
            .init("bandwidth", number(bandwidth)),
            .init("width", number(width)),
            .init("height", number(height)),
            .init("frameRate", frameRate.map(JSON.decimal) ?? .null),
            .init("profile", number(profile)),
            .init("level", number(level)),
            .init("customAttributes", attributes(customAttributes)),
            .init("hasAudio", .bool(hasAudio)),
            .init("hasVideo", .bool(hasVideo)),
            .init("isIFrameOnly", .bool(isIFrameOnly)),
            .init("isValid", .bool(isValid)),
            .init("invalidReason", .optional(invalidReason?.rawValue)),
        ])
    }
}

extension DRMInfo {
    /// Scheme and systems; initialization data is left out.
    fileprivate var json: JSON {
        .object([
            .init("scheme", .optional(scheme)),
            .init("systems", .array(systems.map { .string($0.id) })),
        ])
    }
}

private func number(_ value: (some BinaryInteger)?) -> JSON {
    value.map { JSON.integer($0) } ?? .null
}

private func seconds(_ span: Duration) -> JSON {
    .seconds(Timestamp(nanoseconds: Int64(clamping: span.nanoseconds128)))
}

private func attributes(_ values: [String: String]) -> JSON {
    .object(values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
}
