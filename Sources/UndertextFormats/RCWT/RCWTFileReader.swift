package import UndertextCore

/// Reads an RCWT file as packets of CEA-608 and CEA-708: triplets of `cc_data` with times in milliseconds.
///
/// `Documentation/Formats/RCWT.md` describes the format and what is repaired.
package final class RCWTFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The services that the file has: those of CEA-608, then those of CEA-708.
    package let streams: [StreamDescription]
    /// The first service.
    package let stream: StreamDescription

    private var packets: CaptionFramePackets

    /// Takes apart the bytes of a file.
    package init(_ bytes: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        self.diagnostics = diagnostics
        packets = CaptionFramePackets(
            Self.captions(bytes, limits, diagnostics), timeBase: .milliseconds, duration: nil)
        streams = packets.streams
        stream = streams[0]
    }

    /// Bytes of the file that have been taken apart.
    package var position: Int { packets.position }

    /// Why a file is no RCWT; `nil` if it is.
    package static func refusal(of head: ArraySlice<UInt8>) -> String? {
        head.starts(with: signature) ? nil : "it does not begin with CC CC ED"
    }

    /// The next packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { packets.nextPacket() }

    // MARK: Parsing

    private static let signature: [UInt8] = [0xCC, 0xCC, 0xED]
    /// The signature, the program with its version, the version of the format, three reserved bytes.
    private static let headerSize = 11
    /// The time and the number of triplets that precede them.
    private static let frameHeaderSize = 10

    private static func captions(
        _ bytes: [UInt8], _ limits: Limits, _ diagnostics: DiagnosticSink
    ) -> CaptionFrames {
        var captions = CaptionFrames()
        var reader = ByteReader(bytes[...])
        if reader.skip(6), let version = reader.uint16(), version != 1 {
            diagnostics.report(
                .warning, "unknown-version", "the file states version \(version); it is read as 1",
                byteOffset: 6)
        }
        var isOutOfOrder = false
        var offset = headerSize
        while offset < bytes.count {
            guard captions.frames.count < limits.cues else {
                diagnostics.report(
                    .error, "too-many-cues",
                    "more than \(limits.cues) times: the rest of the file is left out",
                    byteOffset: UInt64(offset))
                break
            }
            var header = ByteReader(bytes[offset...])
            let time = header.uint64()?.byteSwapped
            guard let time, let count = header.uint16LittleEndian() else {
                reportCut(at: offset, diagnostics)
                break
            }
            let start = offset + frameHeaderSize
            let size = min(Int(count), (bytes.count - start) / 3) * 3
            offset = start + size
            if size < Int(count) * 3 {
                reportCut(at: offset, diagnostics)
                offset = bytes.count
            }
            guard let ticks = Int64(exactly: time),
                Timestamp(ticks: ticks, timeBase: .milliseconds) != nil
            else {
                diagnostics.report(
                    .error, "bad-timing", "captions with an impossible time are left out",
                    byteOffset: UInt64(start - frameHeaderSize))
                continue
            }
            if let last = captions.frames.last, ticks < last.time, !isOutOfOrder {
                isOutOfOrder = true
                diagnostics.report(
                    .warning, "time-order", "captions have an earlier time than those before",
                    byteOffset: UInt64(start - frameHeaderSize))
            }
            captions.triplets += bytes[start..<(start + size)]
            captions.endFrame(at: ticks, end: offset)
        }
        return captions
    }

    private static func reportCut(at offset: Int, _ diagnostics: DiagnosticSink) {
        diagnostics.report(
            .error, "truncated", "the file ends within captions", byteOffset: UInt64(offset))
    }
}
