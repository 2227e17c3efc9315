internal import CFFmpeg
internal import UndertextCore

/// Sole owner of an `AVCodecContext` of a decoder.
@safe
struct CodecContext: ~Copyable {
    /// The context.
    let pointer: UnsafeMutablePointer<AVCodecContext>
    private let library: FFmpegLibrary

    private init(adopting pointer: UnsafeMutablePointer<AVCodecContext>, _ library: FFmpegLibrary) {
        unsafe self.pointer = unsafe pointer
        self.library = library
    }

    /// Opens the decoder of the codec that FFmpeg calls `name`, of which the container says `tag`.
    static func open(
        name: String, tag: UInt32, extradata: [UInt8], timeBase: TimeBase, size: PixelSize?,
        options: [String: String], _ library: FFmpegLibrary
    ) throws(UndertextError) -> CodecContext {
        guard
            let descriptor = unsafe library.functions.pointee.avcodec_descriptor_get_by_name(name),
            unsafe descriptor.pointee.type == AVMEDIA_TYPE_SUBTITLE
        else {
            throw UndertextError(.unsupported, "FFmpeg knows no subtitle codec called \(name)")
        }
        guard
            let pointer = unsafe cffmpeg_decoder_context(
                library.functions, descriptor.pointee.id)
        else {
            throw UndertextError(.unsupported, "FFmpeg has no decoder for \(name)")
        }
        let context = unsafe CodecContext(adopting: pointer, library)
        try context.setExtradata(extradata)
        // Tells XSUB with opacities from XSUB without.
        unsafe pointer.pointee.codec_tag = tag
        // Without it no event gets a time.
        unsafe pointer.pointee.pkt_timebase = AVRational(
            num: timeBase.numerator, den: timeBase.denominator)
        if let size, let width = Int32(exactly: size.width), width > 0,
            let height = Int32(exactly: size.height), height > 0
        {
            unsafe pointer.pointee.width = width
            unsafe pointer.pointee.height = height
        }
        var dictionary = OptionDictionary(library)
        // Else libavcodec drops an event that holds one invalid byte; we repair it instead.
        dictionary.set("sub_charenc_mode", "ignore")
        dictionary.set("threads", "1")
        for (key, value) in options { dictionary.set(key, value) }
        let code = unsafe library.functions.pointee.avcodec_open2(
            pointer, nil, &dictionary.pointer)
        guard code >= 0 else {
            throw UndertextError(
                .malformed, "the decoder for \(name) refuses the stream's header",
                underlying: FFmpegLog.takeLastMessage() ?? FFmpegFailure(value: code).text(library))
        }
        return context
    }

    /// Opens the decoder of a video stream that libavformat described, with threads of its own.
    static func open(
        video parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational,
        mostPixels: Int, _ library: FFmpegLibrary
    ) throws(UndertextError) -> CodecContext {
        unsafe try open(
            parameters, "video", timeBase: timeBase,
            options: ["max_pixels": String(mostPixels), "threads": "auto"], library)
    }

    /// Opens the decoder of an audio stream that libavformat described.
    static func open(
        audio parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational,
        mostSamples: Int, _ library: FFmpegLibrary
    ) throws(UndertextError) -> CodecContext {
        unsafe try open(
            parameters, "audio", timeBase: timeBase,
            options: ["max_samples": String(mostSamples), "threads": "1"], library)
    }

    private static func open(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ kind: String,
        timeBase: AVRational, options: [String: String], _ library: FFmpegLibrary
    ) throws(UndertextError) -> CodecContext {
        guard
            let pointer = unsafe cffmpeg_decoder_context(
                library.functions, parameters.pointee.codec_id)
        else { throw UndertextError(.unsupported, "FFmpeg has no decoder for this \(kind)") }
        let context = unsafe CodecContext(adopting: pointer, library)
        var code = unsafe library.functions.pointee.avcodec_parameters_to_context(
            pointer, parameters)
        if code >= 0 {
            unsafe pointer.pointee.pkt_timebase = timeBase
            var dictionary = OptionDictionary(library)
            for (key, value) in options { dictionary.set(key, value) }
            code = unsafe library.functions.pointee.avcodec_open2(
                pointer, nil, &dictionary.pointer)
        }
        guard code >= 0 else {
            throw UndertextError(
                .malformed, "the decoder refuses the header of the \(kind)",
                underlying: FFmpegLog.takeLastMessage() ?? FFmpegFailure(value: code).text(library))
        }
        return context
    }

    private func setExtradata(_ bytes: [UInt8]) throws(UndertextError) {
        guard !bytes.isEmpty else { return }
        guard let size = Int32(exactly: bytes.count), bytes.count < 1 << 28,
            let memory = unsafe library.functions.pointee.av_mallocz(
                bytes.count + Int(cffmpeg_input_padding))
        else { throw UndertextError(.limit, "the codec's header is too large") }
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: memory, count: source.count)
                .copyMemory(from: source)
        }
        unsafe pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        unsafe pointer.pointee.extradata_size = size
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        unsafe library.functions.pointee.avcodec_free_context(&context)
    }
}
