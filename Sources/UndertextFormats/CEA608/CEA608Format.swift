internal import UndertextCore

extension SubtitleFormat {
    /// CEA-608, captions in line 21 of the picture; files are SCC and MCC.
    package static let cea608 = SubtitleFormat(
        "cea608", title: "CEA-608", codecs: [.cea608],
        decoder: { CEA608Decoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { stream in
            CaptionRandomAccess { CEA608Acquisition(CEA608Service(of: stream)) }
        }, sampleUnpacker: CDATUnpacker.self,
        packetWriter: { SCCPacketWriter(stream: $0, options: $1, diagnostics: $2) },
        nativeName: "scc")
}
