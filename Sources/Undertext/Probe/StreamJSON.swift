internal import UndertextCore

/// One stream as ffprobe's JSON shows it, its keys in ffprobe's order.
///
/// Properties that only libavformat reports are absent if another reader described the stream.
struct StreamJSON {
    private let stream: StreamDescription
    private let captions: [String]?

    /// - Parameters:
    ///   - stream: The stream.
    ///   - captions: The closed captions in the stream; `nil` if it was not examined.
    init(_ stream: StreamDescription, captions: [String]? = nil) {
        self.stream = stream
        self.captions = captions
    }

    /// The members of the object, without `undertext`.
    var members: [JSON.Member] {
        var members: [JSON.Member] = [.init("index", .integer(stream.index))]
        if let details = stream.details {
            members += codec(details)
            members += kindSpecific(details)
            if details.showsID, let id = stream.id {
                let bits = UInt32(truncatingIfNeeded: id)
                members.append(.init("id", .string("0x" + String(bits, radix: 16))))
            }
            if details.codecType == "video", let rate = stream.frameRate {
                members.append(.init("avg_frame_rate", .string(ffprobeFraction(rate))))
            }
        } else if stream.kind.isSubtitle {
            members += subtitle
        }
        members.append(.init("time_base", .string(ffprobeFraction(stream.timeBase))))
        if let details = stream.details {
            if let rate = stream.bitRate, rate > 0 {
                members.append(.init("bit_rate", .string(String(rate))))
            }
            if details.extradataSize > 0 {
                members.append(.init("extradata_size", .integer(details.extradataSize)))
            }
        }
        members.append(.init("disposition", disposition))
        return members + ffprobeTags(stream.tags)
    }

    /// The subtitle fields that equal ffprobe's output even without FFmpeg.
    private var subtitle: [JSON.Member] {
        let type = JSON.Member("codec_type", .string("subtitle"))
        let known: [CodecID] = [.subRip, .ass, .pgs, .dvd, .dvb]
        guard known.contains(stream.codec) else { return [type] }
        return [.init("codec_name", .string(stream.codec.rawValue)), type]
    }

    private func codec(_ details: StreamDetails) -> [JSON.Member] {
        var members: [JSON.Member] = []
        if let name = details.codecName { members.append(.init("codec_name", .string(name))) }
        if let type = details.codecType { members.append(.init("codec_type", .string(type))) }
        let tag = String(details.codecTag, radix: 16)
        let zeros = String(repeating: "0", count: max(0, 4 - tag.utf8.count))
        return members + [
            .init("codec_tag_string", .string(details.codecTagString)),
            .init("codec_tag", .string("0x" + zeros + tag)),
        ]
    }

    /// Size and sound: ffprobe prints zeros for video and audio, nothing for subtitles.
    private func kindSpecific(_ details: StreamDetails) -> [JSON.Member] {
        switch details.codecType {
        case "video":
            return [
                .init("width", .integer(stream.size?.width ?? 0)),
                .init("height", .integer(stream.size?.height ?? 0)),
            ] + (captions.map { [.init("closed_captions", .integer($0.isEmpty ? 0 : 1))] } ?? [])
        case "subtitle":
            var members: [JSON.Member] = []
            if let width = stream.size?.width, width > 0 {
                members.append(.init("width", .integer(width)))
            }
            if let height = stream.size?.height, height > 0 {
                members.append(.init("height", .integer(height)))
            }
            return members
        case "audio":
            var members: [JSON.Member] = [
                .init("sample_rate", .string(String(stream.sampleRate ?? 0))),
                .init("channels", .integer(stream.channels ?? 0)),
            ]
            if let layout = details.channelLayout {
                members.append(.init("channel_layout", .string(layout)))
            }
            return members
        default:
            return []
        }
    }

    /// The keys are the same with every version of FFmpeg: those of ffprobe 5.1, and later ones that are set.
    private var disposition: JSON {
        let flags = stream.disposition.subtracting(stream.impliedDisposition)
        let left = Disposition.ofLaterVersions.subtracting(flags)
        return .object(
            Disposition.named.filter { !left.contains($0.flag) }
                .map { .init($0.name, .integer(flags.contains($0.flag) ? 1 : 0)) })
    }
}
