package import UndertextCore

/// Makes documents with their images of the samples of a TTML track in MP4.
///
/// A sample is a document, and where it has parts, the images that the document names
/// `urn:mpeg:14496-30:subs:N` follow it. A sample without a length lasts until the next one.
/// ISO/IEC 14496-30, section 5.
package struct STPPUnpacker: SampleUnpacker {
    package static var codec: CodecID { .ttml }
    package static var sampleEntry: String { "stpp" }

    package static var mayHoldImages: Bool { true }

    package static func summary(of packet: [UInt8], limits: Limits) -> SampleSummary? {
        TTMLSummary(packet, limits: limits).map {
            SampleSummary(hasText: $0.hasText, hasImages: $0.hasImages, size: $0.size)
        }
    }

    /// Reads the strings: namespace, schema, then the types of auxiliary resources (ISO/IEC 14496-12, section 12.6.3).
    package static func description(ofEntry content: [UInt8]) -> SampleEntryDescription {
        let strings = content.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        return SampleEntryDescription(
            namesImages: strings.count > 2 && strings[2].starts(with: "image/".utf8))
    }

    /// A sample whose duration the next one determines.
    private var held: Packet?
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// Begins again.
    package init(diagnostics: DiagnosticSink = .init()) { self.diagnostics = diagnostics }

    /// Adds a sample; returns the documents that are complete.
    package mutating func add(_ packet: Packet) -> [Packet] {
        var packets: [Packet] = []
        if var earlier = held {
            if let start = earlier.pts, let next = packet.pts, next > start,
                earlier.timeBase == packet.timeBase
            {
                let (length, overflow) = next.subtractingReportingOverflow(start)
                if !overflow { earlier.duration = length }
            }
            packets.append(earlier)
            held = nil
        }
        let document = separated(packet)
        if document.duration ?? 0 > 0 { packets.append(document) } else { held = document }
        return packets
    }

    /// The document that is left at the end of the track.
    package mutating func finish() -> [Packet] {
        defer { held = nil }
        return held.map { [$0] } ?? []
    }

    /// The document alone, its images as side data.
    private func separated(_ packet: Packet) -> Packet {
        guard let bytes = packet.sideData(.subsampleSizes) else { return packet }
        var sizes = ByteReader(bytes)
        var content = ByteReader(packet.data)
        guard let first = sizes.uint32(), let document = content.slice(Int(first)) else {
            reportDamage(packet)
            return packet
        }
        var separated = packet
        separated.data = Array(document)
        separated.sideData.removeAll { $0.kind == .subsampleSizes }
        var number = 1
        while let size = sizes.uint32() {
            guard let image = content.slice(Int(size)) else {
                reportDamage(packet)
                break
            }
            separated.sideData.append(
                LinkedFile.sideData(
                    name: "urn:mpeg:14496-30:subs:\(number)", bytes: Array(image)))
            number += 1
        }
        return separated
    }

    private func reportDamage(_ packet: Packet) {
        diagnostics.report(
            .error, "damaged-sample", "a sample is shorter than the parts it consists of",
            for: packet)
    }
}
