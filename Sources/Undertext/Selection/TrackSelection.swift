public import UndertextCore
internal import UndertextFormats

/// A selection of subtitle tracks, such as `en+text,fr+forced`.
///
/// `,` is or, `+` is and. A term is a stream index, a language, one of the words
/// `text bitmap forced sdh cc teletext all` or a service: `cc1` to `cc4`, `service1` to `service63`, `page100` to
/// `page899`. Words win over language codes.
public struct TrackSelection: Hashable, Sendable {
    /// One condition on a track.
    package enum Term: Hashable, Sendable {
        /// Every subtitle track.
        case all
        /// The stream of that index.
        case index(Int)
        /// A language; a broader one takes narrower ones.
        case language(LanguageTag)
        /// Tracks whose language is not known: `und`.
        case undetermined
        /// Text tracks.
        case text
        /// Bitmap tracks.
        case bitmap
        /// Tracks flagged as forced.
        case forced
        /// Tracks flagged as for the hard of hearing.
        case hearingImpaired
        /// Closed captions: CEA-608 and CEA-708.
        case closedCaptions
        /// DVB teletext.
        case teletext
        /// The service of that name: `CC1` to `CC4`, `T1` to `T4`, `SERVICE1` to `SERVICE63`, `page100` to `page899`.
        case service(String)
    }

    /// Alternatives, each a list of terms that must all hold.
    package let alternatives: [[Term]]

    /// Every subtitle track.
    public static let all = TrackSelection(alternatives: [[.all]])

    /// The tracks of a language; a broader one takes narrower ones, `en` also `en-US`.
    public static func language(_ language: LanguageTag) -> TrackSelection {
        TrackSelection(alternatives: [[.language(language)]])
    }

    /// The track of a stream, by its index.
    public static func stream(_ index: Int) -> TrackSelection {
        TrackSelection(alternatives: [[.index(index)]])
    }

    /// Creates a selection of alternatives, each a list of terms that must all hold.
    package init(alternatives: [[Term]]) {
        self.alternatives = alternatives
    }

    /// Reads a selection.
    ///
    /// - Throws: `UndertextError` with code `invalid-value`.
    public init(parsing text: String) throws(UndertextError) {
        var alternatives: [[Term]] = []
        for alternative in text.split(separator: ",", omittingEmptySubsequences: false) {
            var terms: [Term] = []
            for word in alternative.split(separator: "+", omittingEmptySubsequences: false) {
                terms.append(try Self.term(String(word)))
            }
            alternatives.append(terms)
        }
        self.alternatives = alternatives
    }

    private static func term(_ word: String) throws(UndertextError) -> Term {
        switch word.lowercased() {
        case "all": return .all
        case "text": return .text
        case "bitmap": return .bitmap
        case "forced": return .forced
        case "sdh": return .hearingImpaired
        case "cc": return .closedCaptions
        case "teletext": return .teletext
        case "und": return .undetermined
        default: break
        }
        if let service = CaptionService(name: word) { return .service(service.name) }
        if !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard let index = Int(word) else { throw unreadable(word) }
            return .index(index)
        }
        // No language has a code of more than three letters: such a term is a mistyped word.
        guard let language = LanguageTag(word),
            language.rawValue.prefix(while: { $0 != "-" }).count <= 3
        else { throw unreadable(word) }
        return .language(language)
    }

    private static let words = [
        "text", "bitmap", "forced", "sdh", "cc", "cc1", "service1", "teletext", "page100", "all",
    ]

    private static func unreadable(_ term: String) -> UndertextError {
        guard !term.isEmpty else {
            return UndertextError(
                .invalidValue, "an empty term; use for example 'en+text,fr+forced'")
        }
        let guess = nearestName(to: term, among: words).map { "; did you mean '\($0)'?" } ?? ""
        return UndertextError(
            .invalidValue,
            "'\(term)' is not a stream index, a language (BCP 47) or one of "
                + words.joined(separator: ", ") + guess)
    }

    /// `true` if `stream` is taken.
    ///
    /// Only subtitle streams ever are.
    package func takes(_ stream: StreamDescription) -> Bool {
        stream.kind.isSubtitle
            && alternatives.contains { terms in terms.allSatisfy { $0.holds(for: stream) } }
    }

    /// `true` if `stream` is audio that the terms, such as an index or a language, hold for.
    package func takesAudio(_ stream: StreamDescription) -> Bool {
        stream.kind == .audio
            && alternatives.contains { terms in terms.allSatisfy { $0.holds(for: stream) } }
    }

    /// Returns `true` if `stream` may match once its subtitle kind is known.
    package func mayTake(_ stream: StreamDescription) -> Bool {
        stream.kind.isSubtitle
            && alternatives.contains { terms in
                terms.allSatisfy { $0 == .text || $0 == .bitmap || $0.holds(for: stream) }
            }
    }

    /// Returns `true` if the selection contains the index of `stream` or a word for its kind.
    ///
    /// Such a track is written even if the only requested format is for tracks of another kind.
    func singlesOut(_ stream: StreamDescription) -> Bool {
        stream.kind.isSubtitle
            && alternatives.contains { terms in
                terms.contains(where: \.isIndexOrKind) && terms.allSatisfy { $0.holds(for: stream) }
            }
    }

    /// Returns `true` if `stream` matches a more specific term than `all`.
    ///
    /// A requested track without a decoder is a failure; otherwise it is only reported.
    package func names(_ stream: StreamDescription) -> Bool {
        stream.kind.isSubtitle
            && alternatives.contains { terms in
                terms != [.all] && terms.allSatisfy { $0.holds(for: stream) }
            }
    }
}

extension TrackSelection {
    /// The services that are named.
    var services: [CaptionService] {
        alternatives.joined().compactMap { term in
            guard case .service(let name) = term else { return nil }
            return CaptionService(name: name)
        }
    }

    /// `true` if the selection contains a service's name, its index or the word for its kind.
    func namesService(_ stream: StreamDescription) -> Bool {
        stream.kind.isSubtitle
            && alternatives.contains { terms in
                terms.allSatisfy { $0.holds(for: stream) }
                    && terms.contains { term in
                        switch term {
                        case .index, .closedCaptions, .service: true
                        default: false
                        }
                    }
            }
    }

    /// `true` if captions are named without their service: `cc`.
    var namesAnyCaptions: Bool {
        alternatives.joined().contains { if case .closedCaptions = $0 { true } else { false } }
    }

    /// `true` if captions within video are named, where streams of the container have indices below `count`.
    func namesCaptions(besides count: Int) -> Bool {
        alternatives.joined().contains { term in
            switch term {
            case .closedCaptions, .service: true
            case .index(let index): index >= count
            default: false
            }
        }
    }
}

extension TrackSelection.Term {
    fileprivate var isIndexOrKind: Bool {
        switch self {
        case .index, .text, .bitmap, .closedCaptions, .teletext, .service: true
        case .all, .language, .undetermined, .forced, .hearingImpaired: false
        }
    }

    /// `true` if `stream` meets the condition.
    fileprivate func holds(for stream: StreamDescription) -> Bool {
        switch self {
        case .all: true
        case .index(let index): stream.index == index
        case .language(let language): stream.language.map(language.covers) ?? false
        case .undetermined: stream.language == nil
        case .text: stream.kind == .text
        case .bitmap: stream.kind == .bitmap
        case .forced: stream.isForced
        case .hearingImpaired: stream.isHearingImpaired
        case .closedCaptions: stream.codec == .cea608 || stream.codec == .cea708
        case .teletext: stream.codec == .teletext
        // A track that is not of several services has the first one.
        case .service(let name):
            stream.service.map { $0 == name }
                ?? (stream.codec == .cea608 && name == "CC1"
                    || stream.codec == .cea708 && name == "SERVICE1")
        }
    }
}
