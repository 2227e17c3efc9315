/// Extracts the segments of DVB subtitles from their PES packets (EN 300 743, section 7.2).
///
/// The result equals that of libavformat: complete segments without data_identifier, subtitle_stream_id and end
/// marker; a payload without segments is returned unchanged. FFmpeg: `dvbsub_parser`.
struct DVBSubtitleFraming {
    private static let longest = 65_536

    private var held: [UInt8] = []
    /// The number of bytes of ``held`` that were returned already.
    private var handedOut = 0
    private var isWithinPacket = false
    /// FFmpeg's parser starts with the time 0, not with none.
    private var previous: Int64? = 0

    /// The segments that this payload completes, and their time.
    ///
    /// A payload without a time continues the previous one and has its time.
    mutating func segments(in payload: [UInt8], pts: inout Int64?) -> [UInt8] {
        let before = previous
        previous = pts
        let isNew = pts != nil && pts != before
        var body = payload[...]
        if isNew {
            held.removeAll(keepingCapacity: true)
            handedOut = 0
            guard payload.count >= 2, payload[0] == 0x20, payload[1] == 0x00 else {
                return payload
            }
            body = body.dropFirst(2)
            isWithinPacket = true
        } else {
            held.removeFirst(handedOut)
            handedOut = 0
        }
        guard body.count + held.count <= Self.longest, isWithinPacket else { return payload }
        held += body
        pts = pts ?? before
        previous = pts
        var end = 0
        while end < held.count {
            guard held[end] == 0x0F else {
                // 0xFF ends the packet; anything else is damage.
                held.removeSubrange(end...)
                isWithinPacket = false
                break
            }
            guard held.count - end >= 6 else { break }
            let length = (Int(held[end + 4]) << 8 | Int(held[end + 5])) + 6
            guard held.count - end >= length else { break }
            end += length
        }
        guard end > 0 else { return payload }
        handedOut = end
        return Array(held.prefix(end))
    }
}
