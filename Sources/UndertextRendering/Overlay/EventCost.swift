#if Rendering
    internal import UndertextCore
    internal import UndertextFormats

    /// The cost of an event in libass.
    struct EventPrice {
        /// Pixels that are filled, or take as long.
        var pixels: Double
        /// The fonts to open, and the characters that they must contain.
        var fonts: [FontFace: FontUse] = [:]
    }

    /// An upper bound of the cost of an event in libass, which cannot be cancelled.
    ///
    /// Measured with libass 0.17.1: filling and outlining a pixel takes about 10 ns, on or off the screen;
    /// `\be` and `\blur` multiply that; a byte of tags takes 0.4 to 2 µs, a pixel of a drawing's path 60 ns, a
    /// run of characters between tags 7 µs, n consecutive combining marks 5 ns · n², a character that no font
    /// has 0.1 to 0.4 ms. For each `\t(` libass searches the end of all of its arguments, 0.25 ns a byte:
    /// 160,000 nested ones take 10 s. A square of 30,000 pixels took 8 seconds and 3.8 GB. Costs are an upper
    /// bound in filled pixels: a tag anywhere in an event applies to all of it.
    struct EventCost {
        let script: ASSScriptHeader
        /// Output pixels to a script pixel.
        private let scale: Double

        /// The cost of a byte of an event.
        static let byte = 100.0
        /// The cost of looking up a character that may be in no font.
        static let lookup = 35_000.0
        /// The cost of a run of text between tags.
        private static let stretch = 1000.0
        /// The cost of a byte between a `\t(` and the end of its arguments.
        private static let search = 0.025

        /// Pixels that a frame may cost: about two seconds at worst at 1920 × 1080.
        static func budget(_ geometry: OverlayGeometry) -> Double {
            max(128 * Double(geometry.output.width * geometry.output.height), 0x1p27)
        }

        init(script: [UInt8], geometry: OverlayGeometry) {
            self.script = ASSScriptHeader(script)
            let image = geometry.image
            scale = max(
                Double(image.width) / Double(max(1, self.script.canvas.width)),
                Double(image.height) / Double(max(1, self.script.canvas.height)))
        }

        /// The largest of the values that an event sets.
        private struct Extremes {
            var size = 0.0
            var width = 1.0
            var height = 1.0
            var border = 0.0
            var shear = 0.0
            var blur = 0.0
            var edges = 0.0
            var letters = 0
            var spacing = 0.0
            var stretches = 0
            /// Marks in a row, and the sum of the squares of such rows.
            var row = 0.0
            var marks = 0.0
            /// Width, height and length of the path of drawings, each at its own scale.
            var drawings: [(width: Double, height: Double, path: Double)] = []
            var clips: [(width: Double, height: Double, path: Double)] = []
        }

        /// Returns the cost of an event in Matroska's form.
        func price(of line: [UInt8]) -> EventPrice {
            guard let event = ASSEvent(line) else { return EventPrice(pixels: Double(line.count)) }
            var extremes = Extremes()
            var faces = FontFaceScanner(script, style: event.style)
            use(script.style(named: event.style), in: &extremes)
            var drawing = 0
            var searched = 0
            // The first end of arguments at or after the tag: each end is searched only once.
            var close = event.text.startIndex
            var tokens = ASSTokenizer(event.text, splitsArguments: true)
            while let token = tokens.next() {
                switch token {
                case .text(let range):
                    if drawing > 0 {
                        extremes.drawings.append(
                            Self.extent(event.text[range], level: drawing))
                    } else {
                        use(event.text[range], in: &extremes, faces: &faces)
                    }
                case .comment: break
                case .tag(let tag, _, let argument):
                    if tag == .t {
                        if close < argument.lowerBound {
                            close =
                                event.text[argument.lowerBound...].firstIndex {
                                    $0 == 0x29 || $0 == 0x7D
                                } ?? event.text.endIndex
                        }
                        searched += close - argument.lowerBound
                    }
                    use(tag, event.text[argument], in: &extremes, drawing: &drawing)
                    faces.use(tag, event.text[argument])
                }
            }
            return EventPrice(
                pixels: total(extremes) + Self.byte * Double(line.count)
                    + Self.search * Double(searched), fonts: faces.uses)
        }

        private func use(
            _ letters: ArraySlice<UInt8>, in extremes: inout Extremes,
            faces: inout FontFaceScanner
        ) {
            extremes.letters += letters.count
            extremes.stretches += 1
            guard letters.contains(where: { $0 >= 0x80 }) else {
                extremes.row = 0
                return
            }
            var others: Set<Unicode.Scalar> = []
            for letter in String(decoding: letters, as: UTF8.self).unicodeScalars {
                let isIgnorable = !letter.isASCII && letter.properties.isDefaultIgnorableCodePoint
                if isIgnorable || letter.isMark {
                    // The sum of the odd numbers up to 2n − 1 is n².
                    extremes.marks += 2 * extremes.row + 1
                    extremes.row += 1
                } else {
                    extremes.row = 0
                }
                // libass searches only characters that are drawn.
                if !letter.isASCII, !isIgnorable { others.insert(letter) }
            }
            faces.use(others)
        }

        private func total(_ extremes: Extremes) -> Double {
            let shear = 1 + extremes.shear
            let border = 2 * extremes.border * scale
            let effects = (1 + extremes.edges / 16) * (1 + extremes.blur / 50)
            func area(_ width: Double, _ height: Double) -> Double {
                (width * shear + border) * (height * shear + border) * (border > 0 ? 2 : 1)
                    * effects
            }
            let size = extremes.size * scale
            var sum =
                Double(extremes.letters)
                * area(size * extremes.width + extremes.spacing * scale, size * extremes.height)
            for drawing in extremes.drawings {
                let (width, height) = (scale * extremes.width, scale * extremes.height)
                sum += area(drawing.width * width, drawing.height * height)
                sum += 6 * drawing.path * max(width, height)
            }
            for clip in extremes.clips {
                sum += clip.width * clip.height * scale * scale + 6 * clip.path * scale
            }
            sum += Self.stretch * Double(extremes.stretches) + extremes.marks
            return sum.isFinite ? sum : .greatestFiniteMagnitude
        }

        private func use(_ style: ASSStyle, in extremes: inout Extremes) {
            extremes.size = max(extremes.size, style.fontSize)
            extremes.width = max(extremes.width, style.scaleX.magnitude / 100)
            extremes.height = max(extremes.height, style.scaleY.magnitude / 100)
            extremes.border = max(extremes.border, style.outline.magnitude)
            extremes.spacing = max(extremes.spacing, style.spacing)
        }

        private func use(
            _ tag: ASSTagName, _ argument: ArraySlice<UInt8>, in extremes: inout Extremes,
            drawing: inout Int
        ) {
            let text = argument.trimmed.drop { $0 == 0x28 }
            let value = (text.leadingNumber ?? 0).magnitude
            switch tag {
            case .fs:
                if let first = text.first, first.isDigit {
                    extremes.size = max(extremes.size, value)
                } else {
                    extremes.size *= 1 + min(value, 1e6) / 10
                }
            case .fscx: extremes.width = max(extremes.width, value / 100)
            case .fscy: extremes.height = max(extremes.height, value / 100)
            case .bord, .xbord, .ybord: extremes.border = max(extremes.border, value)
            case .fax, .fay: extremes.shear = max(extremes.shear, value)
            case .be: extremes.edges = max(extremes.edges, min(value, 127))
            case .blur: extremes.blur = max(extremes.blur, min(value, 100))
            case .fsp: extremes.spacing = max(extremes.spacing, value)
            case .p: drawing = min(max(text.leadingInteger ?? 0, 0), 30)
            case .r: use(script.style(named: text.text), in: &extremes)
            case .clip, .iclip:
                // Rectangles cost nothing; a drawing may follow its scale.
                if let start = argument.firstIndex(where: \.isLetter) {
                    extremes.clips.append(Self.extent(argument[start...], level: 1))
                }
            default: break
            }
        }

        /// The size of a drawing, and how long its lines are together, in script pixels.
        private static func extent(
            _ text: ArraySlice<UInt8>, level: Int
        ) -> (width: Double, height: Double, path: Double) {
            var low = (x: Double.infinity, y: Double.infinity)
            var high = (x: -Double.infinity, y: -Double.infinity)
            var last: (x: Double, y: Double)?
            var path = 0.0
            var pending: Double?
            for word in text.split(whereSeparator: {
                !$0.isDigit && $0 != 0x2D && $0 != 0x2E && $0 != 0x2B && $0 != 0x65 && $0 != 0x45
            }) {
                guard let number = number(word) else { continue }
                guard let x = pending else {
                    pending = number
                    continue
                }
                pending = nil
                low = (min(low.x, x), min(low.y, number))
                high = (max(high.x, x), max(high.y, number))
                if let last { path += (x - last.x).magnitude + (number - last.y).magnitude }
                last = (x, number)
            }
            guard last != nil else { return (0, 0, 0) }
            let factor = 1 / Double(1 << (level - 1))
            return (
                (high.x - low.x) * factor, (high.y - low.y) * factor, path * factor
            )
        }

        /// A number with an exponent, as libass reads them; digits alone are the usual case.
        private static func number(_ word: ArraySlice<UInt8>) -> Double? {
            if let plain = word.leadingNumber, !word.contains(where: { $0 == 0x65 || $0 == 0x45 }) {
                return plain
            }
            return Double(word.text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    extension Unicode.Scalar {
        /// `true` if it combines with the letter before it.
        fileprivate var isMark: Bool {
            guard !isASCII else { return false }
            return switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: true
            default: false
            }
        }
    }
#endif
