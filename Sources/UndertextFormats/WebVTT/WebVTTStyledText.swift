package import UndertextCore

extension WebVTTCueText {
    /// The text in runs; ruby text goes to the run before it, classes and voices to the styles.
    package var styledText: StyledText {
        var flattener = Flattener()
        flattener.add(nodes, style: TextStyle())
        return flattener.finish()
    }

    private struct Flattener {
        private var builder = StyledTextBuilder()

        /// The depth of the tree is bounded, so recursion is.
        mutating func add(_ nodes: [WebVTTNode], style: TextStyle) {
            for node in nodes {
                switch node {
                case .text(let text):
                    builder.setStyle(style)
                    builder.append(text)
                case .timestamp(let time): builder.setAppearsAt(time)
                case .element(let element):
                    if element.tag == .ruby {
                        addRuby(element, style: Self.style(of: element, in: style))
                    } else {
                        add(element.children, style: Self.style(of: element, in: style))
                    }
                }
            }
        }

        private mutating func addRuby(_ ruby: WebVTTElement, style: TextStyle) {
            // Only what belongs to this element may become a base.
            builder.endRun()
            var first = builder.runCount
            for node in ruby.children {
                if case .element(let element) = node, element.tag == .rubyText {
                    builder.attachRuby(plainText(element.children), from: first)
                    first = builder.runCount
                } else {
                    add([node], style: style)
                }
            }
            builder.endRun()
        }

        private func plainText(_ nodes: [WebVTTNode]) -> String {
            var text = ""
            for node in nodes {
                switch node {
                case .text(let part): text += part
                case .timestamp: break
                case .element(let element): text += plainText(element.children)
                }
            }
            return text
        }

        private static func style(of element: WebVTTElement, in outer: TextStyle) -> TextStyle {
            var style = outer
            switch element.tag {
            case .italic: style.isItalic = true
            case .bold: style.isBold = true
            case .underline: style.isUnderlined = true
            case .voice: style.voice = element.annotation
            case .language: style.language = element.annotation
            case .classSpan, .ruby, .rubyText: break
            }
            for name in element.classes {
                if style.classes.count < classesAtMost { style.classes.append(name) }
                if let color = defaultColors[name] { style.color = color }
                if name.hasPrefix("bg_"), let color = defaultColors[String(name.dropFirst(3))] {
                    style.background = color
                }
            }
            return style
        }

        /// Classes of a text within all of its tags; each of its runs has a list of them.
        private static let classesAtMost = 64

        mutating func finish() -> StyledText { builder.finish() }
    }

    /// The colors that class names have by default.
    ///
    /// W3C WebVTT, section 5.1.
    static let defaultColors: [String: RGBA] = [
        "white": RGBA(rawValue: 0xFFFF_FFFF), "lime": RGBA(rawValue: 0x00FF_00FF),
        "cyan": RGBA(rawValue: 0x00FF_FFFF), "red": RGBA(rawValue: 0xFF00_00FF),
        "yellow": RGBA(rawValue: 0xFFFF_00FF), "magenta": RGBA(rawValue: 0xFF00_FFFF),
        "blue": RGBA(rawValue: 0x0000_FFFF), "black": RGBA(rawValue: 0x0000_00FF),
    ]
}
