internal import UndertextCore

extension SubtitleFormat {
    /// CEA-708, captions of digital television (DTVCC); files are MCC.
    package static let cea708 = SubtitleFormat(
        "cea708", title: "CEA-708", codecs: [.cea708],
        decoder: { CEA708Decoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { CEA708RandomAccess(stream: $0) }, sampleUnpacker: CDPUnpacker.self,
        nativeName: "vtt")
}

/// The rule of CEA-708: codes build on those before them, and windows stay until they are hidden.
struct CEA708RandomAccess: RandomAccessRule {
    private let service: CEA708Service

    init(stream: StreamDescription) {
        service = stream.service.flatMap(CEA708Service.init(name:)) ?? .primary
    }

    var isEveryPacketWhole: Bool { false }

    /// The packet's start; its duration is that of a frame, not that of a caption.
    func times(of packet: Packet) -> PacketTimes {
        PacketTimes(start: packet.start, end: nil, isFinal: false)
    }

    /// No packet repeats the screen; a decoder that starts where a window is defined misses only what was shown
    /// before.
    func role(of data: [UInt8]) -> PacketRole {
        var assembler = DTVCCAssembler()
        var packets = CaptionTriplet.all(in: data).flatMap { assembler.add($0) }
        if let last = assembler.finish() { packets.append(last) }
        let defines = packets.contains { packet in
            packet.blocks.all.contains { $0.service == service.number && Self.defines($0.data) }
        }
        return PacketRole(isRandomAccessPoint: false, isAcquisitionPoint: defines, shows: nil)
    }

    private static func defines(_ data: ArraySlice<UInt8>) -> Bool {
        var rest = data
        while let (code, length) = CEA708Code.first(of: rest) {
            if case .defineWindow = code { return true }
            rest = rest.dropFirst(length)
        }
        return false
    }
}
