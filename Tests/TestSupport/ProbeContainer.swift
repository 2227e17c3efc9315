public import UndertextCore

/// The description of a file with one of everything, its texts hostile to terminals.
public func probeContainer() -> ContainerDescription {
    func details(
        _ type: String?, _ codec: String?, tag: UInt32 = 0, tagString: String = "[0][0][0][0]",
        extradata: Int = 0
    ) -> StreamDetails {
        StreamDetails(
            codecType: type, codecName: codec, codecTag: tag, codecTagString: tagString,
            showsID: true, extradataSize: extradata)
    }
    let video = details("video", "h264", tag: 0x3163_7661, tagString: "avc1", extradata: 48)
    var audio = details("audio", "aac", tag: 0xF, tagString: "[15][0][0][0]")
    audio.channelLayout = "5.1(side)"
    var container = ContainerDescription(
        formatName: "matroska,webm", formatLongName: "Matroska / WebM", probeScore: 100,
        startTime: -83_000, duration: 5_400_250_000, size: 4_517_000_000, bitRate: 6_691_000,
        tags: [MetadataTag("title", "A film\u{1B}[2J"), MetadataTag("title", "again")],
        streams: [
            StreamDescription(
                index: 0, kind: .video, codec: CodecID(rawValue: "h264"), id: 0x100,
                disposition: .default, size: PixelSize(width: 1920, height: 800), details: video),
            StreamDescription(
                index: 1, kind: .audio, codec: CodecID(rawValue: "aac"), id: 0x101,
                timeBase: .mpeg, language: LanguageTag("eng"), disposition: .default,
                tags: [MetadataTag("language", "eng")], details: audio),
            StreamDescription(
                index: 2, kind: .text, codec: .webVTT, language: LanguageTag("pt-BR"),
                title: "Para todos: uma legenda com um título muito longo, que não cabe numa linha",
                disposition: [.default, .hearingImpaired], tags: [MetadataTag("language", "por")],
                details: details("subtitle", nil)),
            StreamDescription(
                index: 3, kind: .bitmap, codec: .pgs, language: LanguageTag("ger"),
                disposition: [.forced], size: PixelSize(width: 1920, height: 1080),
                details: details("subtitle", "hdmv_pgs_subtitle")),
            StreamDescription(
                index: 4, kind: .bitmap, codec: .dvd, language: LanguageTag("deu"),
                disposition: [.forced], details: details("subtitle", "dvd_subtitle")),
            StreamDescription(index: 5, kind: .data, codec: .unknown, details: details(nil, nil)),
            StreamDescription(
                index: 6, kind: .attachment, codec: CodecID(rawValue: "ttf"),
                details: details("attachment", "ttf", extradata: 120_345)),
        ],
        chapters: [
            Chapter(
                id: 1, timeBase: .nanoseconds, start: 0, end: 600_500_000_000,
                tags: [MetadataTag("title", "Opening")]),
            Chapter(
                id: 2, timeBase: .nanoseconds, start: 600_500_000_000, end: 5_400_000_000_000,
                tags: []),
        ],
        programs: [
            Program(
                id: 7, mapPID: 4096, clockPID: 256, streams: [0, 1, 99],
                tags: [MetadataTag("service_name", "One")])
        ],
        attachments: [
            Attachment(
                streamIndex: 6, fileName: "Sans\u{202E}.ttf", mimeType: "font/ttf", size: 120_345)
        ])
    container.streams[0].frameRate = TimeBase(24000, 1001)
    container.streams[0].bitRate = 4_000_999
    container.streams[1].sampleRate = 48000
    container.streams[1].channels = 6
    return container
}
