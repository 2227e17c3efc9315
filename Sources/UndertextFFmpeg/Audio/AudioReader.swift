internal import CFFmpeg
package import UndertextCore

/// Decodes an audio stream into one channel, from the beginning to the end.
///
/// Of several channels the front center, which carries the dialogue, counts most. Packets that cannot be decoded are
/// skipped and counted. Use it on one thread at a time.
package final class AudioReader {
    /// Decoded samples of one channel, from -1 to 1 if the audio is not louder than full scale.
    package struct Block: Sendable {
        /// The time of the first sample on the timeline of the file; `nil` if unknown.
        package var time: Timestamp?
        /// Samples per second.
        package var rate: Int
        package var samples: [Float]
    }

    /// The stream.
    package let stream: StreamDescription
    /// The number of packets that could not be decoded.
    package var damagedPackets: Int { decoder.damagedPackets }

    private let decoder: FrameDecoder
    private let frame: FrameBuffer
    private var decodedSamples = 0

    /// The largest number of samples of a frame, in each channel; frames of usual codecs have at most 65,536.
    private static let samplesOfFrame = 1 << 21
    /// The largest number of samples of all channels: 16 hours of 8 channels at 144 kHz.
    private static let samplesAtMost = 1 << 36

    /// Opens the decoder of a stream.
    ///
    /// - Parameters:
    ///   - demuxer: The file, at its beginning, with a complete description of its streams.
    ///   - index: The index of the stream.
    ///   - cancellation: Cancels reading.
    /// - Throws: `UndertextError` with code `not-found` if there is no such audio; `unsupported` or `malformed` if it cannot
    ///   be decoded.
    package init(
        _ demuxer: FFmpegDemuxer, stream index: Int, cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        guard
            let stream = demuxer.description.streams.first(where: {
                $0.index == index && $0.kind == .audio
            }), let context = unsafe demuxer.context.pointer,
            index >= 0, unsafe index < Int(context.pointee.nb_streams),
            let raw = unsafe context.pointee.streams?[index],
            let parameters = unsafe raw.pointee.codecpar
        else { throw UndertextError(.notFound, "the input has no such audio", streamIndex: index) }
        self.stream = stream
        let library = try FFmpegLibrary.load()
        decoder = try FrameDecoder(
            unsafe try CodecContext.open(
                audio: parameters, timeBase: raw.pointee.time_base,
                mostSamples: Self.samplesOfFrame, library),
            of: demuxer, cancellation: cancellation, library)
        frame = try FrameBuffer.make(library)
        demuxer.select([index])
    }

    /// The next samples, or `nil` at the end.
    ///
    /// - Throws: `UndertextError`: reading failed, was cancelled, or the limit for decoding was reached.
    package func next() throws(UndertextError) -> Block? {
        while try decoder.next(into: frame) {
            if let block = try block() { return block }
        }
        return nil
    }

    /// The frame as one channel; `nil` if it has no samples.
    private func block() throws(UndertextError) -> Block? {
        let count = unsafe Int(frame.pointer.pointee.nb_samples)
        let channels = unsafe Int(cffmpeg_frame_channels(frame.pointer))
        let rate = unsafe Int(frame.pointer.pointee.sample_rate)
        guard count > 0, count <= Self.samplesOfFrame, channels > 0, rate > 0 else { return nil }
        decodedSamples += count * min(channels, 1024)
        guard decodedSamples <= Self.samplesAtMost else {
            throw UndertextError(
                .limit, "the audio is too long: it has more than \(Self.samplesAtMost) samples",
                streamIndex: stream.index)
        }
        let center = unsafe Int(cffmpeg_frame_center(frame.pointer))
        guard
            let samples = unsafe AudioMix(channels: channels, center: center).mixed(
                frame.pointer, count)
        else {
            throw UndertextError(
                .unsupported, "the sample format of the audio is not known",
                streamIndex: stream.index)
        }
        return Block(
            time: frame.time(in: stream.timeBase), rate: rate, samples: samples)
    }
}
