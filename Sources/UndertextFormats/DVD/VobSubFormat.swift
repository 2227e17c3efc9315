internal import UndertextCore

extension SubtitleFormat {
    /// DVD sub-pictures; files are `.idx` and `.sub`.
    package static let vobSub = SubtitleFormat(
        "vobsub", title: "VobSub", fileExtensions: ["idx", "sub"],
        // A .sub file without its .idx is a program stream.
        containerNames: ["vobsub", "mpeg"], codecs: [.dvd], holdsSeveralTracks: true,
        forcesSingleCues: true, inlineTimes: SubPictureCommandTimes(),
        decoder: { DVDDecoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { _ in SubPictureRandomAccess() },
        output: .images {
            VobSubWriter(
                canvas: $0.canvas, language: $0.language, budget: $0.budget, diagnostics: $1)
        }, copying: .always,
        packetWriter: { stream, options, diagnostics in
            VobSubPacketWriter(
                codecPrivate: stream.codecPrivate, size: stream.size, language: stream.language,
                streamIndex: stream.index, end: options.windowEnd, diagnostics: diagnostics)
        })
}

/// The rule of sub-picture units: each states its end or ends with its duration, and the next one always ends
/// it.
struct SubPictureRandomAccess: RandomAccessRule {
    var isReplacedByNext: Bool { true }
    var mayLeaveScreen: Bool { true }
    var longestOwnEnd: Duration? { SubPictureUnit.longestDelay }

    /// The times of a unit: it may begin later than its packet says, and one that shows nothing leaves
    /// the screen as it is.
    func times(of packet: Packet) -> PacketTimes {
        guard let stamp = packet.start, let unit = SubPictureUnit(packet.data),
            let first = unit.firstChange, let delay = Duration(ticks: first, timeBase: .mpeg)
        else { return PacketTimes(start: nil, end: nil, isFinal: false) }
        let start = stamp.advanced(by: delay)
        if let end = unit.ownEnd, let length = Duration(ticks: end, timeBase: .mpeg) {
            return PacketTimes(start: start, end: stamp.advanced(by: length), isFinal: false)
        }
        return PacketTimes(start: start, end: packet.statedEnd, isFinal: false)
    }
}

/// The rule of the delays of display control sequences, which a copy keeps.
struct SubPictureCommandTimes: InlineTimeRule {
    var resistsStretching: Bool { true }

    func change(
        of stream: StreamDescription, by change: TimeChange
    ) -> ((Packet) -> Packet)? { nil }
}
