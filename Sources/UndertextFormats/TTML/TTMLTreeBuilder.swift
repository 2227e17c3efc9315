internal import UndertextCore
internal import UndertextXML

/// Builds the tree of a document from the events of its XML.
///
/// Elements of other vocabularies are left out with everything in them.
final class TTMLTreeBuilder: XMLHandler {
    private(set) var root: TTMLElement?
    var parameters = TTMLParameters()
    /// `true` if the first element was none of TTML's.
    private(set) var isForeign = false
    var notes: TTMLNotes
    /// The number of occurrences of each property that the cue model cannot represent.
    var leftOut: [String: Int] = [:]
    private let elementsAtMost: Int
    private var count = 0
    private(set) var prefixes = TTMLPrefixes()
    private var open: [TTMLElement] = []
    /// The depth within an element that is left out.
    private var skipped = 0
    /// The number of elements with generated names, which no document can contain.
    private var unnamed = 0

    /// `true` if nothing after the first word matters.
    private let endsAtWords: Bool
    private var hasWords = false

    init(elementsAtMost: Int, endsAtWords: Bool, notes: TTMLNotes) {
        self.elementsAtMost = elementsAtMost
        self.endsAtWords = endsAtWords
        self.notes = notes
    }

    var wantsMore: Bool { !isForeign && count <= elementsAtMost && !(endsAtWords && hasWords) }

    func start(_ name: String, attributes: [XMLAttribute]) {
        prefixes.enter()
        var rest: [XMLAttribute] = []
        for attribute in attributes where !prefixes.declare(attribute.name, attribute.value) {
            rest.append(attribute)
        }
        guard skipped == 0 else {
            skipped += 1
            return
        }
        let (namespace, local) = prefixes.resolved(name, isAttribute: false)
        guard let parent = open.last else {
            guard root == nil, namespace == .core || namespace == .none, local == "tt" else {
                isForeign = root == nil
                skipped += 1
                return
            }
            let element = TTMLElement(.document)
            readParameters(rest)
            read(rest, into: element)
            root = element
            open.append(element)
            return
        }
        guard let kind = kind(of: local, namespace, in: parent) else {
            if local == "animate", namespace == .core || namespace == .none {
                animate(parent, rest)
            }
            skipped += 1
            return
        }
        count += 1
        guard count <= elementsAtMost else {
            notes.add(
                .error, "too-many-elements",
                "more than \(elementsAtMost) elements; the rest is left out")
            return
        }
        let element = TTMLElement(kind)
        read(rest, into: element)
        attach(element, to: parent)
        open.append(element)
    }

    func text(_ text: String) {
        guard skipped == 0, let parent = open.last else { return }
        if !hasWords, parent.kind == .paragraph || parent.kind == .span {
            hasWords = text.utf8.contains { !$0.isSpace }
        }
        switch parent.kind {
        case .paragraph, .span, .data, .title, .agentName: parent.content.append(.text(text))
        default: break
        }
    }

    func end(_ name: String) {
        prefixes.leave()
        if skipped > 0 {
            skipped -= 1
        } else if !open.isEmpty {
            open.removeLast()
        }
    }

    /// Records a note of the XML parser.
    func note(_ severity: Diagnostic.Severity, _ code: String, _ message: String, offset: Int) {
        notes.add(severity, code, message, offset: offset)
    }

    private func attach(_ element: TTMLElement, to parent: TTMLElement) {
        switch element.kind {
        case .set: parent.add(set: element)
        case .region where parent.kind == .division || parent.kind == .paragraph:
            // A region within content belongs to it alone: TTML2, section 9.1.2.
            unnamed += 1
            if element.id.isEmpty { element.id = "\u{1}\(unnamed)" }
            parent.regionID = element.id
            parent.content.append(.element(element))
        case .data where element.id.isEmpty:
            unnamed += 1
            element.id = "\u{1}\(unnamed)"
            parent.content.append(.element(element))
        default: parent.content.append(.element(element))
        }
    }

    /// Returns the kind of an element in its parent; `nil` for elements that are left out.
    private func kind(
        of name: Substring, _ namespace: TTMLNamespace, in parent: TTMLElement
    ) -> TTMLElement.Kind? {
        switch namespace {
        case .core, .none:
            switch name {
            case "head": return .head
            case "styling": return .styling
            case "layout": return .layout
            case "style": return .style
            case "initial": return .initial
            case "region": return .region
            case "body": return .body
            case "div": return .division
            case "p": return .paragraph
            case "span": return .span
            case "br": return .lineBreak
            case "set": return .set
            case "metadata": return .metadata
            case "image": return .image
            case "data", "chunk": return .data
            case "source", "resources": return .holder
            default: return nil
            }
        case .metadata:
            switch name {
            case "title": return parent.kind == .head || parent.kind == .metadata ? .title : nil
            case "agent": return .agent
            case "name": return parent.kind == .agent ? .agentName : nil
            default: return nil
            }
        case .smpte: return name == "image" ? .data : nil
        default: return nil
        }
    }

    // MARK: Animation

    private func animate(_ parent: TTMLElement, _ attributes: [XMLAttribute]) {
        let whole = TTMLElement(.set)
        var animation = TTMLAnimation()
        for attribute in attributes {
            let (namespace, name) = prefixes.resolved(attribute.name, isAttribute: true)
            switch (namespace, name) {
            case (.none, "calcMode"): animation.isDiscrete = attribute.value == "discrete"
            case (.none, "keyTimes"): animation.readKeyTimes(attribute.value)
            case (.none, "repeatCount"): animation.readRepeat(attribute.value)
            case (.none, _) where readPlain(name, attribute, into: whole): break
            default: animation.read(namespace, name, attribute.value)
            }
        }
        let steps = animation.steps(of: whole)
        count += steps.count
        for step in steps { parent.add(set: step) }
        guard steps.isEmpty || !animation.isExact else { return }
        notes.add(
            .warning, "animation",
            steps.isEmpty
                ? "'animate' without a duration of its own is ignored"
                : "'animate' is shown in steps")
    }
}
