import Testing
import UndertextCore

private func film() -> ContainerDescription {
    let aac = CodecID(rawValue: "aac")
    var film = ContainerDescription(
        formatName: "matroska,webm", duration: 5_400_250_000, size: 4_517_000_000,
        isIndexDamaged: true, tags: [MetadataTag("title", "A film\u{1B}[2J")],
        streams: [
            StreamDescription(
                index: 0, kind: .video, codec: CodecID(rawValue: "mjpeg"),
                disposition: .attachedPicture, size: PixelSize(width: 600, height: 900)),
            StreamDescription(
                index: 1, kind: .video, codec: CodecID(rawValue: "h264"), disposition: .default,
                size: PixelSize(width: 1920, height: 800)),
            StreamDescription(index: 2, kind: .audio, codec: aac, language: LanguageTag("fre")),
            StreamDescription(
                index: 3, kind: .audio, codec: aac, language: LanguageTag("eng"),
                disposition: .default),
            StreamDescription(
                index: 4, kind: .bitmap, codec: .pgs, language: LanguageTag("ger"),
                title: "Signs", disposition: [.forced, .hearingImpaired]),
            StreamDescription(index: 5, kind: .attachment, codec: .unknown),
            StreamDescription(index: 6, kind: .text, codec: .unknown),
        ])
    film.streams[1].frameRate = TimeBase(24000, 1001)
    film.streams[1].bitRate = 4_000_000
    film.streams[1].profile = 100
    film.streams[1].level = 41
    film.streams[3].sampleRate = 48000
    film.streams[3].channels = 6
    return film
}

@Suite struct ContentInfoTests {
    @Test func describesAFile() {
        let content = ContentInfo(container: film())
        #expect(content.fileFormat == .matroska)
        #expect(content.streams.map(\.id) == [1, 2, 3, 4, 6])
        #expect(content.streams.allSatisfy { $0.tracks.count == 1 && $0.currentTrack != nil })
        #expect(content.streams(ofType: .video).map(\.id) == [1])
        #expect(content.streams(ofType: .text).map(\.id) == [4, 6])
        #expect(content.currentVideoStream?.id == 1)
        #expect(content.currentAudioStream?.id == 3)
        #expect(content.currentTextStream == nil)
        #expect(content.videoCodec?.rawValue == "h264")
        #expect(content.width == 1920 && content.height == 800)
        #expect(content.videoFrameRate == 24000.0 / 1001)
        #expect(content.videoBitrate == 4_000_000)
        #expect(content.audioSampleRate == 48000 && content.audioChannels == 6)
        #expect(content.audioBitrate == nil && content.pitch == nil && content.drmInfo == nil)
        #expect(content.totalPlayTime == .milliseconds(5_400_250))
        #expect(content.totalContentSize == 4_517_000_000)
        #expect(content.captionType == .pgs)
        #expect(content.isSeekable && content.isPausable && content.isJunkContent)
        #expect(content.streams[4].representativeCodec == nil)
    }

    @Test func nothingIsGuessed() {
        let content = ContentInfo(container: ContainerDescription(formatName: ""))
        #expect(content.fileFormat == nil)
        #expect(!content.hasVideo && !content.hasAudio)
        #expect(content.videoCodec == nil && content.captionType == nil)
        #expect(content.totalPlayTime == nil && content.totalContentSize == nil)
    }

    @Test(arguments: [("qt  ", .mov), ("isom", .mp4), (nil, .mp4)] as [(String?, FileFormat)])
    func theBrandSplitsTheMP4Family(brand: String?, format: FileFormat) {
        let tags = brand.map { [MetadataTag("major_brand", $0)] } ?? []
        let container = ContainerDescription(formatName: "mov,mp4,m4a,3gp,3g2,mj2", tags: tags)
        #expect(ContentInfo(container: container).fileFormat == format)
    }

    @Test func unknownNamesAreKept() {
        #expect(CaptionType(codec: CodecID(rawValue: "jacosub")).rawValue == "jacosub")
        #expect(CaptionType(codec: .movText) == .timedText3GPP)
        let container = ContainerDescription(formatName: "nut")
        #expect(ContentInfo(container: container).fileFormat?.rawValue == "nut")
    }

    @Test func theDescriptionIsAligned() {
        let text = ContentInfo(container: film()).multiLineDescription
        #expect(
            text.hasPrefix(
                """
                fileFormat:         matroska
                hasVideo:           yes
                hasAudio:           yes
                videoCodec:         h264
                audioCodec:         aac
                captionType:        pgs
                width:              1920
                height:             800
                pitch:              unknown
                videoFrameRate:     23.976
                audioChannels:      6
                audioSampleRate:    48000
                audioBitrate:       unknown
                videoBitrate:       4000000
                totalPlayTime:      1:30:00.250
                totalContentSize:   4517000000
                isSeekable:         yes
                isPausable:         yes
                isJunkContent:      yes
                drmInfo:            none
                metadata:           title=A film\\u{1B}[2J
                currentVideoStream: 1
                currentAudioStream: 3
                currentTextStream:  none
                streams:            5
                    id:                  1
                    type:                video
                    representativeCodec: h264
                    disposition:         default
                    currentTrack:        1
                    tracks:              1
                        id:           1
                        codec:        h264
                        bandwidth:    4000000
                        width:        1920
                        height:       800
                        frameRate:    23.976
                        profile:      100
                        level:        41
                        hasAudio:     no
                        hasVideo:     yes
                        isIFrameOnly: no
                        isValid:      yes
                    id:                  2
                    type:                audio
                    language:            fr

                """), "\(text)")
    }

    @Test func aStreamDescribesItself() {
        let stream = MediaStreamInfo(
            id: 7, type: .text, name: "CC\u{202E}",
            customAttributeSets: [["b": "2", "a": "1"]], inStreamID: "CC1")
        #expect(
            stream.multiLineDescription == """
                id:                 7
                type:               text
                name:               CC\\u{202E}
                inStreamID:         CC1
                customAttributeSet: a=1 b=2
                currentTrack:       none
                tracks:             0

                """)
    }
}

@Suite struct ContentTextTests {
    @Test func terminalControlsAreEscaped() {
        #expect(escapedForTerminal("Plain é 漢字 👩‍👧") == "Plain é 漢字 👩‍👧")
        #expect(escapedForTerminal("a\u{1B}[2Jb\r\n") == "a\\u{1B}[2Jb\\u{D}\\u{A}")
        #expect(escapedForTerminal("\u{9B}31m\u{7F}") == "\\u{9B}31m\\u{7F}")
        #expect(escapedForTerminal("exe.\u{202E}gpj") == "exe.\\u{202E}gpj")
        #expect(escapedForTerminal("\u{2066}x\u{2069}\u{200F}") == "\\u{2066}x\\u{2069}\\u{200F}")
        #expect(escapedForTerminal("e\u{301}\u{200B}") == "e\u{301}\\u{200B}")
    }

    @Test func spansAreClockTimes() {
        #expect(clockText(.zero) == "0:00:00.000")
        #expect(clockText(.milliseconds(3_661_007)) == "1:01:01.007")
        #expect(clockText(.microseconds(59_999_500)) == "0:01:00.000")
        #expect(clockText(.milliseconds(-1500)) == "-0:00:01.500")
        #expect(clockText(.nanoseconds(Int64.min)) == "-2562047:47:16.855")
    }
}
