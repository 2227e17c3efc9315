import TestSupport
import Testing
import UndertextCore
import UndertextStreaming

@Suite struct HLSContentTests {
    private func content() throws -> (MasterPlaylist, ContentInfo) {
        let master = try PlaylistSamples.master(PlaylistSamples.master)
        return (master, ContentInfo(hls: master))
    }

    @Test func streamsAndTracksAreThoseOfTheMaster() throws {
        let (_, content) = try content()
        #expect(content.fileFormat == .hls)
        #expect(
            content.streams.map(\.type) == [.video, .audio, .audio, .text, .text, .text, .text])
        let video = content.streams[0]
        #expect(video.tracks.map(\.bandwidth) == [800_000, 4_000_000, 6_000_000, 200_000])
        #expect(video.tracks.map { $0.codec?.rawValue } == ["h264", "h264", "hevc", "h264"])
        #expect(video.tracks.map(\.height) == [360, 1080, 1080, 360])
        #expect(video.tracks.map(\.isIFrameOnly) == [false, false, false, true])
        #expect(video.tracks[0].frameRate == 29.97)
        #expect(video.tracks[0].profile == 100)
        #expect(video.tracks[0].level == 31)
        #expect(video.tracks[2].customAttributes["X-OWN"] == "a, b")
        #expect(video.tracks[0].customAttributes["AUDIO"] == "lo")
        #expect(video.customAttributeSets == [["VIDEO-RANGE": "SDR"], ["VIDEO-RANGE": "PQ"]])
        #expect(content.streams[1].name == "English")
        #expect(content.streams[2].language == LanguageTag("fr"))
        #expect(content.streams[1].tracks.map(\.channels) == [2, 6])
        #expect(content.streams[1].tracks.map { $0.codec?.rawValue } == ["aac", "eac3"])
        #expect(content.streams[3].disposition == [.hearingImpaired])
        #expect(content.streams[3].representativeCodec == .webVTT)
        #expect(content.streams[4].disposition == [.forced])
        #expect(content.streams.map(\.inStreamID) == [nil, nil, nil, nil, nil, "CC1", "SERVICE2"])
        #expect(content.streams[5].representativeCodec == .cea608)
        #expect(
            content.drmInfo
                == DRMInfo(
                    scheme: "SAMPLE-AES", systems: [.init(id: "com.apple.streamingkeydelivery")]))
        #expect(content.metadata == [MetadataTag("com.example.title", "A title")])
        #expect(content.currentVideoStreamID == 0)
        #expect(content.currentAudioStreamID == 1)
        #expect(content.currentTextStreamID == nil)
        #expect(content.hasVideo && content.hasAudio)
        #expect(content.captionType == .webVTT)
    }

    @Test func lengthComesFromAMediaPlaylist() throws {
        let master = try PlaylistSamples.master(PlaylistSamples.master)
        let media = try PlaylistSamples.media(PlaylistSamples.media)
        let content = ContentInfo(hls: master, media: media)
        #expect(content.totalPlayTime == .milliseconds(26_512))
        #expect(content.isSeekable)
        let alone = ContentInfo(hls: media)
        #expect(alone.drmInfo?.scheme == "AES-128")
        #expect(alone.drmInfo?.systems.map(\.id) == ["identity"])
        #expect(alone.totalPlayTime == .milliseconds(26_512))
    }

    @Test func theSelectionDecidesTheOpenedPlaylists() throws {
        var (master, content) = try content()
        #expect(master.choice(for: content).uris == ["v/360.m3u8", "a/en-lo.m3u8"])
        try content.setTargetBandwidth(5_000_000)
        #expect(master.choice(for: content).uris == ["v/1080.m3u8", "a/en-hi.m3u8"])
        try content.select(audio: .stream(2), text: .stream(3))
        #expect(master.choice(for: content).uris == ["v/1080.m3u8", "a/fr-hi.m3u8", "t/en.m3u8"])
        try content.select(text: .stream(4), attributes: ["VIDEO-RANGE": "PQ"])
        #expect(
            master.choice(for: content).uris == [
                "v/1080-hdr.m3u8", "a/fr-hi.m3u8", "t/forced.m3u8",
            ])
        try content.select(attributes: ["AUDIO": "lo"])
        #expect(
            master.choice(for: content).uris == ["v/360.m3u8", "a/fr-lo.m3u8", "t/forced.m3u8"])
        try content.select(video: .off)
        #expect(
            master.choice(for: content).uris == ["v/360.m3u8", "a/fr-lo.m3u8", "t/forced.m3u8"])
        try content.select(audio: .off)
        #expect(master.choice(for: content).uris == ["t/forced.m3u8"])
        // Captions within the video need nothing of their own.
        try content.select(video: .stream(0), text: .stream(5))
        #expect(master.choice(for: content).uris == ["v/360.m3u8"])
    }

    @Test func soundAloneIsAnAudioStream() throws {
        let master = try PlaylistSamples.master(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
            lo.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
            hi.m3u8
            """)
        var content = ContentInfo(hls: master)
        #expect(content.streams.map(\.type) == [.audio])
        #expect(!content.hasVideo)
        try content.setTargetBandwidth(100_000, targetOption: .above)
        #expect(master.choice(for: content).uris == ["hi.m3u8"])
    }

    @Test func anglesAreStreams() throws {
        let master = try PlaylistSamples.master(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="lo",NAME="Main",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="lo",NAME="Dugout",URI="dugout-lo.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Main",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Dugout",URI="dugout-hi.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.42e01e,mp4a.40.2",VIDEO="lo"
            lo.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2000,CODECS="avc1.42e01e,mp4a.40.2",VIDEO="hi"
            hi.m3u8
            """)
        var content = ContentInfo(hls: master)
        #expect(content.streams.map(\.name) == ["Main", "Dugout"])
        try content.select(video: .stream(1))
        try content.setTargetBandwidth(3000)
        #expect(master.choice(for: content).uris == ["hi.m3u8", "dugout-hi.m3u8"])
    }

    @Test(.requiresCorpus("androidx-media/hls/standalone-webvtt/multivariant_playlist.m3u8"))
    func aRealPlaylist() throws {
        let path = try #require(
            corpusPath("androidx-media/hls/standalone-webvtt/multivariant_playlist.m3u8"))
        let bytes = try #require(fileBytes(path))
        let master = try MasterPlaylist(PlaylistText(bytes))
        let content = ContentInfo(hls: master)
        #expect(content.currentTextStream?.language == LanguageTag("en"))
        #expect(master.choice(for: content).uris == ["media_playlist.m3u8", "playlist_vtt.m3u8"])
    }
}
