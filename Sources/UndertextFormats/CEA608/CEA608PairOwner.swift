/// Follows which service the pairs of a field belong to.
struct CEA608PairOwner {
    private let field: Int
    private var channel: Int?
    /// `true` if the characters of a data channel are text; `nil` before the first code that says so.
    private var isText: [Bool?] = [nil, nil]
    /// `true` while characters of field 2 are those of extended data.
    private(set) var isInExtendedData = false

    /// An owner of the pairs of a field, 0 or 1.
    init(field: Int) { self.field = field }

    /// Takes a pair without parity bits.
    ///
    /// - Returns: The service, or `nil` for extended data and before the first code. It is certain after a code that begins
    ///   captions or text; before that it is taken for captions.
    mutating func take(
        _ first: UInt8, _ second: UInt8
    ) -> (service: CEA608Service, isCertain: Bool)? {
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
                return (CEA608Service(field: field, channel: channel, isText: false), true)
            default: break
            }
        default: break
        }
        guard let channel, !isInExtendedData else { return nil }
        let isText = isText[channel]
        return (
            CEA608Service(field: field, channel: channel, isText: isText ?? false), isText != nil
        )
    }
}
