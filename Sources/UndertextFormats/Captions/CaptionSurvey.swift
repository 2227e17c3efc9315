package import UndertextCore

/// Finds out which services the captions of a video carry, from packets of `cc_data` triplets.
package struct CaptionSurvey {
    /// The services so far that are addressed by a code or have characters.
    package private(set) var services: Set<CaptionService> = []
    /// The description of the program in field 2, as far as it has arrived.
    package private(set) var extendedData = CEA608ExtendedData()

    /// Whether characters of a data channel are text, by field and channel; `nil` before its first code.
    private var isText = [Bool?](repeating: nil, count: 4)
    /// The data channel that the characters of each field are for.
    private var channels: [Int?] = [nil, nil]
    /// `true` while characters of field 2 are those of extended data.
    private var isInExtendedData = false
    private var assembler = DTVCCAssembler()

    package init() {}

    /// Takes the next packet in the order of times.
    package mutating func add(_ packet: Packet) {
        for triplet in CaptionTriplet.all(in: packet.data) {
            if triplet.type >= 2 {
                for packet in assembler.add(triplet) where packet.isComplete {
                    for block in packet.blocks.all {
                        if let service = CEA708Service(block.service) {
                            services.insert(CaptionService(service))
                        }
                    }
                }
            } else if triplet.isValid {
                addPair(triplet.first, triplet.second, field: Int(triplet.type))
            }
        }
    }

    // MARK: Line 21

    private mutating func addPair(_ first: UInt8, _ second: UInt8, field: Int) {
        guard first.nonzeroBitCount % 2 == 1, second.nonzeroBitCount % 2 == 1 else {
            if isInExtendedData, field == 1 { extendedData.drop() }
            return
        }
        let (one, two) = (first & 0x7F, second & 0x7F)
        switch one {
        case 0x01...0x0F:
            channels[field] = nil
            if field == 1 { isInExtendedData = extendedData.begin(one, two) }
        case 0x20...0x7F where field == 1 && isInExtendedData: extendedData.append(one, two)
        case 0x10...0x1F:
            if field == 1 { isInExtendedData = false }
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
}
