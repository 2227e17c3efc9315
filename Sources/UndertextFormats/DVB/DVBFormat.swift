internal import UndertextCore

extension SubtitleFormat {
    /// DVB subtitles, EN 300 743.
    package static let dvb = SubtitleFormat(
        "dvb", title: "DVB subtitles", codecs: [.dvb],
        decoder: { DVBDecoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { DVBRandomAccess(page: DVBPages($0.codecPrivate).composition) })
}

/// The rule of DVB subtitles: display sets that build on each other.
struct DVBRandomAccess: RandomAccessRule {
    /// The composition page of the stream; `nil` = any.
    let page: UInt16?

    var isEveryPacketWhole: Bool { false }

    /// Looks for page compositions: acquisition points and mode changes carry all that is needed
    /// (EN 300 743, section 7.2.2), and the last one stays.
    func role(of data: [UInt8]) -> PacketRole {
        var role = PacketRole(isRandomAccessPoint: false, shows: nil)
        var reader = DVBSegmentReader(data)
        while let segment = reader.next() {
            guard segment.type == .pageComposition, page == nil || segment.page == page,
                let composition = DVBPageComposition(segment.body)
            else { continue }
            let isComplete =
                composition.state == .acquisitionPoint || composition.state == .modeChange
            // An earlier change depends on content from before the packet, but is not shown.
            role.isRandomAccessPoint = role.isRandomAccessPoint || isComplete
            role.shows = !composition.regions.isEmpty
        }
        return role
    }
}
