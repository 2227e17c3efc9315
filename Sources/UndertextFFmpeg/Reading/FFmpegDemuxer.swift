internal import CFFmpeg
package import UndertextCore

/// Opens a container through libavformat, describes it and pulls its packets.
///
/// Not `Sendable`: one task at a time. What it returns are values.
///
/// FFmpeg: `AVFormatContext`.
package final class FFmpegDemuxer: PacketReader {
    /// The description of the container as found when it was opened.
    package let description: ContainerDescription

    // Destroyed in this order: FFmpeg reads through the later ones until the context is freed.
    private(set) var context: FormatContext
    let packet: PacketBuffer
    private let io: IOContext
    let state: IOState
    let library: FFmpegLibrary
    private let limits: Limits
    private var selection: Set<Int>?
    /// The sink for damage.
    package let diagnostics = DiagnosticSink()
    private var hasEnded = false
    private var finalStatistics = ReadStatistics()

    /// The maximum number of continuations after damage without a good packet in between.
    private static let maximalRetries = 64

    /// Opens and describes `input`.
    ///
    /// - Throws: ``UndertextError``: ``UndertextError/Code/notFound``, ``UndertextError/Code/permission``,
    ///   ``UndertextError/Code/isDirectory``, ``UndertextError/Code/empty``, ``UndertextError/Code/notMedia``
    ///   (also for playlists that are not allowed), ``UndertextError/Code/nestedOpen``,
    ///   ``UndertextError/Code/cancelled``, ``UndertextError/Code/timeout``,
    ///   ``UndertextError/Code/missingLibrary``.
    package init(
        _ input: DemuxInput, options: DemuxerOptions = DemuxerOptions()
    ) throws(UndertextError) {
        if case .path(let path) = input { try LocalFile.check(path) }
        if case .source(let source) = input, source.size == 0 {
            throw UndertextError(.empty, "is empty; was it copied completely?", path: source.name)
        }
        let library = try FFmpegLibrary.load()
        _ = FFmpegLog.takeLastMessage()
        let state = IOState(reader: input.reader, name: input.name, options: options)
        if let interruption = state.interruption { throw interruption }
        let io = try IOContext.open(state, library)
        var dictionary = OptionDictionary(library)
        Self.set(&dictionary, input, options)
        var context = unsafe try FormatContext.open(
            url: input.address, io: io.pointer, state: state, format: options.format,
            options: &dictionary, library)
        guard let pointer = unsafe context.pointer else {
            throw UndertextError(.io, "could not be opened", path: input.name)
        }
        let name = unsafe String(cString: pointer.pointee.iformat.pointee.name)
        let code = unsafe StreamProbe(context: pointer, library: library).run(
            formatName: name, depth: options.probe)
        // A cancellation may arrive after libavformat has succeeded.
        let interruption = state.interruption
        if code < 0 || interruption != nil || state.hasFailed {
            let failure = FormatContext.failure(code, state, library, isOpening: true)
            context.close()
            throw interruption ?? failure
        }
        packet = try PacketBuffer.make(library)
        description = unsafe describe(pointer, library)
        self.context = context
        self.io = io
        self.state = state
        self.library = library
        limits = options.limits
        for key in options.options.keys.sorted() where dictionary.contains(key) {
            diagnostics.report(.warning, "unknown-option", "nothing took the option \(key)")
        }
        noteRefused()
    }

    /// Whitelists and limits are last: the caller's options cannot change them.
    private static func set(
        _ dictionary: inout OptionDictionary, _ input: DemuxInput, _ options: DemuxerOptions
    ) {
        // As in ffprobe, so that both find the same streams.
        dictionary.set("scan_all_pmts", "1")
        if case .url = input { dictionary.set("rw_timeout", "30000000") }
        for (key, value) in options.options { dictionary.set(key, value) }
        dictionary.set(
            "format_whitelist",
            Whitelists.formats(for: input, allowsPlaylists: options.allowsPlaylists))
        dictionary.set("protocol_whitelist", Whitelists.protocols(for: input))
        dictionary.set("max_streams", String(options.limits.streams))
    }

    /// Chooses the streams whose packets ``nextPacket()`` returns; all of them at first.
    ///
    /// Indices that do not exist are ignored.
    package func select(_ indices: Set<Int>) {
        selection = indices
        guard let pointer = unsafe context.pointer else { return }
        // Only saves work: packets that are queued already come in spite of it.
        for index in 0..<(unsafe Int(pointer.pointee.nb_streams)) {
            unsafe pointer.pointee.streams?[index]?.pointee.discard =
                indices.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// The next packet of a chosen stream, or `nil` at the end of the input.
    ///
    /// Packets that the container marks as damaged are returned with ``Packet/isCorrupt``.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/io``, ``UndertextError/Code/cancelled``,
    ///   ``UndertextError/Code/timeout``, or ``UndertextError/Code/malformed`` where reading does not get
    ///   past the damage.
    ///
    /// FFmpeg: `av_read_frame`.
    package func nextPacket() throws(UndertextError) -> Packet? {
        var retries = 0
        while !hasEnded, let pointer = unsafe context.pointer {
            if let interruption = state.interruption { throw interruption }
            packet.clear()
            _ = FFmpegLog.takeLastMessage()
            let code = unsafe library.functions.pointee.av_read_frame(pointer, packet.pointer)
            noteRefused()
            if code >= 0 {
                retries = 0
                noteSkipped()
                if let value = unsafe accepted(pointer) { return value }
                continue
            }
            retries += 1
            unsafe try handle(code, retries: retries, pointer)
        }
        return nil
    }

    /// Damage that libavformat goes over by itself, saying so only in its log.
    private func noteSkipped() {
        guard let message = FFmpegLog.takeLastMessageOfContainer() else { return }
        diagnostics.report(
            .error, "damaged-container", "libavformat skipped a part: \(message)",
            byteOffset: position)
    }

    /// The packet as a value, unless its stream was not chosen or it is too large.
    private func accepted(_ pointer: UnsafeMutablePointer<AVFormatContext>) -> Packet? {
        let index = unsafe Int(packet.pointer.pointee.stream_index)
        if let selection, !selection.contains(index) { return nil }
        let size = unsafe Int(packet.pointer.pointee.size)
        guard size <= limits.packetSize else {
            diagnostics.report(
                .error, "packet-too-large",
                "a packet of \(size) bytes is larger than allowed and was left out",
                streamIndex: index, byteOffset: position)
            return nil
        }
        guard index >= 0, unsafe index < Int(pointer.pointee.nb_streams),
            let base = unsafe pointer.pointee.streams?[index]?.pointee.time_base
        else { return nil }
        return packet.value(timeBase: TimeBase(base.num, base.den))
    }

    /// Ends the reading, throws, or reports a diagnostic after which reading continues.
    private func handle(
        _ code: Int32, retries: Int, _ pointer: UnsafeMutablePointer<AVFormatContext>
    ) throws(UndertextError) {
        if let stored = state.takeStored() { throw stored }
        if code == cffmpeg_eof {
            hasEnded = true
            let error = unsafe pointer.pointee.pb?.pointee.error ?? 0
            if error < 0, error != cffmpeg_eof {
                throw FormatContext.failure(error, state, library, isOpening: false)
            }
            return
        }
        guard code == cffmpeg_invalid_data || code == cffmpeg_averror(EAGAIN),
            retries <= Self.maximalRetries
        else {
            hasEnded = true
            var failure = FormatContext.failure(code, state, library, isOpening: false)
            failure.byteOffset = position
            throw failure
        }
        guard code == cffmpeg_invalid_data, retries == 1 else { return }
        diagnostics.report(
            .error, "damaged-container",
            FFmpegLog.takeLastMessage() ?? "a damaged part of the container was skipped",
            byteOffset: position)
    }

    /// Goes to the last place from which `time` of a stream can be read, so earlier packets come.
    ///
    /// - Parameters:
    ///   - time: a time on the timeline of the file.
    ///   - stream: the stream to be sought in; `nil` leaves the choice to libavformat.
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/unsupported`` if the container cannot
    ///   be sought in.
    ///
    /// FFmpeg: `av_seek_frame` with `AVSEEK_FLAG_BACKWARD`.
    package func seek(to time: Timestamp, stream: Int? = nil) throws(UndertextError) {
        guard let pointer = unsafe context.pointer else { return }
        let base: TimeBase
        if let stream {
            guard description.streams.indices.contains(stream) else {
                throw UndertextError(.unsupported, "there is no stream \(stream)", path: state.name)
            }
            base = description.streams[stream].timeBase
        } else {
            base = .microseconds
        }
        let code = unsafe library.functions.pointee.av_seek_frame(
            pointer, Int32(clamping: stream ?? -1), time.ticks(in: base) ?? 0,
            AVSEEK_FLAG_BACKWARD)
        hasEnded = false
        guard code < 0 else { return }
        if let stored = state.takeStored() { throw stored }
        throw UndertextError(
            .unsupported, "seeking is not possible here", path: state.name, streamIndex: stream,
            underlying: FFmpegFailure(value: code).text(library))
    }

    /// The bytes of an attachment or of a cover image; empty if there is no such stream.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/limit``.
    package func attachmentData(streamIndex: Int) throws(UndertextError) -> [UInt8] {
        guard let pointer = unsafe context.pointer,
            let bytes = unsafe attachmentBytes(streamIndex, pointer)
        else { return [] }
        guard bytes.count <= limits.attachmentSize else {
            throw UndertextError(
                .limit, "an attachment of \(bytes.count) bytes is larger than allowed",
                path: state.name, streamIndex: streamIndex)
        }
        return unsafe Array(bytes)
    }

    /// The read statistics of the input; the number of requests is known only for custom inputs.
    package var statistics: ReadStatistics {
        if unsafe io.pointer != nil { return state.statistics }
        guard let file = unsafe context.pointer?.pointee.pb else { return finalStatistics }
        return unsafe ReadStatistics(bytesRead: UInt64(max(0, file.pointee.bytes_read)))
    }

    /// The current reading position in bytes, for a progress bar.
    package var position: UInt64? {
        guard let file = unsafe context.pointer?.pointee.pb else { return nil }
        let offset = unsafe library.functions.pointee.avio_seek(file, 0, SEEK_CUR)
        return offset >= 0 ? UInt64(offset) : nil
    }

    /// Frees the container and closes the file; ``nextPacket()`` returns `nil` from then on.
    package func close() {
        finalStatistics = statistics
        hasEnded = true
        unsafe state.context = nil
        context.close()
    }

    private func noteRefused() {
        for address in state.takeRefused() {
            diagnostics.report(
                .warning, "nested-open-refused",
                "the input wanted to open \(address), which was refused")
        }
    }
}

extension DemuxInput {
    /// The address passed to FFmpeg, which uses only the extension for custom inputs.
    var address: String {
        switch self {
        case .path(let path), .opened(_, let path): "file:" + path
        case .url(let url): url
        case .source(let source): URI(source.name).urlScheme == nil ? "" : source.name
        case .stream(let stream): URI(stream.name).urlScheme == nil ? "" : stream.name
        }
    }

    /// The source of bytes if FFmpeg does not open the input itself.
    var reader: IOState.Reader {
        switch self {
        case .path, .url: .none
        case .opened(let source, path: _): .file(source)
        case .source(let source): .random(source)
        case .stream(let source): .sequential(source)
        }
    }
}
