internal import CFFmpeg
internal import UndertextCore

extension SideData.Kind {
    /// FFmpeg's kinds that have an own name in Undertext.
    private static let named: [(AVPacketSideDataType, SideData.Kind)] = [
        (AV_PKT_DATA_WEBVTT_IDENTIFIER, .webVTTIdentifier),
        (AV_PKT_DATA_WEBVTT_SETTINGS, .webVTTSettings),
        (AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, .blockAdditional),
        (AV_PKT_DATA_PALETTE, .palette),
        (AV_PKT_DATA_SUBTITLE_POSITION, .subtitlePosition),
        (AV_PKT_DATA_NEW_EXTRADATA, .newExtradata),
        (AV_PKT_DATA_MPEGTS_STREAM_ID, .mpegTSStreamID),
    ]
    private static let prefix = "ffmpeg-"

    /// Our name for FFmpeg's number; one made from the number where there is none.
    init(_ type: AVPacketSideDataType) {
        self =
            Self.named.first { $0.0 == type }?.1
            ?? SideData.Kind(rawValue: Self.prefix + String(type.rawValue))
    }

    /// FFmpeg's number, if it has one for this kind.
    var ffmpegType: Int32? {
        if let named = Self.named.first(where: { $0.1 == self }) {
            return Int32(exactly: named.0.rawValue)
        }
        guard rawValue.hasPrefix(Self.prefix) else { return nil }
        return Int32(rawValue.dropFirst(Self.prefix.utf8.count))
    }
}
