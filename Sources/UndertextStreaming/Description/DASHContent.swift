public import UndertextCore
internal import UndertextFormats

extension ContentInfo {
    /// Describes a DASH presentation by its manifest, without opening media.
    ///
    /// Adaptation sets are streams and representations their tracks, whose number is
    /// ``UndertextStreaming/DASHManifest/Representation/number``. What follows in later periods and is the same to a
    /// user belongs to the same stream; its representations are in ``UndertextStreaming/DASHManifest`` only.
    /// Captions within the video are streams without tracks.
    public init(dash manifest: DASHManifest) {
        var builder = DASHContentBuilder()
        for (index, period) in manifest.periods.enumerated() {
            builder.add(period, isFirst: index == 0)
        }
        self.init(
            fileFormat: .dash, totalPlayTime: manifest.isLive ? nil : manifest.duration,
            isSeekable: !manifest.isLive, isPausable: !manifest.isLive,
            drmInfo: builder.drmInfo, streams: builder.streams)
        chooseDefaults()
    }
}

extension DASHManifest {
    /// The representations of a stream, one for each period.
    ///
    /// - Parameters:
    ///   - stream: of the description of this manifest.
    ///   - content: that description, whose current tracks are taken where there is a choice.
    /// - Returns: each period with its representation; periods without the stream are left out.
    public func representations(
        of stream: MediaStreamInfo, in content: ContentInfo
    ) -> [(period: Period, representation: Representation)] {
        var found: [(period: Period, representation: Representation)] = []
        var builder = DASHContentBuilder()
        for (index, period) in periods.enumerated() {
            for (id, set) in builder.add(period, isFirst: index == 0) where id == stream.id {
                let current = stream.currentTrack
                // In later periods the one that is most like the chosen one.
                let best = set.representations.min { left, right in
                    func distance(_ one: Representation) -> UInt64 {
                        if one.number == current?.id { return 0 }
                        let difference = (one.bandwidth ?? 0).subtractingReportingOverflow(
                            current?.bandwidth ?? 0)
                        return 1
                            + (difference.overflow
                                ? .max / 2 : difference.partialValue.magnitude / 2)
                    }
                    return distance(left) < distance(right)
                }
                if let best { found.append((period, best)) }
            }
        }
        return found
    }
}

/// Makes streams of adaptation sets.
private struct DASHContentBuilder {
    private struct Identity: Hashable {
        var type: MediaStreamInfo.StreamType
        var language: LanguageTag?
        var label: String?
        var roles: [DASHManifest.Descriptor]
        var accessibility: [DASHManifest.Descriptor]
        var codec: CodecID?
        /// The position among equal adaptation sets of a period.
        var round: Int
    }

    private(set) var streams: [MediaStreamInfo] = []
    private(set) var drmInfo: DRMInfo?
    private var known: [Identity: Int] = [:]

    private static let captionSchemes: Set<String> = [
        "urn:scte:dash:cc:cea-608:2015", "urn:scte:dash:cc:cea-708:2015",
    ]

    /// Adds the streams of a period; returns the stream that each of its sets belongs to.
    @discardableResult
    mutating func add(
        _ period: DASHManifest.Period, isFirst: Bool
    ) -> [(id: Int, set: DASHManifest.AdaptationSet)] {
        var result: [(id: Int, set: DASHManifest.AdaptationSet)] = []
        var rounds: [Identity: Int] = [:]
        for set in period.adaptationSets {
            if !set.protection.isEmpty || set.protectionScheme != nil, drmInfo == nil {
                drmInfo = DRMInfo(scheme: set.protectionScheme, systems: set.protection)
            }
            guard let type = MediaStreamInfo.StreamType(rawValue: set.contentType) else { continue }
            let tracks = set.representations.map { track($0, set, type) }
            var identity = Identity(
                type: type, language: set.language, label: set.label, roles: set.roles,
                accessibility: set.accessibility,
                codec: type == .video ? nil : tracks.first?.codec, round: 0)
            // Video in several codecs and sizes is one angle unless it is explicitly distinguished.
            let round = rounds[identity, default: 0]
            rounds[identity] = round + 1
            identity.round = type == .video ? 0 : round
            if let id = known[identity] {
                if isFirst { streams[id].tracks += tracks }
                result.append((id, set))
            } else {
                let id = streams.count
                known[identity] = id
                streams.append(stream(id, set, type, tracks))
                result.append((id, set))
                addCaptions(of: set)
            }
        }
        return result
    }

    private func stream(
        _ id: Int, _ set: DASHManifest.AdaptationSet, _ type: MediaStreamInfo.StreamType,
        _ tracks: [TrackInfo]
    ) -> MediaStreamInfo {
        var attributes: [String: String] = [:]
        if !set.roles.isEmpty {
            attributes["Role"] = set.roles.map(\.value).joined(separator: " ")
        }
        let first = tracks.first { !$0.isIFrameOnly }
        return MediaStreamInfo(
            id: id, type: type, name: set.label, language: set.language, tracks: tracks,
            currentTrackID: first?.id,
            // Only a set that all tracks have: else the default choice would leave some out.
            customAttributeSets: attributes.isEmpty || type == .video ? [] : [attributes],
            representativeCodec: (first ?? tracks.first)?.codec, disposition: disposition(set))
    }

    private func track(
        _ representation: DASHManifest.Representation, _ set: DASHManifest.AdaptationSet,
        _ type: MediaStreamInfo.StreamType
    ) -> TrackInfo {
        let parameters = representation.codecs.map(CodecParameter.init)
        let wanted: MediaKind = type == .video ? .video : type == .audio ? .audio : .text
        let parameter = parameters.first { $0.kind == wanted }
        var attributes = ["id": representation.id, "mimeType": representation.mimeType]
        if !set.roles.isEmpty {
            attributes["Role"] = set.roles.map(\.value).joined(separator: " ")
        }
        for property in set.properties where attributes[property.scheme] == nil {
            attributes[property.scheme] = property.value
        }
        return TrackInfo(
            id: representation.number, codec: parameter?.codec ?? codec(representation.mimeType),
            bandwidth: representation.bandwidth, width: representation.size?.width,
            height: representation.size?.height, frameRate: representation.frameRate,
            profile: parameter?.profile, level: parameter?.level,
            channels: representation.channels, sampleRate: representation.sampleRate,
            customAttributes: attributes,
            hasAudio: parameters.contains { $0.kind == .audio } || type == .audio,
            hasVideo: type == .video, isIFrameOnly: representation.isTrickPlay)
    }

    private func codec(_ mimeType: String) -> CodecID? {
        switch mimeType.lowercased() {
        case "text/vtt": .webVTT
        case "application/ttml+xml": .ttml
        default: nil
        }
    }

    private func disposition(_ set: DASHManifest.AdaptationSet) -> Disposition {
        var result: Disposition = []
        for role in set.roles where role.scheme == "urn:mpeg:dash:role:2011" {
            switch role.value {
            case "main": result.insert(.default)
            case "dub": result.insert(.dub)
            case "commentary": result.insert(.comment)
            case "forced-subtitle", "forced_subtitle": result.insert(.forced)
            case "caption": result.insert([.captions, .hearingImpaired])
            case "description": result.insert([.descriptions, .visualImpaired])
            default: break
            }
        }
        for one in set.accessibility where one.scheme == "urn:tva:metadata:cs:AudioPurposeCS:2007" {
            if one.value == "2" { result.insert(.hearingImpaired) }
            if one.value == "1" { result.insert(.visualImpaired) }
        }
        // Main subtitles are shown only if the user selects them.
        if set.contentType == "text" { result.remove(.default) }
        return result
    }

    /// `CC1=eng;CC3=swe`, `1=lang:eng`, or languages only.
    private mutating func addCaptions(of set: DASHManifest.AdaptationSet) {
        for one in set.accessibility where Self.captionSchemes.contains(one.scheme) {
            let is708 = one.scheme.contains("708")
            for (place, part) in one.value.split(separator: ";").enumerated().prefix(63) {
                let halves = part.split(separator: "=", maxSplits: 1)
                guard let last = halves.last else { continue }
                var channel =
                    halves.count == 2 ? String(halves[0]) : "\(is708 ? place + 1 : place * 2 + 1)"
                if channel.utf8.allSatisfy({ $0.isDigit }) {
                    channel = (is708 ? "SERVICE" : "CC") + channel
                }
                let spelled = last.split(separator: ",").first { $0.hasPrefix("lang:") }
                let language = LanguageTag(String(spelled?.dropFirst(5) ?? last))
                streams.append(
                    MediaStreamInfo(
                        id: streams.count, type: .text, language: language, inStreamID: channel,
                        representativeCodec: is708 ? .cea708 : .cea608,
                        disposition: CaptionService(name: channel)?.disposition ?? .captions))
            }
        }
    }
}
