internal import UndertextCore

/// Turns the samples of a `c708` track into triplets of `cc_data`.
///
/// QuickTime File Format, closed captioning media: a sample has an atom `ccdp` with a caption distribution packet. Some
/// files have the packet alone.
struct CDPUnpacker: SampleUnpacker {
    package static var codec: CodecID { .cea708 }
    package static var sampleEntry: String { "c708" }

    /// Nothing: the entry has no header.
    package static func description(ofEntry content: [UInt8]) -> SampleEntryDescription {
        SampleEntryDescription()
    }

    package let diagnostics: DiagnosticSink

    package init(diagnostics: DiagnosticSink = .init()) { self.diagnostics = diagnostics }

    package mutating func add(_ packet: Packet) -> [Packet] {
        var unpacked = packet
        var triplets: [UInt8] = []
        if packet.data.starts(with: CaptionDistributionPacket.identifier) {
            triplets = self.triplets(of: packet.data[...], packet)
        } else if packet.data.dropFirst(4).starts(with: Self.atom) {
            var reader = ByteReader(packet.data)
            while let size = reader.uint32(), let type = reader.slice(4), size >= 8,
                let content = reader.slice(min(Int(size) - 8, reader.remaining))
            {
                if type.elementsEqual(Self.atom) { triplets += self.triplets(of: content, packet) }
            }
        } else {
            return [packet]
        }
        unpacked.data = triplets
        return [unpacked]
    }

    package mutating func finish() -> [Packet] { [] }

    private static let atom = Array("ccdp".utf8)

    private func triplets(of bytes: ArraySlice<UInt8>, _ packet: Packet) -> [UInt8] {
        let content = CaptionDistributionPacket(bytes)
        if content?.damage.contains(.truncated) != false {
            diagnostics.report(
                .error, "damaged-sample", "a part of a sample is damaged and was left out",
                for: packet)
        } else if content?.damage == .checksum {
            diagnostics.report(
                .warning, "checksum", "a caption distribution packet has a wrong checksum",
                for: packet)
        }
        return content?.triplets ?? []
    }
}
