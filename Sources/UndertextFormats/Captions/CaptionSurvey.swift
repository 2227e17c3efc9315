package import UndertextCore

/// Finds out which services the captions of a video carry, from packets of `cc_data` triplets.
package struct CaptionSurvey {
    /// The services so far that are addressed by a code or have characters.
    package private(set) var services: Set<CaptionService> = []

    /// Whether characters of a data channel are text, by field and channel; `nil` before its first code.
    private var isText = [Bool?](repeating: nil, count: 4)
    /// The data channel that the characters of each field are for.
    private var channels: [Int?] = [nil, nil]
    /// The bytes of the DTVCC packet that has begun.
    private var digital: [UInt8] = []

    package init() {}

    /// Takes the next packet in the order of times.
    package mutating func add(_ packet: Packet) {
        for triplet in CaptionTriplet.all(in: packet.data) where triplet.isValid {
            switch triplet.type {
            case 0, 1: addPair(triplet.first, triplet.second, field: Int(triplet.type))
            case 3:
                digital = [triplet.first, triplet.second]
                addDigital()
            default:
                guard !digital.isEmpty else { continue }
                digital += [triplet.first, triplet.second]
                addDigital()
            }
        }
    }

    // MARK: Line 21

    private mutating func addPair(_ first: UInt8, _ second: UInt8, field: Int) {
        guard first.nonzeroBitCount % 2 == 1, second.nonzeroBitCount % 2 == 1 else { return }
        let (one, two) = (first & 0x7F, second & 0x7F)
        switch one {
        case 0x01...0x0F: channels[field] = nil
        case 0x10...0x1F:
            guard let code = CEA608Code(one & 0xF7, two) else { return }
            let channel = Int(one >> 3) & 1
            channels[field] = channel
            addCode(code, place: field * 2 + channel)
        case 0x20...0x7F:
            if let channel = channels[field] { note(place: field * 2 + channel) }
        default: return
        }
    }

    private mutating func addCode(_ code: CEA608Code, place: Int) {
        guard case .command(let command) = code else { return note(place: place) }
        switch command {
        case .resumeCaptionLoading, .rollUp2, .rollUp3, .rollUp4, .resumeDirectCaptioning,
            .endOfCaption:
            isText[place] = false
        case .textRestart, .resumeTextDisplay: isText[place] = true
        // They erase captions whatever characters are for.
        case .eraseDisplayedMemory, .eraseNonDisplayedMemory:
            return note(place: place, isText: false)
        default: break
        }
        note(place: place)
    }

    private mutating func note(place: Int) {
        if let isText = isText[place] { note(place: place, isText: isText) }
    }

    private mutating func note(place: Int, isText: Bool) {
        services.insert(
            CaptionService(CEA608Service(field: place / 2, channel: place % 2, isText: isText)))
    }

    // MARK: DTVCC

    /// Looks at the headers of the service blocks once the packet is complete (CTA-708-E, sections 5 and 6).
    private mutating func addDigital() {
        let code = Int(digital[0] & 0x3F)
        let count = code == 0 ? 128 : code * 2
        guard digital.count >= count else { return }
        var reader = ByteReader(digital[1..<count])
        digital = []
        while let header = reader.uint8(), header != 0 {
            var number = Int(header >> 5)
            let size = Int(header & 0x1F)
            if number == 7, size > 0 {
                guard let extended = reader.uint8() else { return }
                number = Int(extended & 0x3F)
            }
            guard reader.skip(size) else { return }
            if number > 0, size > 0 { services.insert(CaptionService(digital: number)) }
        }
    }
}
