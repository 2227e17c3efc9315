public import UndertextCore

/// The writer that keeps a stream as it is stored: the format `native`.
///
/// SubRip and plain text → .srt, ASS → .ass, SSA → .ssa, WebVTT → .vtt, TTML → .ttml, PGS → .sup, DVD → .idx and
/// .sub. Codecs without a file format of their own (`mov_text`, DVB, XSUB, …) have none: their cues
/// go through a ``CueWriter`` or become images.
///
/// - Parameters:
///   - stream: the stream that the packets come from.
///   - inputEnd: where a last cue without a duration ends, if that is known.
///   - end: where the part ends that is written; `nil` = with the input.
/// - Returns: the writer, or `nil` for a codec without one.
public func makePacketWriter(
    for stream: StreamDescription, inputEnd: Timestamp? = nil, end: Timestamp? = nil
) -> (any PacketWriter)? {
    switch stream.codec {
    case .subRip, .text:
        return SubRipPacketWriter(inputEnd: inputEnd)
    case .ass, .ssa:
        return ASSPacketWriter(
            codecPrivate: stream.codecPrivate,
            isSSA: stream.codec == .ssa || isSSAScript(stream.codecPrivate),
            streamIndex: stream.index, inputEnd: inputEnd)
    case .webVTT:
        return WebVTTPacketWriter(
            codecPrivate: stream.codecPrivate, inlineTimes: stream.inlineTimeOrigin,
            inputEnd: inputEnd)
    case .ttml:
        return TTMLPacketWriter(stream: stream)
    case .pgs:
        return SUPPacketWriter(end: end)
    case .dvd:
        return VobSubPacketWriter(
            codecPrivate: stream.codecPrivate, size: stream.size, language: stream.language,
            streamIndex: stream.index, end: end)
    default:
        return nil
    }
}

/// Whether a script's styles are those of SSA v4.
///
/// libavformat calls both `ass`.
private func isSSAScript(_ header: [UInt8]) -> Bool {
    unifiedLineEnds(header).split(separator: Byte.lineFeed).contains { line in
        line.drop { $0 <= Byte.space }.prefix(11).lazy.map {
            (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
        }.elementsEqual("[v4 styles]".utf8)
    }
}
