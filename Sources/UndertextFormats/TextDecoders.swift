public import UndertextCore

/// The decoder of ours for a text stream; `nil` if we have none for its codec.
public func makeTextDecoder(for stream: StreamDescription) -> (any SubtitleDecoder)? {
    switch stream.codec {
    case .subRip: SubRipDecoder(stream: stream)
    case .ass, .ssa: ASSDecoder(stream: stream)
    case .webVTT: WebVTTDecoder(stream: stream)
    case .movText: TX3GDecoder(stream: stream)
    case .ttml: TTMLDecoder(stream: stream)
    case .sami: SAMIDecoder(stream: stream)
    case .usf: USFDecoder(stream: stream)
    case .text: PlainTextDecoder(stream: stream)
    case .mpl2: PlainTextDecoder(stream: stream, parse: MPL2Text.parse)
    case .subViewer: PlainTextDecoder(stream: stream, parse: SubViewerText.parse)
    case .microDVD:
        PlainTextDecoder(
            stream: stream, parse: MicroDVDText(defaultCodes: stream.codecPrivate).parse)
    default: nil
    }
}
