#if Rendering
    internal import UndertextFormats

    /// A cache of the characters for which libass found no glyph in any font.
    ///
    /// libass does not cache missing glyphs: it queries fontconfig for each of them in each frame.
    struct GlyphCoverageCache {
        private var known: [FontFace: Set<Unicode.Scalar>] = [:]
        private var missing: [FontFace: Set<Unicode.Scalar>] = [:]
        /// The number of known characters over all fonts.
        private(set) var count = 0

        /// The replacement for a character without a glyph, which is looked up, too.
        static let replacement: Unicode.Scalar = "\u{FFFD}"
        /// The maximum number of characters, more than all scripts of a movie have.
        private static let most = 100_000

        /// Forgets all where files make that much of it.
        mutating func forgetIfLarge() {
            if count > Self.most { self = GlyphCoverageCache() }
        }

        /// Returns the characters of a use that were not looked up yet.
        func unknown(_ letters: Set<Unicode.Scalar>, _ face: FontFace) -> Set<Unicode.Scalar> {
            guard let known = known[face] else { return letters }
            return letters.subtracting(known)
        }

        /// Stores the result of a lookup of characters.
        mutating func learn(
            _ letters: Set<Unicode.Scalar>, without absent: Set<Unicode.Scalar>, _ face: FontFace
        ) {
            let before = known[face]?.count ?? 0
            known[face, default: []].formUnion(letters)
            count += (known[face]?.count ?? 0) - before
            let gone = absent.intersection(letters)
            if !gone.isEmpty { missing[face, default: []].formUnion(gone) }
        }

        /// The event with only characters that have glyphs or cost nothing: others are replaced.
        func drawable(
            _ line: [UInt8], _ uses: [FontFace: FontUse], _ script: ASSScriptHeader
        ) -> [UInt8] {
            let isTouched = uses.contains { face, use in
                missing[face].map { !$0.isDisjoint(with: use.letters) } ?? false
            }
            guard isTouched, let event = ASSEvent(line) else { return line }
            var result = Array(line[..<event.text.startIndex])
            var faces = FontFaceScanner(script, style: event.style)
            var tokens = ASSTokenizer(event.text, splitsArguments: true)
            while let token = tokens.next() {
                switch token {
                case .text(let range):
                    result += replaced(event.text[range], faces.face)
                case .comment(let range): result += event.text[range]
                case .tag(let tag, let range, let argument):
                    faces.use(tag, event.text[argument])
                    result += event.text[range]
                }
            }
            return result
        }

        private func replaced(_ text: ArraySlice<UInt8>, _ face: FontFace) -> [UInt8] {
            guard let missing = missing[face], text.contains(where: { $0 >= 0x80 }) else {
                return Array(text)
            }
            let substitute: Unicode.Scalar =
                missing.contains(Self.replacement) ? "?" : Self.replacement
            var result: [UInt8] = []
            for letter in String(decoding: text, as: UTF8.self).unicodeScalars {
                result += UTF8.encode(missing.contains(letter) ? substitute : letter) ?? .init()
            }
            return result
        }
    }
#endif
