internal import UndertextCore

extension SubtitleFormat {
    /// WebVTT.
    public static let webVTT = SubtitleFormat(
        "vtt", title: "WebVTT", fileExtensions: ["vtt"], containerNames: ["webvtt"],
        codecs: [.webVTT], hasTextPackets: true, textFile: TextFile(WebVTTFileReader.self),
        decoder: { stream, _ in WebVTTDecoder(stream: stream) },
        sampleUnpacker: WVTTUnpacker.self,
        output: .text { WebVTTWriter(header: $0, streaming: $1) }, copying: .onRequest,
        packetWriter: { stream, options in
            WebVTTPacketWriter(
                codecPrivate: stream.codecPrivate, inlineTimes: stream.inlineTimeOrigin,
                inputEnd: options.inputEnd)
        })
}
