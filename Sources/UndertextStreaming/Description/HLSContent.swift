public import UndertextCore
internal import UndertextFormats

extension ContentInfo {
    /// Describes an HLS presentation by its playlists, without opening media.
    ///
    /// Variants are tracks of the video stream, or of each angle if there are several; of the audio stream if
    /// nothing indicates video. A track's number is the index of its variant or rendition in the playlist.
    /// Equivalent renditions of several groups are one stream with a track for each group. Captions within the
    /// video are streams without tracks.
    ///
    /// Video streams have one attribute set for each way of display (`VIDEO-RANGE`, `REQ-VIDEO-LAYOUT`); groups
    /// and all other attributes belong to the tracks.
    ///
    /// - Parameters:
    ///   - master: the master playlist.
    ///   - media: the playlist of one of the variants, from which duration and liveness are taken.
    public init(hls master: MasterPlaylist, media: MediaPlaylist? = nil) {
        let builder = HLSContentBuilder(master)
        self.init(
            fileFormat: .hls, totalPlayTime: media.flatMap { $0.isLive ? nil : $0.duration },
            isSeekable: media.map { !$0.isLive || $0.type == .event } ?? false,
            isPausable: media.map { !$0.isLive } ?? false, metadata: master.sessionData,
            drmInfo: DRMInfo(master.sessionKeys) ?? media.flatMap(Self.protection),
            streams: builder.streams)
        chooseDefaults()
        master.settle(&self)
    }

    /// Describes a media playlist that has no master: one stream, of which only the length is
    /// known.
    public init(hls media: MediaPlaylist) {
        self.init(
            fileFormat: .hls, totalPlayTime: media.isLive ? nil : media.duration,
            isSeekable: !media.isLive || media.type == .event, isPausable: !media.isLive,
            drmInfo: Self.protection(media))
    }

    private static func protection(_ media: MediaPlaylist) -> DRMInfo? {
        DRMInfo(media.segments.first { !$0.keys.isEmpty }?.keys ?? [])
    }

    /// In use are the default streams of each type, else the first; text only if it is a default.
    mutating func chooseDefaults() {
        func preferred(_ type: MediaStreamInfo.StreamType) -> Int? {
            let all = streams(ofType: type)
            return all.first { $0.disposition.contains(.default) && !$0.tracks.isEmpty }?.id
                ?? (type == .text ? nil : all.first?.id)
        }
        currentVideoStreamID = preferred(.video)
        currentAudioStreamID = preferred(.audio)
        currentTextStreamID = preferred(.text)
    }
}

/// Makes streams of the variants and renditions of a master playlist.
private struct HLSContentBuilder {
    private let master: MasterPlaylist
    private(set) var streams: [MediaStreamInfo] = []

    /// Attributes that have a property of their own.
    private static let known: Set<String> = [
        "BANDWIDTH", "CODECS", "RESOLUTION", "FRAME-RATE", "URI", "PROGRAM-ID", "TYPE", "NAME",
        "LANGUAGE", "DEFAULT", "AUTOSELECT", "FORCED", "CHANNELS", "INSTREAM-ID",
    ]
    /// The attributes that distinguish video streams for the user.
    private static let distinguishing = ["VIDEO-RANGE", "REQ-VIDEO-LAYOUT"]

    init(_ master: MasterPlaylist) {
        self.master = master
        addVariants()
        addRenditions(.audio, .audio)
        addRenditions(.subtitles, .text)
        addCaptions()
    }

    // MARK: Variants

    private mutating func addVariants() {
        let parameters = master.variants.map { $0.codecs.map(CodecParameter.init) }
        let tracks = master.variants.indices.map { track($0, parameters[$0]) }
        guard !tracks.isEmpty else { return }
        guard tracks.contains(where: \.hasVideo) else {
            // If there are audio renditions, they are the choices.
            guard !master.renditions.contains(where: { $0.kind == .audio }) else { return }
            append(.audio, tracks: tracks)
            return
        }
        let angles = distinct(master.renditions.filter { $0.kind == .video })
        guard !angles.isEmpty else {
            append(.video, tracks: tracks)
            return
        }
        for angle in angles {
            let groups = Set(angle.map { master.renditions[$0].groupID })
            let own = master.variants.indices.filter { index in
                master.variants[index].group(.video).map(groups.contains) ?? false
            }
            guard !own.isEmpty else { continue }
            append(.video, like: master.renditions[angle[0]], tracks: own.map { tracks[$0] })
        }
        if streams.isEmpty { append(.video, tracks: tracks) }
    }

    private func track(_ index: Int, _ codecs: [CodecParameter]) -> TrackInfo {
        let variant = master.variants[index]
        let video = codecs.first { $0.kind == .video }
        let audio = codecs.first { $0.kind == .audio }
        // Without any description, the variant is assumed to contain video.
        let hasVideo = video != nil || variant.resolution != nil || codecs.isEmpty
        var attributes = unknown(variant.attributes)
        let isRanged = master.variants.contains { $0.attributes["VIDEO-RANGE"] != nil }
        if isRanged, hasVideo, attributes["VIDEO-RANGE"] == nil {
            attributes["VIDEO-RANGE"] = "SDR"
        }
        return TrackInfo(
            id: index, codec: (hasVideo ? video : audio)?.codec, bandwidth: variant.bandwidth,
            width: variant.resolution?.width, height: variant.resolution?.height,
            frameRate: variant.frameRate, profile: video?.profile, level: video?.level,
            customAttributes: attributes, hasAudio: audio != nil && !variant.isIFrameOnly,
            hasVideo: hasVideo, isIFrameOnly: variant.isIFrameOnly)
    }

    private func unknown(_ attributes: PlaylistAttributes) -> [String: String] {
        var result: [String: String] = [:]
        for attribute in attributes.list
        where !Self.known.contains(attribute.name) && result[attribute.name] == nil {
            result[attribute.name] = attribute.value
        }
        return result
    }

    private mutating func append(
        _ type: MediaStreamInfo.StreamType, like rendition: HLSRendition? = nil, tracks: [TrackInfo]
    ) {
        var sets: [[String: String]] = []
        for track in tracks where type == .video && !track.isIFrameOnly {
            let set = track.customAttributes.filter { Self.distinguishing.contains($0.key) }
            if !set.isEmpty, !sets.contains(set) { sets.append(set) }
        }
        let first = tracks.first { track in
            !track.isIFrameOnly && (sets.first.map(track.matches) ?? true)
        }
        streams.append(
            MediaStreamInfo(
                id: streams.count, type: type, name: rendition?.name,
                language: rendition?.language, tracks: tracks, currentTrackID: first?.id,
                customAttributeSets: sets, representativeCodec: (first ?? tracks.first)?.codec,
                disposition: rendition.map(disposition) ?? []))
    }

    // MARK: Renditions

    /// Indices of renditions that are the same to a user, in different groups.
    private func distinct(_ renditions: [HLSRendition]) -> [[Int]] {
        struct Identity: Hashable {
            var name: String
            var choice: [String]
            var round: Int
        }
        let lines = Set(renditions.map(\.line))
        var order: [Identity] = []
        var members: [Identity: [Int]] = [:]
        var rounds: [[String]: Int] = [:]
        for (index, rendition) in master.renditions.enumerated()
        where lines.contains(rendition.line) {
            // Twice in one group: two streams.
            let round = rounds[[rendition.groupID, rendition.name] + rendition.choice, default: 0]
            rounds[[rendition.groupID, rendition.name] + rendition.choice] = round + 1
            let identity = Identity(name: rendition.name, choice: rendition.choice, round: round)
            if members[identity] == nil { order.append(identity) }
            members[identity, default: []].append(index)
        }
        return order.compactMap { members[$0] }
    }

    private mutating func addRenditions(
        _ kind: HLSRendition.Kind, _ type: MediaStreamInfo.StreamType
    ) {
        for members in distinct(master.renditions.filter { $0.kind == kind }) {
            let tracks = members.map { index in
                let rendition = master.renditions[index]
                return TrackInfo(
                    id: index, codec: codec(of: rendition),
                    channels: rendition.attributes["CHANNELS"].flatMap { text in
                        Int(text.prefix { $0 != "/" })
                    }, customAttributes: unknown(rendition.attributes), hasAudio: type == .audio)
            }
            let first = master.renditions[members[0]]
            var sets: [[String: String]] = []
            if let text = first.attributes["CHARACTERISTICS"] { sets = [["CHARACTERISTICS": text]] }
            streams.append(
                MediaStreamInfo(
                    id: streams.count, type: type, name: first.name, language: first.language,
                    tracks: tracks, currentTrackID: tracks.first?.id, customAttributeSets: sets,
                    representativeCodec: tracks.first?.codec, disposition: disposition(first)))
        }
    }

    /// The codec that the variants with the rendition's group name; WebVTT where they name none.
    private func codec(of rendition: HLSRendition) -> CodecID? {
        let users = master.variants.filter { $0.group(rendition.kind) == rendition.groupID }
        let codecs = users.flatMap(\.codecs).map(CodecParameter.init)
        let wanted: MediaKind = rendition.kind == .audio ? .audio : .text
        let own = codecs.filter { $0.kind == wanted }.map(\.codec)
        // Several, as in a group with audio in two codecs: the codec of this track is unknown.
        guard Set(own).count <= 1 else { return nil }
        if let codec = own.first { return codec }
        // Text that is no media sample is not in the list, and only WebVTT can be that.
        return wanted == .text && !codecs.isEmpty ? .webVTT : nil
    }

    private mutating func addCaptions() {
        var seen: Set<String> = []
        for rendition in master.renditions where rendition.kind == .closedCaptions {
            guard let channel = rendition.inStreamID, seen.insert(channel).inserted else {
                continue
            }
            let service = CaptionService(name: channel)
            streams.append(
                MediaStreamInfo(
                    id: streams.count, type: .text, name: rendition.name,
                    language: rendition.language, inStreamID: channel,
                    representativeCodec: service?.codec ?? .cea608,
                    disposition: disposition(rendition)
                        .union(service?.disposition ?? .captions)))
        }
    }

    private func disposition(_ rendition: HLSRendition) -> Disposition {
        var result: Disposition = []
        if rendition.isDefault { result.insert(.default) }
        if rendition.isForced { result.insert(.forced) }
        let characteristics = rendition.characteristics
        if characteristics.contains("public.accessibility.transcribes-spoken-dialog") {
            result.insert(.hearingImpaired)
        }
        if characteristics.contains("public.accessibility.describes-video") {
            result.insert(.visualImpaired)
        }
        return result
    }
}
