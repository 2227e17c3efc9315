package import UndertextCore

/// Writes the packets of a PGS track as a .sup file.
///
/// Each segment gets the prefix `PG`, the packet's time and a decoding time, both on the 90 kHz
/// clock in 32 bits, which wrap after 13.25 hours. A packet is one display set (Matroska), or one
/// or a few segments (transport streams, .sup).
///
/// The decoding time is the packet's where that differs from its time, otherwise 0, which means "not
/// stated"; `mkvextract` writes 0 always. A segment that is cut off gets the size that it has, so
/// that the next one is found; `mkvextract` keeps the stated size.
package struct SUPPacketWriter: PacketWriter {
    /// One file.
    package let fileExtensions = ["sup"]
    /// Number of display sets so far that show at least one object.
    package private(set) var cueCount = 0
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private var closing: PGSClosing

    /// The type of a presentation composition segment.
    private static let compositionType: UInt8 = 0x16

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - end: the end of the part that is written; `nil` for the last packet. Content on screen ends with the
    ///     next display set, of which only the clearing is written.
    ///   - diagnostics: the sink for skipped content.
    package init(end: Timestamp? = nil, diagnostics: DiagnosticSink = .init()) {
        self.diagnostics = diagnostics
        closing = PGSClosing(end: end)
    }

    /// Writes nothing: .sup has no header.
    package mutating func begin(into output: inout [[UInt8]]) {}

    /// Writes the segments of a packet.
    package mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard !output.isEmpty, let start = diagnostics.start(of: packet),
            let time = clock(packet.pts, of: packet)
        else { return }
        let decodingTime =
            packet.dts == packet.pts ? 0 : clock(packet.dts, of: packet) ?? 0
        var reader = ByteReader(packet.data)
        while !reader.isAtEnd {
            guard let type = reader.uint8(), let size = reader.uint16() else {
                diagnostics.report(
                    .warning, "truncated-segment",
                    "a PGS packet ends within a segment's header", for: packet)
                return
            }
            let payload = reader.slice(Int(size)) ?? reader.rest()
            if payload.count < Int(size) {
                diagnostics.report(
                    .error, "truncated-segment",
                    "a PGS segment has \(payload.count) of \(size) bytes", for: packet)
            }
            // Byte 10 of a composition is its number of objects; none means "clear".
            if type == Self.compositionType, payload.count > 10,
                payload[payload.startIndex + 10] > 0, !closing.isBehind(start)
            {
                cueCount += 1
            }
            for segment in closing.add(.init(type: type, payload: payload), at: start) {
                output[0] += [0x50, 0x47]
                output[0].appendBigEndian(time)
                output[0].appendBigEndian(decodingTime)
                output[0].append(segment.type)
                output[0].appendBigEndian(UInt16(truncatingIfNeeded: segment.payload.count))
                output[0] += segment.payload
            }
        }
    }

    /// Writes nothing.
    package mutating func finish(into output: inout [[UInt8]]) {}

    private func clock(_ ticks: Int64?, of packet: Packet) -> UInt32? {
        ticks.flatMap { rescale($0, from: packet.timeBase, to: .mpeg) }
            .map { UInt32(truncatingIfNeeded: $0) }
    }
}
