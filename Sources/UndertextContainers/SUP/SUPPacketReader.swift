package import UndertextCore

/// Reads the segments of a .sup file, one per packet, as libavformat returns them.
///
/// Times differ from libavformat's, which regards each time more than a minute before the first one as a later
/// one, after the wrap after 13.25 hours, even if two files were joined. If a `PG` is damaged but the segment
/// leads to the next one, the segment is used; if a segment leads nowhere, reading continues at the next one
/// that does. Memory does not grow with the file. Created by ``SUPFile/packetReader()``.
package final class SUPPacketReader: PacketReader {
    private var window: SUPWindow
    private let cancellation: Cancellation?
    private var clock = RunningClock(bits: 32)
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    init(source: any RandomAccessSource, cancellation: Cancellation?, diagnostics: DiagnosticSink) {
        self.diagnostics = diagnostics.section(capacity: 1000)
        window = SUPWindow(source)
        self.cancellation = cancellation
    }

    /// The next segment, or `nil` at the end of the file.
    ///
    /// - Throws: ``UndertextCore/UndertextError`` with code `io` or `cancelled`.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while true {
            if cancellation?.isCancelled == true { throw UndertextError(.cancelled, "stopped") }
            try window.fill()
            guard window.remaining > 0 else { return nil }
            guard let header = window.header(0) else {
                report(
                    .error, "truncated", "\(window.remaining) bytes at the end are not a segment")
                window.advance(window.remaining)
                return nil
            }
            let leadsOn = window.leadsOn(header.length)
            if header.hasMagic, header.isKnown || leadsOn {
                return packet(header, length: length(header))
            }
            if header.isKnown, leadsOn {
                report(.warning, "bad-magic", "a segment without the magic 'PG' was read")
                return packet(header, length: header.length)
            }
            try resynchronize()
        }
    }

    /// The length of a segment: as stated, unless another one begins before its stated end.
    private func length(_ header: SUPSegmentHeader) -> Int {
        let stated = header.length
        guard !window.leadsOn(stated) else { return stated }
        if let next = window.header(stated), next.isKnown, window.leadsOn(stated + next.length) {
            // Only the next one's magic is damaged.
            return stated
        }
        guard
            let next = window.nextSegment(SUPSegmentHeader.size..<min(stated, window.remaining))
        else { return stated }
        report(.error, "damaged-segment", "a segment states \(stated) bytes and has \(next)")
        return next
    }

    private func packet(_ header: SUPSegmentHeader, length: Int) -> Packet {
        let begin = window.place + SUPSegmentHeader.size - 3
        let end = min(window.place + length, window.bytes.count)
        let data = Array(window.bytes[begin..<end])
        let pts = clock.unwrapped(Int64(header.presentationTime))
        // 0 means "not stated". A time after the other one, which some tools write where a segment has
        // no time of its own, is kept, unlike libavformat does: it is copied as it is stored.
        let dts =
            header.decodingTime == 0 ? pts : clock.nearest(Int64(header.decodingTime), to: pts)
        let packet = Packet(
            streamIndex: 0, pts: pts, dts: dts, timeBase: .mpeg,
            isCorrupt: window.remaining < length, position: window.position, data: data)
        window.advance(length)
        return packet
    }

    /// Goes to the next segment that leads on, however far it is.
    private func resynchronize() throws(UndertextError) {
        let start = window.position
        window.advance(1)
        while true {
            try window.fill()
            // The second half is examined after more bytes have been read.
            let searched = window.isLast ? window.remaining : SUPWindow.longest
            if let next = window.nextSegment(0..<searched) {
                window.advance(next)
                break
            }
            window.advance(searched)
            if window.remaining == 0 { break }
        }
        let lost = window.position - start
        diagnostics.report(
            .error, "lost-sync", "\(lost) bytes that are not segments were skipped",
            streamIndex: 0, byteOffset: start)
    }

    private func report(_ severity: Diagnostic.Severity, _ code: String, _ message: String) {
        diagnostics.report(
            severity, code, message, streamIndex: 0, byteOffset: window.position)
    }
}
