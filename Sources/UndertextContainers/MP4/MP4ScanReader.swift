package import UndertextCore

/// Ends a scan of an MP4 file whose samples lie on each other.
///
/// A table may name one place a million times, and libavformat gives all of it a million times.
package final class MP4ScanReader: PacketReader {
    private let reader: any PacketReader
    private let size: UInt64
    /// The number of sample bytes that may still be returned.
    private var roomForBytes: UInt64
    private var isOver = false
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// The limit of the bytes of all packets: a multiple of the bytes of the file, and an addition.
    private static let (repetitions, spare) = (8 as UInt64, 64 << 10 as UInt64)

    /// The maximum number of sample bytes to return from a file of that size.
    static func bytesAtMost(ofFile size: UInt64) -> UInt64 {
        let (product, overflow) = size.multipliedReportingOverflow(by: repetitions)
        return overflow ? .max : product.addingReportingOverflow(spare).partialValue
    }

    /// Passes on what `reader` gives of a file of `size` bytes.
    package init(
        _ reader: any PacketReader, size: UInt64, diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        self.reader = reader
        self.size = size
        roomForBytes = Self.bytesAtMost(ofFile: size)
    }

    /// The next packet; `nil` at the end.
    ///
    /// - Throws: errors of the packet reader.
    package func nextPacket() throws(UndertextError) -> Packet? {
        guard !isOver, let packet = try reader.nextPacket() else { return nil }
        guard UInt64(packet.data.count) <= roomForBytes else {
            isOver = true
            diagnostics.report(.repeatedSamples(stream: packet.streamIndex, at: packet.position))
            return nil
        }
        roomForBytes -= UInt64(packet.data.count)
        return packet
    }
}

extension Diagnostic {
    static func repeatedSamples(stream: Int, at offset: UInt64?) -> Diagnostic {
        Diagnostic(
            .error, "repeated-samples",
            "samples take up more than the file has; the rest is left out", streamIndex: stream,
            byteOffset: offset)
    }
}
