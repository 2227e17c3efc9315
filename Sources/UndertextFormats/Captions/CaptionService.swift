package import UndertextCore

/// A service that a stream carries together with others: captions within video, or a page of teletext.
package struct CaptionService: Hashable, Sendable {
    /// The name: `CC1` to `CC4`, `T1` to `T4`, `SERVICE1` to `SERVICE63`, `page100` to `page899`.
    package let name: String
    /// The codec of its packets.
    package let codec: CodecID
    /// The position among the services that a stream of that kind may carry: from 0, below ``positions``.
    package let position: Int

    /// The positions that are kept for the services of one stream.
    package static let positions = 8 << 8

    /// The service of that name, in upper or lower case; `nil` if none has it.
    package init?(name: String) {
        let word = name.uppercased()
        if let service = CEA608Service(name: word) {
            self.init(service)
        } else if let service = CEA708Service(name: word) {
            self.init(service)
        } else if let page = TeletextPageAddress(service: name.lowercased()) {
            self.init(page)
        } else {
            return nil
        }
    }

    private init(name: String, codec: CodecID, position: Int) {
        (self.name, self.codec, self.position) = (name, codec, position)
    }

    /// A service of line 21.
    init(_ service: CEA608Service) {
        self.init(
            name: service.name, codec: .cea608,
            position: service.number - 1 + (service.isText ? 4 : 0))
    }

    /// A service of CEA-708.
    init(_ service: CEA708Service) {
        self.init(name: service.name, codec: .cea708, position: 7 + service.number)
    }

    /// A page of teletext.
    package init(_ page: TeletextPageAddress) {
        self.init(
            name: page.service, codec: .teletext,
            position: (page.magazine - 1) << 8 | Int(page.number))
    }

    /// `true` if it is text, which viewers do not see as captions.
    package var isText: Bool { name.hasPrefix("T") }
    /// `true` if video carries it.
    package var isInVideo: Bool { codec != .teletext }

    /// The flags of its track.
    ///
    /// Captions are for the hard of hearing (47 CFR 79.1), whatever carries them.
    package var disposition: Disposition { isInVideo ? [.captions, .hearingImpaired] : [] }

    /// A track of the service.
    ///
    /// - Parameters:
    ///   - index: The index of the track.
    ///   - language: Its language, if known.
    /// - Returns: The description.
    package func stream(index: Int, language: LanguageTag? = nil) -> StreamDescription {
        var stream = StreamDescription(
            index: index, kind: .text, codec: codec, language: language, disposition: disposition)
        stream.service = name
        return stream
    }

    /// The track of the service within a stream that carries it.
    ///
    /// - Parameters:
    ///   - carrier: The stream that carries it.
    ///   - index: The index of the track.
    /// - Returns: The description, without a language.
    package func stream(in carrier: StreamDescription, index: Int) -> StreamDescription {
        var stream = stream(index: index)
        stream.timeBase = carrier.timeBase
        if !isInVideo { stream.codecPrivate = carrier.codecPrivate }
        stream.carrier = carrier.index
        return stream
    }
}
