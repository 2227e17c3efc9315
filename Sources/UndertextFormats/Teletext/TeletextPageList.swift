package import UndertextCore

/// The pages of subtitles that the header of a stream lists: those of its teletext_descriptor.
///
/// EN 300 468, section 6.2.43.
package struct TeletextPageList: Hashable, Sendable {
    /// A page of subtitles.
    package struct Entry: Hashable, Sendable {
        /// The address.
        package var page: TeletextPageAddress
        /// The language; `nil` if none is stated.
        package var language: LanguageTag?
        /// `true` if the page is for the hard of hearing.
        package var isHearingImpaired: Bool
    }

    /// The pages, none twice: the first one is the one for most viewers.
    package private(set) var entries: [Entry] = []

    /// Type 2 is subtitles, type 5 those for the hard of hearing.
    private static let (subtitles, hearingImpaired): (UInt8, UInt8) = (2, 5)

    /// Reads the header of a stream and its languages, as libavformat stores them.
    ///
    /// The header has two bytes of each page: teletext_type and teletext_magazine_number, and teletext_page_number.
    package init(_ stream: StreamDescription) {
        let bytes = stream.codecPrivate
        let languages =
            stream.tags.first { $0.key == "language" }?.value
            .split(separator: ",", omittingEmptySubsequences: false) ?? []
        for index in 0..<bytes.count / 2 {
            let (kind, number) = (bytes[index * 2], bytes[index * 2 + 1])
            let page = TeletextPageAddress(magazine: Int(kind & 7), number: number)
            guard [Self.subtitles, Self.hearingImpaired].contains(kind >> 3),
                !entries.contains(where: { $0.page == page })
            else { continue }
            entries.append(
                Entry(
                    page: page,
                    language: languages.indices.contains(index)
                        ? LanguageTag(String(languages[index])) : stream.language,
                    isHearingImpaired: kind >> 3 == Self.hearingImpaired))
        }
        if let first = entries.firstIndex(where: { !$0.isHearingImpaired }), first > 0 {
            entries.insert(entries.remove(at: first), at: 0)
        }
    }
}
