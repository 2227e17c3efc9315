internal import UndertextFFmpeg
internal import UndertextFormats

/// Chooses the decoder of a track: ours where we have one, else libavcodec's.
enum DecoderFactory {
    /// Codecs whose packets neither we nor libavcodec turn into cues, with what to tell the user.
    private static let withoutDecoder: [CodecID: String] = [
        .cea608: "closed captions (CEA-608) cannot be decoded yet",
        .teletext: "teletext cannot be decoded yet",
        .hdmvText: "Blu-ray text subtitles cannot be decoded",
        .kate: "Kate cannot be decoded",
    ]

    /// Why the track cannot be decoded, told from its codec alone; `nil` if a decoder should exist.
    static func refusal(for stream: StreamDescription) -> String? {
        if let reason = withoutDecoder[stream.codec] { return reason }
        if stream.codec == .unknown { return "the codec is not known" }
        return nil
    }

    /// A fresh decoder, or the reason why there is none.
    static func decoder(
        for stream: StreamDescription, limits: Limits, colorMatrix: ColorMatrix? = nil,
        budget: PixelBudget
    ) -> Result<any SubtitleDecoder, UndertextError> {
        if let reason = refusal(for: stream) {
            return .failure(UndertextError(.unsupported, reason, streamIndex: stream.index))
        }
        if stream.codec == .ttml {
            return .success(
                TTMLDecoder(stream: stream, limits: limits) { png, x, y in
                    PNGImage.ttml(png, x: x, y: y, limits: limits, budget: budget)
                })
        }
        if let decoder = makeTextDecoder(for: stream) { return .success(decoder) }
        if stream.codec == .bdn {
            return .success(ImageFolderDecoder(stream: stream, limits: limits, budget: budget))
        }
        let bitmaps = BitmapDecodingOptions(
            colorMatrix: colorMatrix, limits: limits, budget: budget)
        if let decoder = makeBitmapDecoder(for: stream, options: bitmaps) {
            return .success(decoder)
        }
        do throws(UndertextError) {
            return .success(try FFmpegBackedDecoder(stream: stream, limits: limits, budget: budget))
        } catch {
            return .failure(error)
        }
    }
}
