internal import CFFmpeg
internal import UndertextCore

/// Copies FFmpeg's description of one stream; `showsID` is `true` if ffprobe prints `id`.
func describe(
    _ stream: UnsafeMutablePointer<AVStream>, index: Int, showsID: Bool, _ library: FFmpegLibrary
) -> StreamDescription? {
    guard let parameters = unsafe stream.pointee.codecpar else { return nil }
    let codec = unsafe codecName(parameters.pointee.codec_id, library)
    let tag = unsafe parameters.pointee.codec_tag
    let tagText = fourCC(tag, library)
    let disposition = unsafe Disposition(rawValue: stream.pointee.disposition)
    let isPicture =
        disposition.contains(.attachedPicture) && !disposition.contains(.timedThumbnails)
    let view = unsafe StreamKind(
        type: parameters.pointee.codec_type, codecName: codec.name, codecTag: tagText,
        isBitmap: codec.isBitmap, isAttachedPicture: isPicture)
    let tags = unsafe metadata(stream.pointee.metadata, library)
    let base = unsafe stream.pointee.time_base
    let width = unsafe Int(parameters.pointee.width)
    let height = unsafe Int(parameters.pointee.height)
    let extradataSize = unsafe max(0, Int(parameters.pointee.extradata_size))
    // An attachment's bytes are read on demand.
    let header = unsafe view.kind == .attachment ? [] : extradata(parameters)
    let frames = unsafe stream.pointee.nb_frames
    let start = unsafe stream.pointee.start_time
    let duration = unsafe stream.pointee.duration
    var description = unsafe StreamDescription(
        index: index, kind: view.kind, codec: view.codec, id: Int64(stream.pointee.id),
        timeBase: TimeBase(base.num, base.den),
        language: tags.value("language").flatMap { LanguageTag($0) }, title: tags.value("title"),
        disposition: disposition, codecPrivate: header,
        size: width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil,
        duration: known(duration), packetCount: frames > 0 ? Int(exactly: frames) : nil,
        startTime: known(start), tags: tags,
        details: details(
            parameters, codecName: codec.name, tag: tag, tagText: tagText,
            showsID: showsID, extradataSize: extradataSize, library))
    unsafe addRates(to: &description, stream, parameters)
    // The container's word counts before the codec's, as in players.
    let ratios = unsafe [
        stream.pointee.sample_aspect_ratio, parameters.pointee.sample_aspect_ratio,
    ]
    if let ratio = ratios.first(where: { $0.num > 0 && $0.den > 0 }), ratio.num != ratio.den {
        description.pixelAspect = Double(ratio.num) / Double(ratio.den)
    }
    return description
}

private func details(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, codecName: String?, tag: UInt32,
    tagText: String, showsID: Bool, extradataSize: Int,
    _ library: FFmpegLibrary
) -> StreamDetails {
    let type = unsafe library.functions.pointee.av_get_media_type_string(
        parameters.pointee.codec_type
    ).map { unsafe String(cString: $0) }
    let isAudio = unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    return unsafe StreamDetails(
        codecType: type, codecName: codecName, codecTag: tag, codecTagString: tagText,
        showsID: showsID, channelLayout: isAudio ? channelLayout(parameters, library) : nil,
        extradataSize: extradataSize)
}

/// Adds the rates, the channels and the profile of a stream.
private func addRates(
    to description: inout StreamDescription, _ stream: UnsafeMutablePointer<AVStream>,
    _ parameters: UnsafeMutablePointer<AVCodecParameters>
) {
    let rate = unsafe stream.pointee.avg_frame_rate
    let profile = unsafe parameters.pointee.profile
    let level = unsafe parameters.pointee.level
    let bitRate = unsafe parameters.pointee.bit_rate
    if unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
        description.sampleRate = unsafe Int(parameters.pointee.sample_rate)
        description.channels = unsafe Int(cffmpeg_channels(parameters))
    }
    description.frameRate = rate.num > 0 && rate.den > 0 ? TimeBase(rate.num, rate.den) : nil
    description.bitRate = bitRate > 0 ? bitRate : nil
    description.profile = profile == cffmpeg_profile_unknown ? nil : Int(profile)
    description.level = level == cffmpeg_level_unknown ? nil : Int(level)
}

/// The codec's header.
func extradata(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> [UInt8] {
    guard let bytes = unsafe parameters.pointee.extradata else { return [] }
    return unsafe copy(bytes, Int(parameters.pointee.extradata_size))
}

/// Copies `count` bytes of FFmpeg's memory.
func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: bytes, count: max(0, count)))
}

private func codecName(
    _ id: AVCodecID, _ library: FFmpegLibrary
) -> (name: String?, isBitmap: Bool) {
    guard id != AV_CODEC_ID_NONE,
        let descriptor = unsafe library.functions.pointee.avcodec_descriptor_get(id)
    else { return (nil, false) }
    let isBitmap = unsafe descriptor.pointee.props & AV_CODEC_PROP_BITMAP_SUB != 0
    return unsafe (String(cString: descriptor.pointee.name), isBitmap)
}

private func fourCC(_ tag: UInt32, _ library: FFmpegLibrary) -> String {
    unsafe withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: Int(AV_FOURCC_MAX_STRING_SIZE)
    ) { buffer in
        guard let base = buffer.baseAddress else { return "" }
        unsafe base.initialize(repeating: 0, count: buffer.count)
        _ = unsafe library.functions.pointee.av_fourcc_make_string(base, tag)
        return unsafe String(cString: base)
    }
}

private func channelLayout(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ library: FFmpegLibrary
) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let base = buffer.baseAddress else { return nil }
        unsafe base.initialize(repeating: 0, count: buffer.count)
        let isKnown = unsafe cffmpeg_describe_layout(
            library.functions, parameters, base, buffer.count)
        return unsafe isKnown != 0 ? String(cString: base) : nil
    }
}
