import UndertextCore
import UndertextFormats

/// A document with the usual prefixes.
func ttml(
    _ body: String, head: String = "", attributes: String = "", profile: Bool = true
) -> [UInt8] {
    let claim =
        profile ? " ttp:profile=\"http://www.w3.org/ns/ttml/profile/imsc1/text\"" : ""
    return Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"
          xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
          xmlns:itts="http://www.w3.org/ns/ttml/profile/imsc1#styling"
          xmlns:smpte="http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt"
          xml:lang="en"\(claim) \(attributes)>
          <head>\(head)</head><body>\(body)</body>
        </tt>
        """.utf8)
}

/// The result of decoding a document.
struct DecodedTTML {
    var cues: [Cue] = []
    var diagnostics: [Diagnostic] = []

    /// The diagnostics' codes.
    var codes: [String] { diagnostics.map(\.code) }
}

/// The cues of documents, each a packet without a length unless one is given.
func decoded(
    _ packets: Packet..., stream: StreamDescription = stream(.ttml), limits: Limits = Limits(),
    clips: Bool = true, images: TTMLDecoder.ImageDecoder? = nil
) -> DecodedTTML {
    var decoder = TTMLDecoder(
        stream: stream, options: DecodingOptions(limits: limits), clips: clips, images: images)
    var result = DecodedTTML()
    for packet in packets {
        result.cues += drafts(decoder.decode(packet)).map { $0.cue() }
        result.diagnostics += decoder.diagnostics.take()
    }
    result.cues += drafts(decoder.finish()).map { $0.cue() }
    return result
}

/// The cues of one document.
func decoded(_ document: [UInt8], limits: Limits = Limits()) -> DecodedTTML {
    decoded(packet(document, pts: 0, duration: nil), limits: limits)
}

/// The style of a text, without a size that is not stated.
func look(_ text: StyledText) -> String {
    var text = text
    for index in text.runs.indices where text.runs[index].style.fontSize == .usual {
        text.runs[index].style.fontSize = nil
    }
    return dump(text)
}

/// The times of a cue in milliseconds, and its text: `1000-2000 a`.
func line(_ cue: Cue) -> String {
    "\(cue.start.roundedMilliseconds)-\(cue.end.roundedMilliseconds) \(cue.plainText ?? "")"
}
