internal import UndertextCore

/// The details of one stream as libavformat reports them.
struct TrackDetails {
    private let track: TrackEntry
    private let first: (bytes: ArraySlice<UInt8>, size: Int)?

    /// Prepares the details of a track by its description and its first frame.
    init(_ track: TrackEntry, first: FirstBlocks.Found?) {
        self.track = track
        self.first = first?.frame(track)
    }

    /// Adds the details to a stream; `false` if libavformat may report something else.
    func complete(_ stream: inout StreamDescription) -> Bool {
        guard !track.isUnusual, track.encodings.unsupportedForFrames == nil,
            !track.isPrivateDamaged, track.timestampScale == 1
        else { return false }
        // libavformat knows no such statistics.
        stream.bitRate = nil
        switch track.kind {
        case .video: return completeVideo(&stream)
        case .audio: return completeAudio(&stream)
        case .subtitle, .metadata: return completeText(&stream)
        default: return false
        }
    }

    // MARK: Video

    private func completeVideo(_ stream: inout StreamDescription) -> Bool {
        guard let size = track.size, max(size.width, size.height) <= 16_384,
            let rate = TimeBase(reportedRatePerNanoseconds: track.defaultDuration),
            let first, !first.bytes.isEmpty
        else { return false }
        stream.frameRate = rate
        var headerSize = track.codecPrivate.count
        switch stream.codec.rawValue {
        case "h264":
            guard let header = H264Configuration(track.codecPrivate), header.size == size,
                header.agrees(withFirst: first.bytes)
            else { return false }
        case "hevc":
            guard let header = HEVCConfiguration(track.codecPrivate), header.size == size else {
                return false
            }
        case "av1":
            guard track.codecPrivate.count >= 4, track.codecPrivate[0] == 0x81 else { return false }
        case "vp9":
            guard let profile = vp9Profile(first.bytes) else { return false }
            stream.profile = profile
            // libavformat leaves it out.
            headerSize = 0
        default: return false
        }
        stream.details = details("video", stream.codec.rawValue, headerSize)
        return true
    }

    /// The profile in the uncompressed header of VP9 (VP9 bitstream specification, section 6.2).
    private func vp9Profile(_ frame: ArraySlice<UInt8>) -> Int? {
        var bits = BitCursor(frame)
        guard bits.next(2) == 2, let low = bits.next(1), let high = bits.next(1) else { return nil }
        let profile = Int(high << 1 | low)
        return profile == 3 && bits.next(1) != 0 ? nil : profile
    }

    // MARK: Audio

    private func completeAudio(_ stream: inout StreamDescription) -> Bool {
        guard let first, let found = audio(stream.codec.rawValue, first.bytes, first.size) else {
            return false
        }
        stream.sampleRate = found.sampleRate
        stream.channels = found.channels
        stream.bitRate = found.bitRate
        stream.profile = found.profile
        let isFLAC = stream.codec.rawValue == "flac"
        stream.details = details(
            "audio", stream.codec.rawValue, isFLAC ? 34 : track.codecPrivate.count)
        stream.details?.channelLayout = found.layout
        return true
    }

    private func audio(
        _ codec: String, _ frame: ArraySlice<UInt8>, _ size: Int
    ) -> AudioProperties? {
        let header = track.codecPrivate
        switch codec {
        case "aac": return AudioSpecificConfig(header)?.properties(firstFrame: frame)
        case "opus": return XiphHeaders.opus(header)
        case "vorbis": return XiphHeaders.vorbis(header)
        case "flac": return XiphHeaders.flac(header)
        case "ac3": return header.isEmpty ? AC3Header.properties(frame, size: size) : nil
        case "eac3":
            return header.isEmpty ? AC3Header.enhancedProperties(frame, size: size) : nil
        case "dts": return header.isEmpty ? DTSHeader.properties(frame, size: size) : nil
        default: return codec.hasPrefix("pcm_") && header.isEmpty ? pcm : nil
        }
    }

    /// Integers and floating-point numbers, whose layout is unknown.
    private var pcm: AudioProperties? {
        // Defaults of RFC 9559, sections 5.1.4.1.29.1 and 5.1.4.1.29.3.
        let channels = track.channels ?? 1
        guard let rate = Int32(exactly: track.sampleRate ?? 8000), rate > 0,
            (1...16).contains(channels),
            let bits = track.bitDepth, [16, 24, 32, 64].contains(bits)
        else { return nil }
        return AudioProperties(
            sampleRate: Int(rate), channels: Int(channels), layout: nil,
            bitRate: Int64(rate) * Int64(channels * bits))
    }

    // MARK: Subtitles

    private func completeText(_ stream: inout StreamDescription) -> Bool {
        let name: String?
        var hasHeader = true
        switch track.codecID {
        case "S_TEXT/UTF8":
            (name, hasHeader) = ("subrip", false)
        case "S_TEXT/ASS", "S_ASS", "S_TEXT/SSA", "S_SSA": name = "ass"
        case "S_HDMV/PGS":
            (name, hasHeader) = ("hdmv_pgs_subtitle", false)
        case "S_VOBSUB":
            guard stream.size != nil else { return false }
            name = "dvd_subtitle"
        case "S_TEXT/WEBVTT": name = nil
        case "D_WEBVTT/SUBTITLES", "D_WEBVTT/CAPTIONS", "D_WEBVTT/DESCRIPTIONS",
            "D_WEBVTT/METADATA":
            (name, hasHeader) = ("webvtt", false)
        default: return false
        }
        guard hasHeader || track.codecPrivate.isEmpty else { return false }
        if track.codecID != "S_VOBSUB" { stream.size = nil }
        stream.details = details("subtitle", name, track.codecPrivate.count)
        return true
    }

    private func details(_ type: String, _ name: String?, _ size: Int) -> StreamDetails {
        StreamDetails(
            codecType: type, codecName: name, codecTag: 0, codecTagString: "[0][0][0][0]",
            showsID: false, extradataSize: size)
    }
}
