internal import UndertextCore

extension SubtitleFormat {
    /// CEA-608, captions in line 21 of the picture; files are SCC and MCC.
    package static let cea608 = SubtitleFormat(
        "cea608", title: "CEA-608", codecs: [.cea608],
        decoder: { CEA608Decoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { _ in CEA608RandomAccess() }, sampleUnpacker: CDATUnpacker.self,
        packetWriter: { SCCPacketWriter(stream: $0, options: $1, diagnostics: $2) },
        nativeName: "scc")
}

/// The rule of CEA-608: each pair builds on those before it, and captions stay until they are erased.
struct CEA608RandomAccess: RandomAccessRule {
    var isEveryPacketWhole: Bool { false }

    /// The packet's start; its duration is that of its pairs, not that of a caption.
    func times(of packet: Packet) -> PacketTimes {
        PacketTimes(start: packet.start, end: nil, isFinal: false)
    }

    /// No packet repeats the screen; a decoder that starts where a caption begins to be loaded misses only what
    /// was shown before.
    func role(of data: [UInt8]) -> PacketRole {
        let loads = CaptionTriplet.all(in: data).contains {
            $0.isValid && $0.type < 2 && $0.first & 0x76 == 0x14 && $0.second & 0x7F == 0x20
        }
        return PacketRole(isRandomAccessPoint: false, isAcquisitionPoint: loads, shows: nil)
    }
}
