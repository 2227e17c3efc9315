/// The presentation times at the beginning of a short transport stream, such as a segment of HLS.
///
/// No tables are needed: the stream_id of PES packets identifies audio and video (ISO/IEC 13818-1, section
/// 2.4.3.7), and PES headers are clear if only samples are encrypted.
package struct TransportSegmentTimes: Sendable {
    /// The smallest time of audio and video on the 33-bit clock of 90 kHz; `nil` if there is none.
    package private(set) var first: Int64?

    /// Later packets of a stream that may be shown before its first: the reorder delay of video.
    private static let unitsAtMost = 32
    /// Bytes that are looked for the first packet.
    private static let reach = 2 * PacketLayout.distances[2]

    /// Looks at the packets of `bytes`: a whole segment, or the beginning of one.
    package init(_ bytes: [UInt8]) {
        guard let layout = PacketLayout(detectedIn: bytes),
            let start = Self.firstPacket(bytes, layout.distance)
        else { return }
        let clock = RunningClock(bits: 33)
        var counts: [Int: Int] = [:]
        /// The minimum for streams that are certainly audio or video: private streams may contain anything.
        var sure: Int64?
        var likely: Int64?
        var place = start
        while place + PacketLayout.packetLength <= bytes.count {
            defer { place += layout.distance }
            guard bytes[place] == PacketLayout.syncByte else { continue }
            let header = TransportHeader(bytes, at: place)
            guard header.isStart, header.hasPayload, !header.isScrambled, !header.hasError,
                !header.isVoid, let (id, time) = Self.time(bytes[header.payload])
            else { continue }
            let count = counts[header.pid, default: 0]
            guard count < Self.unitsAtMost else { continue }
            counts[header.pid] = count + 1
            func smaller(_ other: Int64?) -> Int64 {
                guard let other else { return time }
                return clock.nearest(time, to: other) < other ? time : other
            }
            switch id {
            case 0xC0...0xEF: sure = smaller(sure)
            // AC-3 and subtitles, and codecs newer than the standard.
            case 0xBD, 0xFD: likely = smaller(likely)
            default: break
            }
        }
        first = sure ?? likely
    }

    private static func firstPacket(_ bytes: [UInt8], _ distance: Int) -> Int? {
        (0..<min(reach, bytes.count)).first { start in
            bytes[start] == PacketLayout.syncByte
                && (start + distance >= bytes.count
                    || bytes[start + distance] == PacketLayout.syncByte)
        }
    }

    /// stream_id and PTS of a PES header that lies in one packet, as nearly all do.
    private static func time(_ payload: ArraySlice<UInt8>) -> (id: UInt8, time: Int64)? {
        guard payload.count >= 14, payload.starts(with: [0, 0, 1]) else { return nil }
        let header = Array(payload.prefix(14))
        guard header[6] & 0xC0 == 0x80, header[7] & 0x80 != 0, header[8] >= 5 else { return nil }
        return (header[3], PESAssembler.time(header[9..<14]))
    }
}
