internal import UndertextCore

extension SubtitleFormat {
    /// DivX XSUB.
    package static let xsub = SubtitleFormat(
        "xsub", title: "XSUB", codecs: [.xsub],
        decoder: { XSUBDecoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { _ in XSUBRandomAccess() })
}

/// The rule of XSUB: each packet states its times, and the next one ends it in any case.
struct XSUBRandomAccess: RandomAccessRule {
    var isReplacedByNext: Bool { true }

    func times(of packet: Packet) -> PacketTimes {
        guard let times = XSUBTimes(packet.data) else { return storedTimes(of: packet) }
        return PacketTimes(
            start: times.start, end: max(times.start, times.end), isFinal: false)
    }
}
