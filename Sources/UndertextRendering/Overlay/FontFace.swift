#if Rendering
    internal import UndertextFormats

    /// A combination of properties for which libass opens a font.
    ///
    /// Each uses about 0.5 MB until the end of the renderer, even if it is the fallback font again.
    struct FontFace: Hashable {
        /// The family as the script writes it, `@` included.
        var family: [UInt8]
        /// 0, 1 or −1, or a weight.
        var weight: Int
        /// 0 or 1, or what a style says.
        var slant: Int

        /// The maximum number of font faces for events that are on screen together.
        static let mostAtOnce = 64
        /// The number of font faces after which a libass renderer is replaced by a new one.
        static let mostOfRenderer = 200
        /// Bytes of a family's name; no font has such a long one.
        static let longestFamily = 1024
    }

    /// The use of a font by an event.
    struct FontUse: Hashable {
        /// The fields and tags of an event that is drawn with it.
        let lead: [UInt8]
        /// The characters beyond ASCII that may have to be searched in other fonts.
        var letters: Set<Unicode.Scalar> = []
    }

    /// A scanner for the fonts that libass opens for an event.
    ///
    /// libass opens a font at each tag that changes one of its properties, even if no text follows.
    struct FontFaceScanner {
        private(set) var uses: [FontFace: FontUse] = [:]
        /// The current font.
        private(set) var face = FontFace(family: [], weight: 0, slant: 0)

        private let script: ASSScriptHeader
        private let eventStyle: String
        private var style = ASSStyle()

        init(_ script: ASSScriptHeader, style: String) {
            self.script = script
            eventStyle = style
            reset(to: style)
        }

        /// Applies a tag.
        mutating func use(_ tag: ASSTagName, _ argument: ArraySlice<UInt8>) {
            let value = argument.trimmed
            switch tag {
            case .r:
                reset(to: value.isEmpty ? eventStyle : value.text)
            case .fn:
                let isStyle = value.isEmpty || Array(value) == [0x30]
                face.family = isStyle ? styleFamily : Array(value)
            case .b:
                let number = Self.number(value) ?? -1
                face.weight = number == 0 || number == 1 || number >= 100 ? number : style.weight
            case .i:
                let number = Self.number(value) ?? -1
                face.slant = number == 0 || number == 1 ? number : style.slant
            default: return
            }
            open()
        }

        /// Letters that are drawn with the font.
        mutating func use(_ letters: some Sequence<Unicode.Scalar>) {
            uses[face]?.letters.formUnion(letters)
        }

        private mutating func reset(to name: String) {
            style = script.style(named: name)
            face = FontFace(family: styleFamily, weight: style.weight, slant: style.slant)
            open()
        }

        /// The family of the style, by which names that are too long to store are distinguished.
        private var styleFamily: [UInt8] {
            Array((style.font ?? "\\style \(style.name)").utf8)
        }

        private mutating func open() {
            // One face above the limit shows that there are too many.
            guard uses[face] == nil, uses.count <= FontFace.mostAtOnce else { return }
            var tags = "{\\q2\\fs1\\fscx100\\fscy100\\fsp0\\frz0\\bord0\\shad0\\alpha&HFF&"
            tags += "\\b\(face.weight)\\i\(face.slant)"
            var lead = Array("0,0,\(style.name),,0,0,0,,\(tags)".utf8)
            if face.family != styleFamily { lead += Array("\\fn".utf8) + face.family }
            uses[face] = FontUse(lead: lead + [0x7D])
        }

        private static func number(_ value: ArraySlice<UInt8>) -> Int? {
            value.drop { $0 == 0x28 }.leadingInteger
        }
    }
#endif
