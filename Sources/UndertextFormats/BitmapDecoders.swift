public import UndertextCore

/// The decoder of ours for a bitmap stream; `nil` if we have none for its codec.
public func makeBitmapDecoder(
    for stream: StreamDescription, options: BitmapDecodingOptions
) -> (any SubtitleDecoder)? {
    switch stream.codec {
    case .pgs: PGSDecoder(stream: stream, options: options)
    case .dvb: DVBDecoder(stream: stream, options: options)
    case .xsub: XSUBDecoder(stream: stream, options: options)
    case .dvd: DVDDecoder(stream: stream, options: options)
    default: nil
    }
}
