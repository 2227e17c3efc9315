extension Media {
    /// Chooses streams for a player; ``content`` tells the result.
    ///
    /// - Parameters:
    ///   - video: the angle.
    ///   - audio: the audio language.
    ///   - text: the subtitles.
    ///   - attributes: what a video track must match to stay valid; `nil` = the first set.
    /// - Throws: `UndertextError`; nothing has changed then.
    public func select(
        video: StreamChoice = .unchanged, audio: StreamChoice = .unchanged,
        text: StreamChoice = .unchanged, attributes: [String: String]? = nil
    ) throws(UndertextError) {
        try content.select(video: video, audio: audio, text: text, attributes: attributes)
    }

    /// Chooses the track of the current stream by its bandwidth.
    ///
    /// - Parameters:
    ///   - bandwidth: bits per second.
    ///   - segmentOption: kept for a player.
    ///   - targetOption: which tracks may be chosen.
    /// - Throws: `UndertextError` if no track fits; the target is unchanged then.
    public func setTargetBandwidth(
        _ bandwidth: Int64, segmentOption: BandwidthSegmentOption = .default,
        targetOption: BandwidthTargetOption = .default
    ) throws(UndertextError) {
        try content.setTargetBandwidth(
            bandwidth, segmentOption: segmentOption, targetOption: targetOption)
    }
}
