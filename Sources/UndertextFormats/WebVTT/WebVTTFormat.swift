internal import UndertextCore

extension SubtitleFormat {
    /// WebVTT.
    package static let webVTT = SubtitleFormat(
        "vtt", title: "WebVTT", fileExtensions: ["vtt"], containerNames: ["webvtt"],
        codecs: [.webVTT], hasTextPackets: true, inlineTimes: WebVTTInlineTimes(),
        textFile: TextFile(WebVTTFileReader.self),
        decoder: { stream, _, diagnostics in
            WebVTTDecoder(stream: stream, diagnostics: diagnostics)
        },
        sampleUnpacker: WVTTUnpacker.self,
        output: .text { WebVTTWriter(header: $0, streaming: $1.isStreaming) }, copying: .onRequest,
        packetWriter: { stream, options, diagnostics in
            WebVTTPacketWriter(
                codecPrivate: stream.codecPrivate, inlineTimes: stream.inlineTimeOrigin,
                inputEnd: options.inputEnd, diagnostics: diagnostics)
        })
}
