internal import UndertextCore

/// Turns the samples of a `c608` track into triplets of `cc_data`.
///
/// QuickTime File Format, closed captioning media: a sample has an atom `cdat` with the pairs of field 1 and an atom
/// `cdt2` with those of field 2.
struct CDATUnpacker: SampleUnpacker {
    package static var codec: CodecID { .cea608 }
    package static var sampleEntry: String { "c608" }

    /// Nothing: the entry has no header.
    package static func description(ofEntry content: [UInt8]) -> SampleEntryDescription {
        SampleEntryDescription()
    }

    package let diagnostics: DiagnosticSink

    package init(diagnostics: DiagnosticSink = .init()) { self.diagnostics = diagnostics }

    package mutating func add(_ packet: Packet) -> [Packet] {
        var packet = packet
        // libavformat has unpacked its samples already.
        guard Self.field(ofAtom: packet.data.dropFirst(4).prefix(4)) != nil else { return [packet] }
        var reader = ByteReader(packet.data)
        var triplets: [UInt8] = []
        while let size = reader.uint32(), let type = reader.slice(4) {
            guard size >= 8, let pairs = reader.slice(min(Int(size) - 8, reader.remaining)) else {
                break
            }
            guard let field = Self.field(ofAtom: type) else { continue }
            if pairs.count < Int(size) - 8 || pairs.count % 2 != 0 {
                diagnostics.report(
                    .error, "damaged-sample", "a part of a sample is damaged and was left out",
                    for: packet)
            }
            var index = pairs.startIndex
            while index + 1 < pairs.endIndex {
                triplets += [CaptionTriplet.marker | field, pairs[index], pairs[index + 1]]
                index += 2
            }
        }
        packet.data = triplets
        return [packet]
    }

    package mutating func finish() -> [Packet] { [] }

    private static func field(ofAtom type: ArraySlice<UInt8>) -> UInt8? {
        switch type.text {
        case "cdat": 0
        case "cdt2": 1
        default: nil
        }
    }
}
