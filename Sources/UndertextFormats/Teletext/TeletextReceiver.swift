/// The received packets of a page.
struct TeletextPageContent: Hashable {
    var header = TeletextHeader()
    /// Rows 0 to 24: seven bits of each character, ``damaged`` where they are not known; `nil` = not sent.
    var rows = [[UInt8]?](repeating: nil, count: 25)
    /// The triplets of packets X/26 by their designation codes.
    var enhancements = [[UInt32?]?](repeating: nil, count: 16)
    /// Packets X/28.
    var presentation = TeletextPresentation.Packets()

    /// A character with wrong parity.
    static let damaged: UInt8 = 0x80
}

/// Assembles one page from the lines of all pages.
///
/// EN 300 706, section 7.2.1: a page continues until the next header of its magazine, or of any magazine in serial
/// transmission.
struct TeletextReceiver {
    /// The damage since it was last taken.
    struct Damage: Hashable {
        /// Characters with wrong parity that are not known from an earlier transmission.
        var characters = 0
        /// Characters with wrong parity that an earlier transmission had.
        var repaired = 0
        /// Headers and triplets with more than one wrong bit in a byte or triplet.
        var codes = 0
    }

    /// The page; `nil` until the first one with subtitles arrives, where none was named.
    private(set) var address: TeletextPageAddress?
    /// The received rows.
    private(set) var content = TeletextPageContent()
    /// Damage of the page.
    var damage = Damage()

    /// `true` while lines of the page arrive.
    private(set) var isReceiving = false
    /// Packets M/29 of all magazines.
    private var magazines = [TeletextPresentation.Packets](
        repeating: TeletextPresentation.Packets(), count: 8)
    /// The rows of the transmission before this one.
    private var earlierRows = [[UInt8]?](repeating: nil, count: 25)

    init(page: TeletextPageAddress?) { address = page }

    /// The presentation of the page beyond its rows.
    var presentation: TeletextPresentation {
        let magazine = address.map { magazines[$0.magazine - 1] }
        return TeletextPresentation(
            magazine: magazine ?? TeletextPresentation.Packets(), page: content.presentation)
    }

    /// Returns whether a line ends the transmission of the page: ask before the line is taken.
    func isEnded(by line: TeletextLine) -> Bool {
        isReceiving && line.row == 0
            && (line.magazine == address?.magazine || TeletextHeader(line).isSerial)
    }

    /// Takes a line; returns whether it belongs to the page.
    mutating func receive(_ line: TeletextLine) -> Bool {
        switch line.row {
        case 0: return receiveHeader(line)
        case 29:
            magazines[line.magazine - 1].take(line)
            return false
        default:
            guard isReceiving, line.magazine == address?.magazine else { return false }
            return receivePart(line)
        }
    }

    private mutating func receiveHeader(_ line: TeletextLine) -> Bool {
        if isEnded(by: line) { isReceiving = false }
        let header = TeletextHeader(line)
        guard let page = header.page else {
            if address?.magazine ?? line.magazine == line.magazine { damage.codes += 1 }
            return false
        }
        guard page.number != TeletextPageAddress.fillingNumber else { return false }
        if address == nil, header.isSubtitle { address = page }
        guard page == address else { return false }
        if header.isDamaged { damage.codes += 1 }
        begin(header, line)
        return true
    }

    /// Begins a transmission of the page.
    private mutating func begin(_ header: TeletextHeader, _ line: TeletextLine) {
        isReceiving = true
        for (index, row) in content.rows.enumerated() where row != nil { earlierRows[index] = row }
        // Where bits are damaged, those of the transmission before are more likely than zeros.
        let header = header.isDamaged && content.rows[0] != nil ? content.header : header
        if header.erasesPage || header.subcode != content.header.subcode {
            content = TeletextPageContent()
        }
        content.header = header
        content.rows[0] =
            [UInt8](repeating: 0x20, count: 8)
            + line.bytes.dropFirst(8).map {
                TeletextCoding.character($0) ?? TeletextPageContent.damaged
            }
    }

    private mutating func receivePart(_ line: TeletextLine) -> Bool {
        switch line.row {
        case 1...24: takeRow(line)
        case 26:
            guard let code = line.nibble(0) else {
                damage.codes += 1
                return false
            }
            let triplets = line.triplets
            damage.codes += triplets.count { $0 == nil }
            content.enhancements[Int(code)] = triplets
        case 28: content.presentation.take(line)
        default: return false
        }
        return true
    }

    /// Keeps a row; characters that are damaged are those of an earlier transmission, if it has the others, too.
    private mutating func takeRow(_ line: TeletextLine) {
        var row = line.bytes.map { TeletextCoding.character($0) ?? TeletextPageContent.damaged }
        let wrong = row.indices.filter { row[$0] == TeletextPageContent.damaged }
        if !wrong.isEmpty {
            if let earlier = content.rows[line.row] ?? earlierRows[line.row],
                row.indices.allSatisfy({ row[$0] == earlier[$0] || wrong.contains($0) })
            {
                damage.repaired += wrong.count { earlier[$0] != TeletextPageContent.damaged }
                row = earlier
            }
            damage.characters += row.count { $0 == TeletextPageContent.damaged }
        }
        content.rows[line.row] = row
    }
}
