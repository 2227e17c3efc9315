internal import CFFmpeg
public import MediaCore

extension Demuxer {
    /// Copies streams, packet by packet and from where reading is, into segments of HLS in fragmented
    /// MP4.
    ///
    /// FFmpeg: the muxer `hls`, which writes `media.m3u8`, `media-init.mp4` and `media-0.m4s`, ….
    ///
    /// - Parameters:
    ///   - streams: the indices of the streams, in the order that they get.
    ///   - folder: where the files are written.
    ///   - segmentLength: how long segments are to be; they begin with key frames.
    /// - Throws: ``MediaError``: `unsupported` for a codec that MP4 does not take, `io`, `cancelled`.
    public func copyAsHLS(
        _ streams: [Int], to folder: String, segmentLength: Double
    ) throws(MediaError) {
        let muxing = try MuxingLibrary.load()
        guard let input = unsafe context.pointer else { return }
        var output: UnsafeMutablePointer<AVFormatContext>?
        let made = unsafe muxing.functions.pointee.avformat_alloc_output_context2(
            &output, nil, "hls", folder + "/media.m3u8")
        guard made >= 0, let target = unsafe output else {
            throw failure(made, "FFmpeg cannot write HLS")
        }
        defer { unsafe library.functions.pointee.avformat_free_context(target) }
        var places: [Int: Int32] = [:]
        for index in streams {
            guard index >= 0, unsafe index < Int(input.pointee.nb_streams),
                let source = unsafe input.pointee.streams?[index],
                let stream = unsafe muxing.functions.pointee.avformat_new_stream(target, nil)
            else { throw MediaError(.unsupported, "there is no stream \(index)", path: state.name) }
            let code = unsafe muxing.functions.pointee.avcodec_parameters_copy(
                stream.pointee.codecpar, source.pointee.codecpar)
            guard code >= 0 else { throw failure(code, "a stream cannot be copied") }
            // Tags are those of another container.
            unsafe stream.pointee.codecpar.pointee.codec_tag = 0
            unsafe stream.pointee.time_base = unsafe source.pointee.time_base
            places[index] = unsafe stream.pointee.index
        }
        var options = OptionDictionary(library)
        options.set("hls_time", "\(segmentLength)")
        options.set("hls_playlist_type", "vod")
        options.set("hls_list_size", "0")
        options.set("hls_segment_type", "fmp4")
        options.set("hls_fmp4_init_filename", "media-init.mp4")
        options.set("hls_segment_filename", folder + "/media-%d.m4s")
        let begun = unsafe muxing.functions.pointee.avformat_write_header(target, &options.pointer)
        guard begun >= 0 else {
            throw failure(begun, "a codec in it cannot be put into segments of MP4", .unsupported)
        }
        try unsafe copyPackets(input, target, places, muxing)
        let ended = unsafe muxing.functions.pointee.av_write_trailer(target)
        guard ended >= 0 else { throw failure(ended, "the segments cannot be written") }
    }

    private func copyPackets(
        _ input: UnsafeMutablePointer<AVFormatContext>,
        _ target: UnsafeMutablePointer<AVFormatContext>, _ places: [Int: Int32],
        _ muxing: MuxingLibrary
    ) throws(MediaError) {
        while true {
            if let interruption = state.interruption { throw interruption }
            packet.clear()
            let code = unsafe library.functions.pointee.av_read_frame(input, packet.pointer)
            if code == cffmpeg_eof { return }
            guard code >= 0 else { throw failure(code, "could not be read to its end") }
            let index = unsafe Int(packet.pointer.pointee.stream_index)
            guard let place = places[index],
                let source = unsafe input.pointee.streams?[index],
                let stream = unsafe target.pointee.streams?[Int(place)]
            else { continue }
            unsafe muxing.functions.pointee.av_packet_rescale_ts(
                packet.pointer, source.pointee.time_base, stream.pointee.time_base)
            unsafe packet.pointer.pointee.stream_index = place
            unsafe packet.pointer.pointee.pos = -1
            let written = unsafe muxing.functions.pointee.av_interleaved_write_frame(
                target, packet.pointer)
            guard written >= 0 else { throw failure(written, "the segments cannot be written") }
        }
    }

    private func failure(
        _ code: Int32, _ message: String, _ kind: MediaError.Code = .io
    ) -> MediaError {
        MediaError(
            kind, message, path: state.name,
            underlying: FFmpegLog.takeLastMessage() ?? FFmpegFailure(value: code).text(library))
    }
}
