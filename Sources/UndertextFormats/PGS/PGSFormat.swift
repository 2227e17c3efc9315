internal import UndertextCore

extension SubtitleFormat {
    /// Blu-ray Presentation Graphics; files are `.sup`.
    package static let pgs = SubtitleFormat(
        "sup", title: "Presentation Graphics", fileExtensions: ["sup"], containerNames: ["sup"],
        codecs: [.pgs], forcesSingleCues: true,
        defaultCanvas: PixelSize(width: 1920, height: 1080),
        decoder: { PGSDecoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { _ in PGSRandomAccess() },
        output: .images {
            SUPWriter(
                canvas: $0.canvas, frameRate: $0.frameRate, budget: $0.budget, diagnostics: $1)
        }, copying: .always,
        packetWriter: { _, options, diagnostics in
            SUPPacketWriter(end: options.windowEnd, diagnostics: diagnostics)
        }
    )
}

/// The rule of Presentation Graphics: display sets that build on each other.
struct PGSRandomAccess: RandomAccessRule {
    var isEveryPacketWhole: Bool { false }
    var isTimedByFirstPacket: Bool { true }

    /// Looks for the presentation composition segment: type 0x16, composition state in its eighth
    /// byte, `palette_update_flag` in its ninth, number of objects in its eleventh
    /// (US 2009/0185789, table 2).
    func role(of data: [UInt8]) -> PacketRole {
        var reader = ByteReader(data)
        while let type = reader.uint8(), let size = reader.uint16() {
            // The rest of a segment that began in an earlier packet may contain any bytes.
            guard let kind = PGSSegment.Kind(rawValue: type) else { break }
            guard kind == .composition else {
                guard reader.skip(Int(size)) else { break }
                continue
            }
            guard let head = reader.slice(min(Int(size), 11)), head.count == 11 else { break }
            let state = head[head.startIndex + 7]
            // A palette update names no objects; those on screen stay.
            let isPaletteUpdate = state & 0xC0 == 0 && head[head.startIndex + 8] & 0x80 != 0
            // Only an epoch start discards objects. An acquisition point should carry all that is needed, but a
            // decoder that saw earlier sets still has what it does not repeat.
            return PacketRole(
                isRandomAccessPoint: state & 0xC0 == 0x80,
                isAcquisitionPoint: state & 0xC0 == 0x40,
                shows: head[head.startIndex + 10] > 0 || isPaletteUpdate)
        }
        return PacketRole(isRandomAccessPoint: false, shows: nil)
    }
}
