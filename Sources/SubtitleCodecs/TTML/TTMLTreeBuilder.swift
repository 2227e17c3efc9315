internal import MediaCore
internal import XMLEvents

/// Builds the tree of a document from the events of its XML.
///
/// Elements of other vocabularies are left out with everything in them.
final class TTMLTreeBuilder: XMLHandler {
    private(set) var root: TTMLElement?
    private(set) var parameters = TTMLParameters()
    /// Whether the first element was none of TTML's.
    private(set) var isForeign = false
    private(set) var notes: TTMLNotes
    private let elementsAtMost: Int
    private var count = 0
    private var prefixes = TTMLPrefixes()
    private var open: [TTMLElement] = []
    /// How deep within an element that is left out.
    private var skipped = 0
    /// How many elements got a name that no document can write.
    private var unnamed = 0

    init(elementsAtMost: Int, notes: TTMLNotes) {
        self.elementsAtMost = elementsAtMost
        self.notes = notes
    }

    var wantsMore: Bool { !isForeign && count <= elementsAtMost }

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

    /// Notes what the reader of the XML found.
    func note(_ severity: Diagnostic.Severity, _ code: String, _ message: String, offset: Int) {
        notes.add(severity, code, message, offset: offset)
    }

    private func attach(_ element: TTMLElement, to parent: TTMLElement) {
        switch element.kind {
        case .set: parent.sets.append(element)
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

    /// What an element is where it stands; `nil` for those that are left out.
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
            case "animate":
                notes.add(
                    .warning, "animation", "'animate' is not read: what it changes stays as it was")
                return nil
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

    // MARK: Attributes

    private func readParameters(_ attributes: [XMLAttribute]) {
        for attribute in attributes {
            let (namespace, name) = prefixes.resolved(attribute.name, isAttribute: true)
            if namespace == .parameter || namespace == .imscParameter {
                if !parameters.read(name, attribute.value) {
                    notes.add(
                        .warning, "bad-parameter",
                        "\(attribute.name)='\(attribute.value.prefix(60))' is not understood")
                }
            } else if namespace == .styling, name == "extent" {
                let bytes = Array(attribute.value.utf8)
                parameters.readExtent(bytes[...].trimmed)
            }
        }
        parameters.settle()
    }

    private func read(_ attributes: [XMLAttribute], into element: TTMLElement) {
        for attribute in attributes {
            let (namespace, name) = prefixes.resolved(attribute.name, isAttribute: true)
            switch namespace {
            case .xml:
                switch name {
                case "id": element.id = attribute.value
                case "lang": element.language = attribute.value
                case "space": element.keepsSpace = attribute.value == "preserve"
                default: break
                }
            // TTML's own attributes have no prefix; some files give them one.
            case .none where readPlain(name, attribute, into: element): break
            case .core where readPlain(name, attribute, into: element): break
            case .metadata:
                if name == "agent" { element.notes = attribute.value }
            default: readStyle(attribute, namespace, name, into: element)
            }
        }
    }

    /// An attribute of TTML itself; `false` for any other name.
    private func readPlain(
        _ name: Substring, _ attribute: XMLAttribute, into element: TTMLElement
    ) -> Bool {
        switch name {
        case "begin": element.begin = time(attribute)
        case "end": element.end = time(attribute)
        case "dur": element.duration = time(attribute)
        case "timeContainer": element.isSequence = attribute.value == "seq"
        case "region": element.regionID = attribute.value
        case "style": element.references = attribute.value
        // Without `xml:` it is none of TTML's; files have it.
        case "id": if element.id.isEmpty { element.id = attribute.value }
        case "src": element.notes = attribute.value
        case "encoding", "type", "format", "condition", "fill", "calcMode": break
        default: return false
        }
        return true
    }

    private func readStyle(
        _ attribute: XMLAttribute, _ namespace: TTMLNamespace, _ name: Substring,
        into element: TTMLElement
    ) {
        guard let reading = TTMLSetting.reading(namespace, name, attribute.value) else { return }
        switch reading {
        case .setting(let setting): element.style.set(setting)
        case .unused: break
        case .invalid:
            notes.add(
                .warning, "bad-style",
                "\(attribute.name)='\(attribute.value.prefix(60))' is not understood")
        }
    }

    private func time(_ attribute: XMLAttribute) -> TTMLTime? {
        if attribute.value == "indefinite" { return nil }
        if let time = parameters.clock.time(attribute.value) { return time }
        notes.add(
            .error, "bad-time",
            "\(attribute.name)='\(attribute.value.prefix(40))' is no time and does not count")
        return nil
    }
}
