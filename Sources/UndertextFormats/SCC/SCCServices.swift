/// Follows which service the pairs of a field belong to.
struct CEA608PairOwner {
    private let field: Int
    private var channel: Int?
    private var isText = [false, false]
    private var isInExtendedData = false

    /// An owner of the pairs of a field, 0 or 1.
    init(field: Int) { self.field = field }

    /// Takes a pair without parity bits.
    ///
    /// - Returns: The service, or `nil` for extended data and before the first code.
    mutating func take(_ first: UInt8, _ second: UInt8) -> CEA608Service? {
        switch first {
        // Extended data services are in field 2 only; 0x0F ends a packet.
        case 0x01...0x0F: isInExtendedData = field == 1 && first != 0x0F
        case 0x10...0x1F:
            isInExtendedData = false
            let channel = Int(first >> 3) & 1
            self.channel = channel
            guard case .command(let command) = CEA608Code(first & 0xF7, second) else { break }
            switch command {
            case .textRestart, .resumeTextDisplay: isText[channel] = true
            case .resumeCaptionLoading, .resumeDirectCaptioning, .rollUp2, .rollUp3, .rollUp4,
                .endOfCaption:
                isText[channel] = false
            // They erase captions even within text.
            case .eraseDisplayedMemory, .eraseNonDisplayedMemory:
                return CEA608Service(field: field, channel: channel, isText: false)
            default: break
            }
        default: break
        }
        guard let channel, !isInExtendedData else { return nil }
        return CEA608Service(field: field, channel: channel, isText: isText[channel])
    }
}

/// The services that data has characters of.
struct SCCServices {
    /// The services, captions first; the first one if there is none.
    let found: [CEA608Service]

    /// Looks for characters in the pairs of lines.
    init(_ lines: [(field: UInt8, pairs: [UInt8])]) {
        var owners = [CEA608PairOwner(field: 0), CEA608PairOwner(field: 1)]
        var services: Set<CEA608Service> = []
        for line in lines {
            for pair in stride(from: 0, to: line.pairs.count, by: 2) {
                let (first, second) = (line.pairs[pair] & 0x7F, line.pairs[pair + 1] & 0x7F)
                let service = owners[Int(line.field & 1)].take(first, second)
                if let service, Self.shows(first, second) { services.insert(service) }
            }
        }
        let all = CEA608Service.allCases.filter(services.contains)
        found = all.isEmpty ? [.cc1] : all
    }

    /// `true` if a pair of a service has a character.
    private static func shows(_ first: UInt8, _ second: UInt8) -> Bool {
        guard 0x10...0x1F ~= first else { return max(first, second) > 0x20 }
        return switch CEA608Code(first & 0xF7, second) {
        case .special(let character): character != nil
        case .extended: true
        default: false
        }
    }
}
