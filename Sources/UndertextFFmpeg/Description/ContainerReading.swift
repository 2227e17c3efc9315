internal import CFFmpeg
internal import UndertextCore

/// Copies FFmpeg's description of the container.
func describe(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ library: FFmpegLibrary
) -> ContainerDescription {
    let format = unsafe context.pointee.iformat
    let io = unsafe context.pointee.pb
    let size = unsafe io.map { unsafe library.functions.pointee.avio_size($0) } ?? -1
    let bitRate = unsafe context.pointee.bit_rate
    let startTime = unsafe context.pointee.start_time
    let duration = unsafe context.pointee.duration
    let showsID = unsafe (format?.pointee.flags ?? 0) & AVFMT_SHOW_IDS != 0
    var streams: [StreamDescription] = []
    for index in 0..<(unsafe Int(context.pointee.nb_streams)) {
        guard let stream = unsafe context.pointee.streams?[index],
            let description = unsafe describe(stream, index: index, showsID: showsID, library)
        else {
            // Keeps streams[i].index == i in all cases.
            streams.append(StreamDescription(index: index, kind: .data, codec: .unknown))
            continue
        }
        streams.append(description)
    }
    return unsafe ContainerDescription(
        formatName: format.flatMap { unsafe $0.pointee.name }
            .map { unsafe String(cString: $0) } ?? "",
        formatLongName: format.flatMap { unsafe $0.pointee.long_name }
            .map { unsafe String(cString: $0) },
        probeScore: Int(context.pointee.probe_score), startTime: known(startTime),
        duration: known(duration), size: size >= 0 ? UInt64(size) : nil,
        bitRate: bitRate > 0 ? bitRate : nil,
        isSeekable: (io?.pointee.seekable ?? 0) & AVIO_SEEKABLE_NORMAL != 0,
        tags: metadata(context.pointee.metadata, library), streams: streams,
        chapters: chapters(context, library), programs: programs(context, library),
        attachments: streams.compactMap { unsafe attachment($0, context) })
}

private func chapters(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ library: FFmpegLibrary
) -> [Chapter] {
    var result: [Chapter] = []
    for index in 0..<(unsafe Int(context.pointee.nb_chapters)) {
        guard let chapter = unsafe context.pointee.chapters?[index] else { continue }
        let base = unsafe chapter.pointee.time_base
        unsafe result.append(
            Chapter(
                id: Int64(chapter.pointee.id), timeBase: TimeBase(base.num, base.den),
                start: chapter.pointee.start, end: chapter.pointee.end,
                tags: metadata(chapter.pointee.metadata, library)))
    }
    return result
}

private func programs(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ library: FFmpegLibrary
) -> [Program] {
    var result: [Program] = []
    for index in 0..<(unsafe Int(context.pointee.nb_programs)) {
        guard let program = unsafe context.pointee.programs?[index] else { continue }
        var streams: [Int] = []
        for position in 0..<(unsafe Int(program.pointee.nb_stream_indexes)) {
            guard let stream = unsafe program.pointee.stream_index?[position] else { continue }
            streams.append(Int(stream))
        }
        unsafe result.append(
            Program(
                id: Int(program.pointee.id), mapPID: Int(program.pointee.pmt_pid),
                clockPID: Int(program.pointee.pcr_pid), streams: streams,
                tags: metadata(program.pointee.metadata, library)))
    }
    return result
}

private func attachment(
    _ stream: StreamDescription, _ context: UnsafeMutablePointer<AVFormatContext>
) -> Attachment? {
    guard stream.kind == .attachment else { return nil }
    let size = unsafe attachmentBytes(stream.index, context)?.count ?? 0
    return Attachment(
        streamIndex: stream.index, fileName: stream.tags.value("filename") ?? "",
        mimeType: stream.tags.value("mimetype") ?? "", size: size)
}

/// FFmpeg's copy of an attachment: the packet of an image, otherwise the codec's header.
func attachmentBytes(
    _ index: Int, _ context: UnsafeMutablePointer<AVFormatContext>
) -> UnsafeBufferPointer<UInt8>? {
    guard index >= 0, unsafe index < Int(context.pointee.nb_streams),
        let stream = unsafe context.pointee.streams?[index]
    else { return nil }
    if unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
        let data = unsafe stream.pointee.attached_pic.data
    {
        return unsafe UnsafeBufferPointer(
            start: data, count: max(0, Int(stream.pointee.attached_pic.size)))
    }
    guard let parameters = unsafe stream.pointee.codecpar,
        unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
        let data = unsafe parameters.pointee.extradata
    else { return nil }
    return unsafe UnsafeBufferPointer(
        start: data, count: max(0, Int(parameters.pointee.extradata_size)))
}
