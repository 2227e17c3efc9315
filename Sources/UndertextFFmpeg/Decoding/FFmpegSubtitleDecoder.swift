internal import CFFmpeg
internal import Glibc
package import UndertextCore

/// Decodes the packets of one subtitle track with libavcodec.
///
/// It is used for codecs without a native decoder, and to test native decoders. Not `Sendable`.
///
/// FFmpeg: `avcodec_decode_subtitle2`.
package final class FFmpegSubtitleDecoder {
    /// The script header that belongs to the lines of text: an ASS header; empty for images.
    ///
    /// FFmpeg: `subtitle_header`.
    package private(set) var header: [UInt8] = []

    private var context: CodecContext
    private let subtitle: SubtitleBuffer
    private let packet: PacketBuffer
    private let library: FFmpegLibrary
    private let stream: StreamDescription
    private let codecName: String
    private let limits: Limits
    private let options: [String: String]
    /// The sink for damage.
    package let diagnostics: DiagnosticSink

    /// The maximum number of events that a decoder may hold back.
    private static let maximalRest = 10_000

    /// Opens the decoder of `stream`.
    ///
    /// - Parameters:
    ///   - stream: the track; its codec's header and time base are used.
    ///   - limits: bounds of images.
    ///   - options: further options of the decoder, such as `data_field` for CEA-608.
    ///   - diagnostics: gets what is lost.
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/unsupported`` if FFmpeg has no decoder,
    ///   ``UndertextError/Code/malformed`` if it refuses the header,
    ///   ``UndertextError/Code/missingLibrary``.
    package init(
        _ stream: StreamDescription, limits: Limits = Limits(), options: [String: String] = [:],
        diagnostics: DiagnosticSink = .init()
    ) throws(UndertextError) {
        self.diagnostics = diagnostics
        library = try FFmpegLibrary.load()
        codecName = stream.details?.codecName ?? stream.codec.rawValue
        self.stream = stream
        self.limits = limits
        self.options = options
        packet = try PacketBuffer.make(library)
        subtitle = SubtitleBuffer(library)
        context = try Self.open(stream, codecName, options, library)
        header = Self.header(of: context)
    }

    private static func open(
        _ stream: StreamDescription, _ name: String, _ options: [String: String],
        _ library: FFmpegLibrary
    ) throws(UndertextError) -> CodecContext {
        do throws(UndertextError) {
            return try CodecContext.open(
                name: name, tag: stream.details?.codecTag ?? 0, extradata: stream.codecPrivate,
                timeBase: stream.timeBase,
                size: stream.size, options: options, library)
        } catch {
            var located = error
            located.streamIndex = stream.index
            throw located
        }
    }

    private static func header(of context: borrowing CodecContext) -> [UInt8] {
        guard let bytes = unsafe context.pointer.pointee.subtitle_header else { return [] }
        return unsafe copy(bytes, Int(context.pointer.pointee.subtitle_header_size))
    }

    /// The events of one packet; one without images and text means "clear the screen".
    ///
    /// A packet that cannot be decoded costs that packet and leaves a ``Diagnostic``.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/limit`` if memory runs out.
    package func decode(_ packet: Packet) throws(UndertextError) -> [DecodedSubtitle] {
        guard !packet.data.isEmpty else { return [] }
        try self.packet.fill(prepared(packet), library)
        var event: [DecodedSubtitle] = []
        let code = step(packet.start, packet.position, into: &event)
        if code < 0, code != cffmpeg_averror(EAGAIN) {
            note(
                .error, "undecodable-packet",
                FFmpegLog.takeLastMessage()
                    ?? "the decoder refused a packet: \(FFmpegFailure(value: code).text(library))",
                packet.start, packet.position)
        }
        return event
    }

    /// The events that the decoder held back, at the end of the input.
    package func flush() -> [DecodedSubtitle] {
        var events: [DecodedSubtitle] = []
        for _ in 0..<Self.maximalRest {
            // An empty packet; codecs that hold nothing back answer with nothing.
            packet.clear()
            let before = events.count
            guard step(nil, nil, into: &events) >= 0, events.count > before else { break }
        }
        return events
    }

    /// Discards the state from earlier packets; call it after a seek.
    ///
    /// This reopens the decoder, because most subtitle decoders keep their objects when flushed.
    ///
    /// - Throws: ``UndertextError`` as ``init(_:limits:options:diagnostics:)`` does.
    package func reset() throws(UndertextError) {
        context = try Self.open(stream, codecName, options, library)
    }

    /// One call of the decoder; appends what it returned and gives its code.
    private func step(
        _ time: Timestamp?, _ position: UInt64?, into events: inout [DecodedSubtitle]
    ) -> Int32 {
        subtitle.clear()
        var got: Int32 = 0
        let code = unsafe cffmpeg_decode_subtitle(
            library.functions, context.pointer, subtitle.pointer, &got, packet.pointer)
        guard code >= 0, got != 0 else { return code }
        var conversion = SubtitleConversion(limits: limits)
        let event = conversion.value(of: subtitle, canvas: canvas)
        for (severity, code, message) in conversion.problems {
            note(severity, code, message, time, position)
        }
        // A subtitle whose images were all rejected must not clear the screen.
        let hadRects = unsafe subtitle.pointer.pointee.num_rects > 0
        if !event.isEmpty || !hadRects { events.append(event) }
        subtitle.clear()
        return code
    }

    /// The canvas of the decoder, or otherwise of the stream.
    private var canvas: PixelSize? {
        let width = unsafe Int(context.pointer.pointee.width)
        let height = unsafe Int(context.pointer.pointee.height)
        guard width > 0, height > 0 else { return stream.size }
        return PixelSize(width: width, height: height)
    }

    /// The packet in the form that libavcodec expects: DVB without the PES wrapping that only a parser removes.
    private func prepared(_ packet: Packet) -> Packet {
        // EN 300 743, section 7.1: data_identifier 0x20, subtitle_stream_id 0x00, segments, 0xFF.
        guard stream.codec == .dvb, packet.data.count > 3, packet.data[0] == 0x20,
            packet.data[1] == 0x00, packet.data[2] == 0x0F
        else { return packet }
        var inner = packet
        inner.data.removeFirst(2)
        if inner.data.last == 0xFF { inner.data.removeLast() }
        return inner
    }

    private func note(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ time: Timestamp?,
        _ position: UInt64?
    ) {
        diagnostics.report(
            severity, code, message, streamIndex: stream.index, time: time,
            byteOffset: position)
    }
}
