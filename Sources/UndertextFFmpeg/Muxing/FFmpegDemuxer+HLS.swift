internal import CFFmpeg
package import UndertextCore

/// The file names of ``FFmpegDemuxer/copyAsHLS(_:to:segmentLength:)``.
package enum HLSNames {
    /// The media playlist.
    package static let playlist = "media.m3u8"
    /// The initialization section.
    package static let header = "media-init.mp4"
    /// The prefix of segment names; a number and `.m4s` follow.
    package static let segmentPrefix = "media-"
}

extension FFmpegDemuxer {
    /// Copies streams, packet by packet from the current position on, to HLS segments in fragmented MP4.
    ///
    /// FFmpeg: the muxer `hls`, which writes files with the names of ``HLSNames``.
    ///
    /// - Parameters:
    ///   - streams: the indices of the streams, in output order.
    ///   - folder: the folder for the output.
    ///   - segmentLength: the target duration of segments; they begin with key frames.
    /// - Returns: the earliest presentation time of the streams' first packets, as stored; `nil` if they have
    ///   none.
    /// - Throws: ``UndertextError``: `unsupported` for a codec that MP4 does not support and for reordered
    ///   video without presentation times, `io`, `cancelled`.
    package func copyAsHLS(
        _ streams: [Int], to folder: String, segmentLength: Double
    ) throws(UndertextError) -> Timestamp? {
        var copy = try HLSMuxer(self, to: folder)
        for index in streams { try copy.add(index) }
        try copy.writeHeader(segmentLength: segmentLength, folder: folder)
        while try copy.copyPacket() {}
        try copy.end()
        return copy.starts.values.min()
    }

    /// An error of FFmpeg while media are written.
    func muxingFailure(
        _ code: Int32, _ message: String, _ kind: UndertextError.Code = .io
    ) -> UndertextError {
        UndertextError(
            kind, message, path: state.name,
            underlying: FFmpegLog.takeLastMessage() ?? FFmpegFailure(value: code).text(library))
    }
}

/// Writes packets of a demuxer as segments; sole owner of FFmpeg's muxer.
@safe
private struct HLSMuxer: ~Copyable {
    private let demuxer: FFmpegDemuxer
    private let muxing: MuxingLibrary
    private let input: UnsafeMutablePointer<AVFormatContext>
    private let target: UnsafeMutablePointer<AVFormatContext>
    /// The place of each stream in the output.
    private var places: [Int: Int32] = [:]
    /// The presentation time of the first packet of each stream.
    private(set) var starts: [Int: Timestamp] = [:]
    /// The number of packets without a presentation time.
    private var unplaced = 0
    /// Removes the headers of AAC in frames of its own (ADTS), as in a transport stream: MP4 has none.
    private var aac: BitstreamFilter?
    /// The stream that ``aac`` is for.
    private var aacIndex: Int?

    init(_ demuxer: FFmpegDemuxer, to folder: String) throws(UndertextError) {
        let muxing = try MuxingLibrary.load()
        guard let input = unsafe demuxer.context.pointer else {
            throw UndertextError(.io, "it is closed", path: demuxer.state.name)
        }
        var output: UnsafeMutablePointer<AVFormatContext>?
        let made = unsafe muxing.functions.pointee.avformat_alloc_output_context2(
            &output, nil, "hls", "\(folder)/\(HLSNames.playlist)")
        guard made >= 0, let target = unsafe output else {
            throw demuxer.muxingFailure(made, "FFmpeg cannot write HLS")
        }
        self.demuxer = demuxer
        self.muxing = muxing
        unsafe self.input = unsafe input
        unsafe self.target = unsafe target
    }

    /// Adds a stream of the input.
    mutating func add(_ index: Int) throws(UndertextError) {
        guard let source = unsafe stream(index),
            let stream = unsafe muxing.functions.pointee.avformat_new_stream(target, nil)
        else {
            throw UndertextError(
                .unsupported, "there is no stream \(index)", path: demuxer.state.name)
        }
        let code = unsafe muxing.functions.pointee.avcodec_parameters_copy(
            stream.pointee.codecpar, source.pointee.codecpar)
        guard code >= 0 else { throw demuxer.muxingFailure(code, "a stream cannot be copied") }
        let codec = unsafe source.pointee.codecpar.pointee.codec_id
        // The tags are those of another container; with this tag, the parameters of HEVC are in the header
        // alone, as Apple's players require.
        unsafe stream.pointee.codecpar.pointee.codec_tag =
            codec == AV_CODEC_ID_HEVC ? Self.tag("hvc1") : 0
        unsafe stream.pointee.time_base = unsafe source.pointee.time_base
        places[index] = unsafe stream.pointee.index
        if codec == AV_CODEC_ID_AAC, unsafe source.pointee.codecpar.pointee.extradata_size == 0 {
            aac = unsafe BitstreamFilter.make(
                "aac_adtstoasc", for: source.pointee.codecpar, timeBase: source.pointee.time_base,
                muxing)
            aacIndex = index
        }
    }

    mutating func writeHeader(segmentLength: Double, folder: String) throws(UndertextError) {
        var options = OptionDictionary(demuxer.library)
        options.set("hls_time", "\(segmentLength)")
        options.set("hls_playlist_type", "vod")
        options.set("hls_list_size", "0")
        options.set("hls_segment_type", "fmp4")
        options.set("hls_fmp4_init_filename", HLSNames.header)
        options.set("hls_segment_filename", "\(folder)/\(HLSNames.segmentPrefix)%d.m4s")
        let begun = unsafe muxing.functions.pointee.avformat_write_header(target, &options.pointer)
        guard begun >= 0 else {
            throw demuxer.muxingFailure(
                begun, "a codec is not supported in MP4 segments", .unsupported)
        }
    }

    /// Copies the next packet; whether there was one.
    mutating func copyPacket() throws(UndertextError) -> Bool {
        if let interruption = demuxer.state.interruption { throw interruption }
        let packet = unsafe demuxer.packet.pointer
        demuxer.packet.clear()
        let code = unsafe demuxer.library.functions.pointee.av_read_frame(
            input, packet)
        if code == cffmpeg_eof { return false }
        guard code >= 0 else { throw demuxer.muxingFailure(code, "could not be read to its end") }
        let index = unsafe Int(packet.pointee.stream_index)
        guard let place = places[index] else { return true }
        try unsafe noteStart(packet, from: index)
        guard index == aacIndex else {
            try unsafe write(packet, from: index, to: place)
            return true
        }
        let sent = unsafe aac?.send(packet) ?? 0
        guard sent >= 0 else { throw demuxer.muxingFailure(sent, "its AAC is damaged", .malformed) }
        while true {
            let received = unsafe aac?.receive(packet) ?? cffmpeg_eof
            if received == cffmpeg_averror(EAGAIN) || received == cffmpeg_eof { return true }
            guard received >= 0 else {
                throw demuxer.muxingFailure(received, "its AAC is damaged", .malformed)
            }
            try unsafe write(packet, from: index, to: place)
        }
    }

    /// The maximum number of packets without a time, which occur in damaged files.
    private static var unplacedAtMost: Int { 50 }

    /// Keeps when the first packet of a stream is shown, and refuses what does not say it.
    private mutating func noteStart(
        _ packet: UnsafeMutablePointer<AVPacket>, from index: Int
    ) throws(UndertextError) {
        guard let source = unsafe stream(index) else { return }
        // Pictures in order are shown when they are decoded; in AVI that is all there is.
        let isInOrder = unsafe source.pointee.codecpar.pointee.video_delay == 0
        let decoded = unsafe isInOrder ? known(packet.pointee.dts) : nil
        let ticks = unsafe known(packet.pointee.pts) ?? decoded
        guard let ticks else {
            unplaced += isInOrder ? 0 : 1
            guard isInOrder || (starts[index] != nil && unplaced <= Self.unplacedAtMost) else {
                throw UndertextError(
                    .unsupported,
                    "its frames are stored in decoding order without presentation times (as in AVI); "
                        + "encode it again (ffmpeg -i FILE new.mkv) and package the result",
                    path: demuxer.state.name)
            }
            return
        }
        guard starts[index] == nil else { return }
        let base = unsafe source.pointee.time_base
        starts[index] = Timestamp(ticks: ticks, timeBase: TimeBase(base.num, base.den))
    }

    private func write(
        _ packet: UnsafeMutablePointer<AVPacket>, from index: Int, to place: Int32
    ) throws(UndertextError) {
        guard let source = unsafe stream(index),
            let stream = unsafe target.pointee.streams?[Int(place)]
        else { return }
        unsafe muxing.functions.pointee.av_packet_rescale_ts(
            packet, source.pointee.time_base, stream.pointee.time_base)
        unsafe packet.pointee.stream_index = place
        unsafe packet.pointee.pos = -1
        let written = unsafe muxing.functions.pointee.av_interleaved_write_frame(target, packet)
        guard written >= 0 else {
            throw demuxer.muxingFailure(written, "the segments cannot be written")
        }
    }

    mutating func end() throws(UndertextError) {
        let ended = unsafe muxing.functions.pointee.av_write_trailer(target)
        guard ended >= 0 else {
            throw demuxer.muxingFailure(ended, "the segments cannot be written")
        }
    }

    /// A stream of the input.
    private func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, unsafe index < Int(input.pointee.nb_streams) else { return nil }
        return unsafe input.pointee.streams?[index]
    }

    /// Four characters as a codec tag; C: `MKTAG`.
    private static func tag(_ name: String) -> UInt32 {
        name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    deinit { unsafe demuxer.library.functions.pointee.avformat_free_context(target) }
}
