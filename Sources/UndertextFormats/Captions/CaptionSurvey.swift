package import UndertextCore

/// Finds out which services captions have: those in video, in caption tracks and in files.
package struct CaptionSurvey {
    /// The services so far that are addressed by a code or have characters.
    package private(set) var services: Set<CaptionService> = []
    /// The services so far that have characters.
    private var shown: Set<CaptionService> = []
    /// The description of the program in field 2, which may be incomplete.
    package private(set) var extendedData = CEA608ExtendedData()

    private var owners = [CEA608PairOwner(field: 0), CEA608PairOwner(field: 1)]
    private var assembler = DTVCCAssembler()

    package init() {}

    /// Takes the next packet of `cc_data` triplets in the order of times; pairs with wrong parity are ignored.
    package mutating func add(_ packet: Packet) { add(packet.data, checksParity: true) }

    /// Takes triplets of `cc_data`; files often lack the parity of line 21.
    mutating func add(_ triplets: [UInt8], checksParity: Bool) {
        for triplet in CaptionTriplet.all(in: triplets) {
            if triplet.type >= 2 {
                for packet in assembler.add(triplet) { add(packet) }
            } else if triplet.isValid {
                let pair = [triplet.first, triplet.second]
                if !checksParity || pair.allSatisfy({ $0.nonzeroBitCount % 2 == 1 }) {
                    addPair(triplet.first, triplet.second, field: Int(triplet.type))
                } else if triplet.type == 1, owners[1].isInExtendedData {
                    extendedData.drop()
                }
            }
        }
    }

    /// Takes the packet of DTVCC that has begun, after the last triplet.
    mutating func finish() {
        if let last = assembler.finish() { add(last) }
    }

    /// Takes a pair of line 21, whatever its parity.
    mutating func addPair(_ first: UInt8, _ second: UInt8, field: Int) {
        let (one, two) = (first & 0x7F, second & 0x7F)
        let owner = owners[field].take(one, two)
        if field == 1 {
            if 0x01...0x0F ~= one {
                _ = extendedData.begin(one, two)
            } else if one >= 0x20, owners[1].isInExtendedData {
                extendedData.append(one, two)
            }
        }
        guard let owner, one >= 0x10 else { return }
        let code = one < 0x20 ? CEA608Code(one & 0xF7, two) : nil
        let service = CaptionService(owner.service)
        if owner.isCertain, one >= 0x20 || code != nil { services.insert(service) }
        let hasCharacter =
            switch code {
            case .special(let character): character != nil
            case .extended: true
            default: one >= 0x20 && max(one, two) > 0x20
            }
        if hasCharacter { shown.insert(service) }
    }

    private mutating func add(_ packet: DTVCCPacket) {
        for block in packet.blocks.all {
            guard let service = CEA708Service(block.service).map({ CaptionService($0) }) else {
                continue
            }
            if packet.isComplete { services.insert(service) }
            if !shown.contains(service), Self.hasCharacter(block.data) { shown.insert(service) }
        }
    }

    private static func hasCharacter(_ data: ArraySlice<UInt8>) -> Bool {
        var rest = data
        while let (code, length) = CEA708Code.first(of: rest) {
            if case .character(let character?) = code, character != " " { return true }
            rest = rest.dropFirst(length)
        }
        return false
    }

    /// A track for each service that has characters, for CC1 if none has; their languages by the names of services.
    func streams(_ languages: [String: LanguageTag] = [:]) -> [StreamDescription] {
        let found = shown.isEmpty ? [CaptionService(.cc1)] : shown
        return found.sorted { $0.position < $1.position }.enumerated().map { index, service in
            service.stream(index: index, language: languages[service.name])
        }
    }
}
