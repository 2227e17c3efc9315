internal import CFFmpeg
internal import UndertextCore

/// Finds out what the headers do not say, by `avformat_find_stream_info`.
@safe
struct StreamProbe {
    let context: UnsafeMutablePointer<AVFormatContext>
    let library: FFmpegLibrary

    /// Fills in the streams of the context.
    ///
    /// - Parameters:
    ///   - formatName: FFmpeg's name of the container.
    ///   - depth: determines whether video is decoded for missing properties; audio always is, because its
    ///     decoder reports the channel layout.
    /// - Returns: FFmpeg's code.
    func run(formatName: String, depth: DemuxerOptions.ProbeDepth) -> Int32 {
        guard depth == .headers, Whitelists.hasCompleteHeaders(formatName) else {
            return unsafe library.functions.pointee.avformat_find_stream_info(context, nil)
        }
        // Video decoders fail to open, so libavformat stops asking for a pixel format.
        _ = unsafe library.functions.pointee.av_opt_set(
            context, "codec_whitelist", decoders(formatName).joined(separator: ","), 0)
        // The failure is expected and must not be printed on the user's terminal.
        let count = unsafe Int(context.pointee.nb_streams)
        let options = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: max(1, count))
        unsafe options.initialize(repeating: nil, count: max(1, count))
        for index in 0..<count {
            _ = unsafe library.functions.pointee.av_dict_set(
                &options[index], "log_level_offset", "100", 0)
            // The decoded images are not used.
            _ = unsafe library.functions.pointee.av_dict_set(
                &options[index], "skip_loop_filter", "all", 0)
        }
        let code = unsafe library.functions.pointee.avformat_find_stream_info(context, options)
        for index in 0..<count {
            unsafe library.functions.pointee.av_dict_free(&options[index])
        }
        unsafe options.deallocate()
        return code
    }

    /// The decoders of everything but video, and of video whose headers do not say everything.
    ///
    /// These are images without a size, and H.264 in Matroska: its blocks have no decoding time, and
    /// libavformat needs the decoder's reordering delay before it accepts any time.
    private func decoders(_ formatName: String) -> [String] {
        let isMatroska = formatName.hasPrefix("matroska")
        var names: [String] = []
        var cursor: UnsafeMutableRawPointer?
        while let codec = unsafe library.functions.pointee.av_codec_iterate(&cursor) {
            guard unsafe codec.pointee.type != AVMEDIA_TYPE_VIDEO,
                unsafe library.functions.pointee.av_codec_is_decoder(codec) != 0,
                let name = unsafe codec.pointee.name
            else { continue }
            unsafe names.append(String(cString: name))
        }
        for index in 0..<(unsafe Int(context.pointee.nb_streams)) {
            guard let parameters = unsafe context.pointee.streams?[index]?.pointee.codecpar,
                unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
                unsafe parameters.pointee.width <= 0 || parameters.pointee.height <= 0
                    || (parameters.pointee.codec_id == AV_CODEC_ID_H264 && isMatroska),
                let name = unsafe cffmpeg_decoder_name(
                    library.functions, parameters.pointee.codec_id)
            else { continue }
            unsafe names.append(String(cString: name))
        }
        return names
    }
}
