public import UndertextCore

/// The playlists of an HLS presentation to open.
public struct HLSChoice: Hashable, Sendable {
    /// The variant: an index of ``MasterPlaylist/variants``.
    public var variant: Int?
    /// The renditions beside it: indices of ``MasterPlaylist/renditions`` with an address.
    public var renditions: [Int]
    /// The address of each playlist to be opened, as written; none twice.
    public var uris: [String]
}

extension MasterPlaylist {
    /// The playlists to open for the streams and tracks in use.
    ///
    /// Of a stream's renditions that one counts whose group the variant names; subtitles are had
    /// even if the variant does not name them. What has no address of its own is part of the
    /// variant.
    ///
    /// - Parameter content: the description of this playlist, after `select` and
    ///   `setTargetBandwidth`.
    /// - Returns: the variant, the renditions beside it and their addresses.
    public func choice(for content: ContentInfo) -> HLSChoice {
        let variant = variant(for: content)
        let audio = content.currentAudioStream
        var choice = HLSChoice(variant: variant, renditions: [], uris: [])
        let chosen = variant.flatMap { variants.indices.contains($0) ? variants[$0] : nil }
        if let chosen, variant != nil { choice.uris.append(chosen.uri) }
        if let video = content.currentVideoStream {
            // An angle: its rendition in the variant's group.
            take(
                renditions.indices.first { index in
                    renditions[index].kind == .video && renditions[index].name == video.name
                        && renditions[index].groupID == chosen?.group(.video)
                }, &choice)
        }
        if let audio, hasAudioRenditions { take(rendition(of: audio, .audio, chosen), &choice) }
        if let text = content.currentTextStream {
            take(rendition(of: text, .subtitles, chosen), &choice)
        }
        return choice
    }

    /// Has each stream of renditions use the one of the group that the selected variant names.
    func settle(_ content: inout ContentInfo) {
        let variant = variant(for: content)
        let chosen = variant.flatMap { variants.indices.contains($0) ? variants[$0] : nil }
        for position in content.streams.indices where !content.streams[position].tracks.isEmpty {
            let stream = content.streams[position]
            switch stream.type {
            case .video: continue
            case .audio:
                guard hasAudioRenditions else { continue }
                content.streams[position].currentTrackID = rendition(of: stream, .audio, chosen)
            case .text:
                content.streams[position].currentTrackID = rendition(of: stream, .subtitles, chosen)
            }
        }
    }

    private var hasAudioRenditions: Bool { renditions.contains { $0.kind == .audio } }

    /// The variant that a selection needs: the track of its video or, without video, one that has its audio.
    private func variant(for content: ContentInfo) -> Int? {
        let audio = content.currentAudioStream
        guard content.currentVideoStream != nil || audio != nil else { return nil }
        var variant = content.currentVideoStream?.currentTrackID
        if content.currentVideoStream == nil, !hasAudioRenditions {
            variant = audio?.currentTrackID
        }
        // Only audio of a presentation with video: the cheapest variant that names it.
        return variant ?? cheapestVariant(withAudio: audio)
    }

    private func take(_ index: Int?, _ choice: inout HLSChoice) {
        guard let index, renditions.indices.contains(index), let uri = renditions[index].uri else {
            return
        }
        choice.renditions.append(index)
        if !choice.uris.contains(uri) { choice.uris.append(uri) }
    }

    private func rendition(
        of stream: MediaStreamInfo, _ kind: HLSRendition.Kind, _ variant: HLSVariant?
    ) -> Int? {
        let ids = stream.tracks.map(\.id).filter { renditions.indices.contains($0) }
        let group = variant?.group(kind)
        return ids.first { renditions[$0].groupID == group } ?? stream.currentTrackID ?? ids.first
    }

    private func cheapestVariant(withAudio stream: MediaStreamInfo?) -> Int? {
        let groups = Set(
            (stream?.tracks ?? []).map(\.id).filter { renditions.indices.contains($0) }
                .map { renditions[$0].groupID })
        let fitting = variants.indices.filter { index in
            !variants[index].isIFrameOnly
                && (variants[index].group(.audio).map(groups.contains) ?? groups.isEmpty)
        }
        return fitting.min { (variants[$0].bandwidth ?? .max) < (variants[$1].bandwidth ?? .max) }
    }
}
