internal import UndertextCore

/// The text of a WebVTT cue as a tree.
package struct WebVTTCueText: Hashable, Sendable {
    /// The nodes at the top.
    package var nodes: [WebVTTNode]

    /// Parses cue text: UTF-8 with line feeds.
    ///
    /// W3C WebVTT, section 6.4, "WebVTT cue text parsing rules". Elements deeper than 64 levels
    /// are ignored, their text is kept.
    package init(_ bytes: [UInt8]) {
        var builder = TreeBuilder()
        var tokens = WebVTTTokenizer(bytes)
        while let token = tokens.next() { builder.add(token) }
        nodes = builder.finish()
    }

    /// Parses cue text.
    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Holds the open elements, the outermost first; nodes are attached when they close.
    private struct TreeBuilder {
        private var open: [WebVTTElement] = []
        private var top: [WebVTTNode] = []
        private static let deepest = Limits().nesting

        mutating func add(_ token: WebVTTToken) {
            switch token {
            case .text(let bytes): attach(.text(String(decoding: bytes, as: UTF8.self)))
            case .timestamp(let bytes):
                if let time = WebVTTTimestamp.parse(bytes) { attach(.timestamp(time)) }
            case .start(let name, let classes, let annotation):
                start(name, classes: classes, annotation: annotation)
            case .end(let name): end(name)
            }
        }

        private mutating func start(
            _ name: ArraySlice<UInt8>, classes: [String], annotation: [UInt8]
        ) {
            guard name.count <= 4, let tag = WebVTTElement.Tag(rawValue: name.text),
                open.count < Self.deepest
            else { return }
            if tag == .rubyText, open.last?.tag != .ruby { return }
            let isAnnotated = tag == .voice || tag == .language
            open.append(
                WebVTTElement(
                    tag: tag, classes: classes,
                    annotation: isAnnotated ? String(decoding: annotation, as: UTF8.self) : ""))
        }

        private mutating func end(_ name: ArraySlice<UInt8>) {
            guard name.count <= 4, let tag = WebVTTElement.Tag(rawValue: name.text),
                let current = open.last
            else { return }
            if current.tag == tag {
                close()
            } else if tag == .ruby, current.tag == .rubyText {
                close()
                close()
            }
        }

        private mutating func attach(_ node: WebVTTNode) {
            if open.isEmpty {
                top.append(node)
            } else {
                open[open.count - 1].children.append(node)
            }
        }

        private mutating func close() {
            guard let element = open.popLast() else { return }
            attach(.element(element))
        }

        mutating func finish() -> [WebVTTNode] {
            while !open.isEmpty { close() }
            return top
        }
    }
}
