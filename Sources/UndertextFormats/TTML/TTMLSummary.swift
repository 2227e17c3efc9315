package import UndertextCore

/// The properties of a document that are known without creating cues.
package struct TTMLSummary: Hashable, Sendable {
    /// `true` if paragraphs have text.
    package var hasText: Bool
    /// `true` if it shows images.
    package var hasImages: Bool
    /// `xml:lang` of the document.
    package var language: LanguageTag?
    /// `ttm:title`; empty if there is none.
    package var title: String
    /// `tts:extent` of the document in pixels.
    package var size: PixelSize?
    /// The files beside the document that it shows: plain names only.
    package var imageFiles: [String]

    /// Reads a document; `nil` for what is no TTML.
    package init?(_ document: [UInt8], limits: Limits = Limits()) {
        var notes = TTMLNotes()
        // Most documents have no images: then the head and a word of the text are enough.
        guard
            let tree = TTMLTree.reading(
                document, limits: limits, untilWords: !Self.namesImages(document), notes: &notes)
        else { return nil }
        language = tree.document.language.flatMap { LanguageTag($0) }
        title = tree.title
        size = tree.parameters.root.size
        var survey = Survey()
        if let body = tree.body { survey.visit(body) }
        hasText = survey.hasText
        hasImages = !survey.addresses.isEmpty
        imageFiles = survey.addresses.filter {
            TTMLImageSource.isFile($0) && TTMLImageSource.isPlain($0)
        }
    }

    /// `true` if it contains `image` or `backgroundImage`.
    private static func namesImages(_ document: [UInt8]) -> Bool {
        var rest = document[...]
        while let place = rest.firstIndex(of: 0x6D) {
            rest = rest[(place + 1)...]
            if rest.hasPrefix("age"), place > document.startIndex,
                document[place - 1] | 0x20 == 0x69
            {
                return true
            }
        }
        return false
    }

    private struct Survey {
        var hasText = false
        var addresses: [String] = []
        private var known: Set<String> = []

        mutating func visit(_ element: TTMLElement) {
            for case .image(let address) in element.style.settings { add(address) }
            if element.kind == .image { add(TTMLImage.address(of: element)) }
            if !hasText, element.kind == .paragraph || element.kind == .span {
                hasText = element.text.utf8.contains { !$0.isSpace }
            }
            for child in element.children { visit(child) }
        }

        private mutating func add(_ address: String) {
            if known.insert(address).inserted { addresses.append(address) }
        }
    }
}

/// `image` elements: TTML2, section 9.1.5.
enum TTMLImage {
    /// The address of what it shows: its `src`, or that of a source within, or the name of data within.
    static func address(of element: TTMLElement) -> String {
        if !element.notes.isEmpty { return element.notes }
        for child in element.children {
            switch child.kind {
            case .data: return "#" + child.id
            case .holder:
                let inner = address(of: child)
                if !inner.isEmpty { return inner }
            default: break
            }
        }
        return ""
    }
}
