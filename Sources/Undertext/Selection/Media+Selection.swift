public import UndertextCore

extension Media {
    /// Selects streams; ``content`` has the result.
    ///
    /// The selection decides what a presentation (HLS, DASH) opens next: the playlist of the selected variant,
    /// the rendition of its group for each subtitle track, and their segments. This function does not wait;
    /// readers that are opened later use the selection, and open readers continue unchanged. For other inputs,
    /// the selection changes ``content`` only.
    ///
    /// - Parameters:
    ///   - video: The angle.
    ///   - audio: The audio language.
    ///   - text: The subtitles; the quality of the video stays.
    ///   - attributes: The attributes that a video track must have to stay valid; `nil` = the first set of the stream.
    /// - Throws: `UndertextError` as `ContentInfo/select(video:audio:text:attributes:)`, for example if no track has the
    ///   attributes; nothing has changed then.
    public func select(
        video: StreamChoice = .unchanged, audio: StreamChoice = .unchanged,
        text: StreamChoice = .unchanged, attributes: [String: String]? = nil
    ) throws(UndertextError) {
        try changeSelection { (content) throws(UndertextError) in
            try content.select(video: video, audio: audio, text: text, attributes: attributes)
        }
    }

    /// Selects streams, and completes when the selection is open.
    ///
    /// Of a presentation it opens the playlist of the selected variant, and the playlist and the beginning of the
    /// selected subtitles, unless they are open. A request of a reader of this input that is in progress ends
    /// first; a reader that waits for new segments of a live presentation does not delay the selection.
    /// Cancellation of the task leaves the selection as it was.
    ///
    /// - Parameters:
    ///   - video: The angle.
    ///   - audio: The audio language.
    ///   - text: The subtitles; the quality of the video stays.
    ///   - attributes: The attributes that a video track must have to stay valid; `nil` = the first set of the stream.
    /// - Throws: `UndertextError`: nothing matches, or a part of the selection cannot be opened; nothing has changed then.
    public func select(
        video: StreamChoice = .unchanged, audio: StreamChoice = .unchanged,
        text: StreamChoice = .unchanged, attributes: [String: String]? = nil
    ) async throws(UndertextError) {
        try await openSelection { (content) throws(UndertextError) in
            try content.select(video: video, audio: audio, text: text, attributes: attributes)
        }
    }

    /// Selects the track of the current stream by its bandwidth, for what is opened next.
    ///
    /// It acts as `select(video:audio:text:attributes:)-(_,_,_,_)` does.
    ///
    /// - Parameters:
    ///   - bandwidth: The target in bits per second.
    ///   - segmentOption: The way in which a player switches to the track; see `BandwidthSegmentOption/Plan`.
    ///   - targetOption: The rule by which a track fits.
    /// - Throws: `UndertextError` if no track fits; nothing has changed then.
    public func setTargetBandwidth(
        _ bandwidth: Int64, segmentOption: BandwidthSegmentOption = .default,
        targetOption: BandwidthTargetOption = .default
    ) throws(UndertextError) {
        try changeSelection { (content) throws(UndertextError) in
            try content.setTargetBandwidth(
                bandwidth, segmentOption: segmentOption, targetOption: targetOption)
        }
    }

    /// Selects the track of the current stream by its bandwidth, and completes when the track is open.
    ///
    /// - Parameters:
    ///   - bandwidth: The target in bits per second.
    ///   - segmentOption: The way in which a player switches to the track; see `BandwidthSegmentOption/Plan`.
    ///   - targetOption: The rule by which a track fits.
    /// - Throws: `UndertextError`: no track fits, or its playlist cannot be opened; nothing has changed then.
    public func setTargetBandwidth(
        _ bandwidth: Int64, segmentOption: BandwidthSegmentOption = .default,
        targetOption: BandwidthTargetOption = .default
    ) async throws(UndertextError) {
        try await openSelection { (content) throws(UndertextError) in
            try content.setTargetBandwidth(
                bandwidth, segmentOption: segmentOption, targetOption: targetOption)
        }
    }

    private typealias Change = @Sendable (inout ContentInfo) throws(UndertextError) -> Void

    private func changeSelection(_ change: Change) throws(UndertextError) {
        _ = content
        let demuxer = demuxer
        try selection.change { (content) throws(UndertextError) in
            try change(&content)
            content = demuxer.settled(content)
        }
    }

    private func openSelection(_ change: @escaping Change) async throws(UndertextError) {
        // A read that waits for new segments of a live presentation must not delay the selection.
        let request = options.interruption.request()
        defer { request.end() }
        try await inBackground { media, cancellation throws(UndertextError) in
            request.end()
            var chosen = media.content
            try change(&chosen)
            let wanted = media.demuxer.settled(chosen)
            try media.exclusively { () throws(UndertextError) in
                try media.demuxer.select(wanted, isRequired: true)
                media.describe()
            }
            if cancellation.isCancelled {
                throw UndertextError(
                    .cancelled, "the selection was cancelled", path: media.input.argument)
            }
            // A player model may have selected something else meanwhile, which stays.
            try media.changeSelection(change)
        }
    }

    /// Has a presentation use the selection for what is read next; what cannot be opened is left to the readers.
    func applySelection() throws(UndertextError) {
        guard isPresentation, let content = selection.content else { return }
        try demuxer.select(content, isRequired: false)
    }

    /// Returns a track of a presentation as its first segment describes it, which may not have been known before.
    func opened(_ track: SubtitleTrack) throws(UndertextError) -> SubtitleTrack {
        guard isPresentation else { return track }
        try applySelection()
        _ = demuxer.refusal(ofStream: track.id)
        describe()
        return subtitleTracks.first { $0.id == track.id } ?? track
    }
}
