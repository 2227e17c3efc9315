/// Lists the pages of subtitles in packets, for streams whose descriptor lists none.
///
/// EN 300 706, section 9.3.1.3: pages of subtitles have the control bit C6.
package struct TeletextSubtitlePages {
    /// The pages in the order of their first headers.
    package private(set) var pages: [TeletextPageAddress] = []

    /// No pages.
    package init() {}

    /// Looks at the payload of a PES packet.
    package mutating func add(_ data: [UInt8]) {
        for line in TeletextDataUnits(data).lines { add(line) }
    }

    mutating func add(_ line: TeletextLine) {
        guard line.row == 0 else { return }
        let header = TeletextHeader(line)
        guard let page = header.page, header.isSubtitle, !header.isDamaged,
            page.number != TeletextPageAddress.fillingNumber, !pages.contains(page)
        else { return }
        pages.append(page)
    }
}
