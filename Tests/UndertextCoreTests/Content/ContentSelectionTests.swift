import Testing
import UndertextCore

/// A presentation with two angles of four and one tracks, two languages and two subtitles.
private func presentation() -> ContentInfo {
    func video(_ id: Int, _ bandwidth: Int64?, _ attributes: [String: String]) -> TrackInfo {
        TrackInfo(
            id: id, codec: CodecID(rawValue: "h264"), bandwidth: bandwidth, width: id * 100,
            customAttributes: attributes, hasVideo: true)
    }
    let angle = MediaStreamInfo(
        id: 10, type: .video,
        tracks: [
            video(1, 500, ["view": "front", "grade": "sdr"]),
            video(2, 900, ["view": "front", "grade": "hdr"]),
            video(3, 1400, ["view": "side", "grade": "sdr"]),
            TrackInfo(
                id: 4, bandwidth: 100, customAttributes: ["view": "front"], hasVideo: true,
                isIFrameOnly: true),
        ],
        currentTrackID: 3,
        customAttributeSets: [["view": "front"], ["view": "side", "grade": "sdr"]])
    return ContentInfo(
        streams: [
            angle,
            MediaStreamInfo(id: 11, type: .video, tracks: [video(5, 700, [:])], currentTrackID: 5),
            MediaStreamInfo(
                id: 20, type: .audio,
                tracks: [TrackInfo(id: 1, codec: CodecID(rawValue: "aac"), hasAudio: true)],
                currentTrackID: 1),
            MediaStreamInfo(id: 21, type: .audio, tracks: [TrackInfo(id: 1, hasAudio: true)]),
            MediaStreamInfo(id: 30, type: .text, representativeCodec: .webVTT),
            MediaStreamInfo(id: 31, type: .text, representativeCodec: .pgs),
        ],
        currentVideoStreamID: 10, currentAudioStreamID: 20)
}

private func validity(_ content: ContentInfo, _ stream: Int) -> [Bool] {
    content.streams.first { $0.id == stream }?.tracks.map(\.isValid) ?? []
}

@Suite struct ContentSelectionTests {
    @Test func choosesStreams() throws {
        var content = presentation()
        try content.select(audio: .stream(21), text: .stream(31))
        #expect(content.currentVideoStream?.id == 10)
        #expect(content.currentAudioStream?.id == 21)
        #expect(content.currentAudioStream?.currentTrackID == 1)
        #expect(content.currentTextStream?.id == 31)
        #expect(content.captionType == .pgs)
        try content.select(video: .off, text: .off)
        #expect(content.currentVideoStream == nil)
        #expect(content.currentAudioStream?.id == 21)
        #expect(content.currentTextStream == nil)
        #expect(content.hasVideo)
    }

    @Test func noAttributesMeanTheFirstSet() throws {
        var content = presentation()
        try content.select()
        #expect(validity(content, 10) == [true, true, false, true])
        #expect(content.streams[0].tracks[2].invalidReason == .customAttributes)
        #expect(content.currentVideoStream?.currentTrackID == 1)
        #expect(content.width == 100)
    }

    @Test func everyAttributeHasToMatch() throws {
        var content = presentation()
        try content.select(attributes: ["view": "front", "grade": "hdr"])
        #expect(validity(content, 10) == [false, true, false, false])
        #expect(content.currentVideoStream?.currentTrackID == 2)
        try content.select(attributes: ["view": "side"])
        #expect(validity(content, 10) == [false, false, true, false])
        try content.select(attributes: [:])
        #expect(validity(content, 10) == [true, true, true, true])
        #expect(content.currentVideoStream?.currentTrackID == 3)
    }

    /// Audio and text are chosen without a change of the video's quality.
    @Test func subtitlesDoNotResetTheQuality() throws {
        var content = presentation()
        try content.select(attributes: ["view": "side"])
        let video = content.currentVideoStream
        #expect(video?.currentTrackID == 3)
        try content.select(text: .stream(31))
        try content.select(audio: .stream(21), text: .off)
        #expect(content.currentVideoStream == video)
        try content.select(attributes: [:])
        try content.setTargetBandwidth(1400)
        try content.select(text: .stream(30))
        #expect(content.currentVideoStream?.currentTrackID == 3)
        // A choice of the angle, or of nothing, takes the first set.
        try content.select(video: .stream(10))
        #expect(content.currentVideoStream?.currentTrackID == 1)
    }

    @Test func choosesByLanguage() throws {
        var content = presentation()
        for (place, tag) in [(2, "en-US"), (3, "de"), (4, "en"), (5, "en-GB")] {
            content.streams[place].language = LanguageTag(tag)
        }
        try content.select(audio: .language("de"), text: .language("en"))
        #expect(content.currentAudioStreamID == 21 && content.currentTextStreamID == 30)
        content.streams[5].disposition = .default
        try content.select(audio: .language("en"), text: .language("en"))
        #expect(content.currentAudioStreamID == 20 && content.currentTextStreamID == 31)
        let before = content
        let error = #expect(throws: UndertextError.self) {
            try content.select(audio: .language("de"), text: .language("fr"))
        }
        #expect(error?.code == .noSuchStream)
        #expect(content == before)
    }

    /// Attributes that no usable track has would leave nothing to play.
    @Test(arguments: [["view": "none"], ["view": "side", "grade": "hdr"], ["grade": "hdr"]])
    func attributesThatMatchNothingChangeNothing(_ attributes: [String: String]) throws {
        var content = presentation()
        try content.select(attributes: ["view": "front"])
        content.streams[0].tracks[1].invalidReason = .resolution
        let before = content
        let error = #expect(throws: UndertextError.self) {
            try content.select(
                audio: .stream(21), text: .stream(31), attributes: attributes)
        }
        #expect(error?.code == .noSuchTrack)
        #expect(content == before)
        // Without a video stream there is nothing that they could leave invalid.
        try content.select(video: .off, attributes: attributes)
    }

    @Test func streamsWithoutUsableTracks() throws {
        var content = presentation()
        content.streams[1].tracks[0].invalidReason = .resolution
        try content.select(video: .stream(11), attributes: [:])
        #expect(content.currentVideoStream?.currentTrack == nil)
    }

    @Test func onlyTheVideoStreamInUseIsJudged() throws {
        var content = presentation()
        try content.select(attributes: ["view": "side"])
        #expect(validity(content, 11) == [true])
        #expect(validity(content, 20) == [true])
        try content.select(video: .stream(11), attributes: [:])
        #expect(validity(content, 10) == [true, true, true, true])
        #expect(validity(content, 11) == [true])
    }

    @Test func anotherReasonStays() throws {
        var content = presentation()
        content.streams[0].tracks[0].invalidReason = .resolution
        try content.select()
        #expect(content.streams[0].tracks[0].invalidReason == .resolution)
        #expect(content.currentVideoStream?.currentTrackID == 2)
    }

    @Test func anUnknownStreamChangesNothing() {
        var content = presentation()
        let before = content
        #expect(throws: UndertextError(.noSuchStream, "there is no text stream 99")) {
            try content.select(video: .stream(11), text: .stream(99))
        }
        #expect(throws: UndertextError(.noSuchStream, "there is no video stream 20")) {
            try content.select(video: .stream(20))
        }
        #expect(content == before)
    }

    @Test(
        arguments: [
            (1000, .default, 2), (1000, .below, 2), (900, .below, 2),
            (1000, .above, 3), (900, .above, 2), (900, .match, 2), (9_000, .below, 3),
            (1, .above, 1),
        ] as [(Int64, BandwidthTargetOption, Int)])
    func theTargetTakesATrack(target: Int64, option: BandwidthTargetOption, track: Int) throws {
        var content = presentation()
        try content.setTargetBandwidth(target, segmentOption: .lateMix, targetOption: option)
        #expect(content.currentVideoStream?.currentTrackID == track)
        #expect(content.targetBandwidth == target)
        #expect(content.segmentOption == .lateMix)
    }

    @Test(
        arguments: [
            (499, .default), (499, .below), (1401, .above), (1000, .match),
        ] as [(Int64, BandwidthTargetOption)])
    func noTrackForTheTargetChangesNothing(target: Int64, option: BandwidthTargetOption) throws {
        var content = presentation()
        try content.setTargetBandwidth(900, segmentOption: .quickMix)
        let before = content
        let error = #expect(throws: UndertextError.self) {
            try content.setTargetBandwidth(target, targetOption: option)
        }
        #expect(error?.code == .noSuchTrack)
        #expect(content == before)
    }

    @Test func tracksThatAreInvalidAreNoTarget() throws {
        var content = presentation()
        try content.select(attributes: ["grade": "sdr"])
        try content.setTargetBandwidth(1000)
        #expect(content.currentVideoStream?.currentTrackID == 1)
        try content.select(video: .off)
        let error = #expect(throws: UndertextError.self) { try content.setTargetBandwidth(1000) }
        #expect(error?.code == .noSuchTrack)
    }
}

@Suite struct SegmentSwitchTests {
    private let segments = (0..<5).map { Timestamp.seconds($0 * 4) }

    private func plan(
        _ option: BandwidthSegmentOption, _ position: Int64, _ buffered: Int64
    ) -> BandwidthSegmentOption.Plan {
        option.plan(
            at: .milliseconds(position), bufferedUntil: .milliseconds(buffered), segments: segments)
    }

    @Test func quickMixDropsWhatIsNotPlayedYet() {
        let found = plan(.quickMix, 5000, 16_000)
        #expect(found.segment == 2 && found.time == .seconds(8))
        #expect(found.dropped == .seconds(8)..<(.seconds(16)))
        // At the start of a segment it begins at once.
        #expect(plan(.quickMix, 4000, 16_000).segment == 1)
    }

    @Test(arguments: [BandwidthSegmentOption.lateMix, .default])
    func lateMixDropsNothing(_ option: BandwidthSegmentOption) {
        let found = plan(option, 5000, 12_000)
        #expect(found.segment == 3 && found.time == .seconds(12) && found.dropped.isEmpty)
    }

    /// Segments of other lengths: what is buffered of the one that begins in the buffer gives way.
    @Test func segmentsThatAreNotAligned() {
        for option in [BandwidthSegmentOption.lateMix, .quickMix] {
            let found = plan(option, 9000, 10_000)
            #expect(found.segment == 2 && found.time == .seconds(9))
            #expect(found.dropped == .seconds(9)..<(.seconds(10)))
        }
        let found = plan(.lateMix, 1000, 6000)
        #expect(found.segment == 1 && found.time == .seconds(4))
        #expect(found.dropped == .seconds(4)..<(.seconds(6)))
    }

    @Test func nothingIsLeft() {
        let found = plan(.quickMix, 17_000, 20_000)
        #expect(found.segment == nil && found.time == .seconds(20) && found.dropped.isEmpty)
        let empty = BandwidthSegmentOption.quickMix.plan(
            at: .seconds(3), bufferedUntil: .seconds(1), segments: [])
        #expect(empty.segment == nil && empty.time == .seconds(3) && empty.dropped.isEmpty)
        let later = BandwidthSegmentOption.lateMix.plan(
            at: .seconds(1), bufferedUntil: .seconds(2), segments: [.seconds(5)])
        #expect(later.segment == 0 && later.time == .seconds(2) && later.dropped.isEmpty)
    }
}
