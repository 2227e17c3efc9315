internal import UndertextCore

/// The pages that a track shows, and those that it only uses.
///
/// A stream may carry several pages: each service has its composition page, and services share an
/// ancillary page (EN 300 743, section 8.2; EN 300 468, section 6.2.41).
struct DVBPages: Hashable, Sendable {
    /// A service as the stream's header states it.
    struct Service: Hashable, Sendable {
        var composition: UInt16
        var ancillary: UInt16
    }

    /// The roles of the pages of a stream for a track.
    enum Part: Hashable, Sendable {
        /// The page that is shown.
        case own
        /// Data that the page shown may use.
        case shared
        /// Another service's.
        case foreign
    }

    private static let patience = 3

    /// The services that the header states, in its order.
    let services: [Service]
    /// The page that is shown; `nil` until a composition states it, if no header does.
    private(set) var composition: UInt16?
    private var hasSeenComposition = false
    /// The number of compositions of undeclared pages before the first of a declared one.
    private var strangers = 0
    /// The undeclared pages with compositions.
    private var others: Set<UInt16> = []

    /// The pages of a codec's header: composition, ancillary page and type for each service, as
    /// descriptor and Matroska have them; the type may lack.
    init(_ codecPrivate: [UInt8]) {
        let typeSize = codecPrivate.count % 5 == 0 ? 1 : 0
        var reader = ByteReader(codecPrivate)
        var services: [Service] = []
        while let composition = reader.uint16(), let ancillary = reader.uint16(),
            reader.skip(typeSize)
        {
            services.append(Service(composition: composition, ancillary: ancillary))
        }
        self.services = services
        composition = services.first?.composition
    }

    /// The role of a segment of `page`.
    ///
    /// Without a header the first page is shown that composes. A header whose page does not come
    /// while another one composes again and again is not believed.
    mutating func part(of page: UInt16, isComposition: Bool) -> Part {
        if isComposition, page != composition, !hasSeenComposition,
            !services.contains(where: { $0.composition == page })
        {
            strangers += 1
            if composition == nil || strangers > Self.patience { composition = page }
        }
        if page == composition {
            hasSeenComposition = hasSeenComposition || isComposition
            return .own
        }
        if isComposition {
            others.insert(page)
            return .foreign
        }
        guard let service = services.first, service.composition == composition else {
            // Without a header: all pages that have no composition.
            return others.contains(page) ? .foreign : .shared
        }
        return page == service.ancillary ? .shared : .foreign
    }

    /// Discards the state of packets.
    mutating func reset() {
        composition = services.first?.composition
        hasSeenComposition = false
        strangers = 0
        others = []
    }
}
