/// The profile and level in the header of a codec.
struct CodecProfile: Hashable {
    var profile: Int?
    var level: Int?

    /// Reads a header as MP4 and Matroska store it; `nil` for codecs without one, and if it is damaged.
    init?(_ codec: CodecID, header: [UInt8]) {
        switch codec.rawValue {
        case "h264":
            // AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1).
            guard header.count >= 7, header[0] == 1 else { return nil }
            (profile, level) = (Int(header[1]), Int(header[3]))
        case "hevc":
            // HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 8.3.3.1): space, tier and profile share a byte.
            guard header.count >= 23, header[0] == 1 else { return nil }
            (profile, level) = (Int(header[1] & 0x1F), Int(header[12]))
        case "av1":
            // AV1CodecConfigurationRecord (AV1 in ISO BMFF, section 2.3.3): marker and version, profile and level.
            guard header.count >= 4, header[0] == 0x81 else { return nil }
            (profile, level) = (Int(header[1] >> 5), Int(header[1] & 0x1F))
        case "aac":
            // AudioSpecificConfig (ISO/IEC 14496-3, section 1.6.2.1). ADTS numbers profiles from the type before.
            guard header.count >= 2 else { return nil }
            var type = Int(header[0] >> 3)
            if type == 31 { type = 32 + Int(header[0] & 7) << 3 + Int(header[1] >> 5) }
            guard type > 0 else { return nil }
            profile = type - 1
        default: return nil
        }
    }
}
