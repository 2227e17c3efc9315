internal import UndertextCore
internal import UndertextXML

/// A document with everything that its elements refer to.
struct TTMLTree {
    let parameters: TTMLParameters
    /// The element `tt`.
    let document: TTMLElement
    private(set) var body: TTMLElement?
    /// The regions by name; those within content have names that no document can write.
    private(set) var regions: [String: TTMLElement] = [:]
    /// `true` if any content is assigned to an existing region.
    ///
    /// Otherwise the regions of a document are ignored, because nothing would be shown.
    private(set) var usesRegions = false
    /// The values of `initial` elements.
    private(set) var initial = TTMLStyle()
    /// Images by name, in base64.
    private(set) var data: [String: TTMLElement] = [:]
    private(set) var title = ""
    private(set) var notes: TTMLNotes
    /// The number of occurrences of each property that the cue model cannot represent.
    private(set) var leftOut: [String: Int] = [:]
    private var agents: [String: String] = [:]

    /// Reads a document; `nil`, with a note, if it is not TTML.
    ///
    /// Content before damage is kept. With `untilWords`, content after the first word of the text is left out.
    static func reading(
        _ bytes: [UInt8], limits: Limits, untilWords: Bool = false, notes: inout TTMLNotes
    ) -> TTMLTree? {
        let builder = TTMLTreeBuilder(
            elementsAtMost: limits.cues * 2, endsAtWords: untilWords, notes: notes)
        var failure: XMLError?
        do throws(XMLError) {
            try XMLReader.read(bytes, handler: builder)
        } catch {
            failure = error
        }
        if let failure {
            let isKept = builder.root != nil
            builder.note(
                .error, isKept && failure.code == .malformed ? "truncated" : failure.code.rawValue,
                failure.description + (isKept ? "; the rest of the document is lost" : ""),
                offset: failure.byteOffset)
        } else if builder.root == nil {
            builder.note(
                .error, "not-ttml", "it is not TTML: the root element is not tt",
                offset: 0)
        }
        notes = builder.notes
        guard let root = builder.root else { return nil }
        var tree = TTMLTree(root, builder.parameters, notes)
        tree.leftOut = builder.leftOut
        notes = tree.notes
        return tree
    }

    private init(_ root: TTMLElement, _ parameters: TTMLParameters, _ notes: TTMLNotes) {
        document = root
        self.parameters = parameters
        self.notes = notes
        var sheet = TTMLStyleSheet()
        for element in root.children {
            if element.kind == .head { readHead(element, &sheet) }
            if element.kind == .body, body == nil { body = element }
        }
        sheet.resolve(notes: &self.notes)
        for region in regions.values { finish(region: region, sheet) }
        let inline = regions.count
        if let body { link(body, sheet) }
        // Regions within content are used by it.
        if regions.count > inline { usesRegions = true }
    }

    // MARK: Head

    private mutating func readHead(_ parent: TTMLElement, _ sheet: inout TTMLStyleSheet) {
        for element in parent.children {
            switch element.kind {
            case .styling, .layout, .metadata, .holder: readHead(element, &sheet)
            case .style: sheet.add(element)
            case .initial: initial.merge(element.style)
            case .region:
                if !element.id.isEmpty, regions[element.id] == nil {
                    regions[element.id] = element
                }
            case .title: if title.isEmpty { title = Self.oneLine(element.text) }
            case .agent:
                let name = element.children.first { $0.kind == .agentName }
                if !element.id.isEmpty, let name {
                    agents[element.id] = Self.oneLine(name.text)
                }
            case .data: keep(data: element)
            case .image, .body, .document, .head, .division, .paragraph, .span, .lineBreak, .set,
                .agentName:
                break
            }
        }
    }

    private mutating func keep(data element: TTMLElement) {
        if !element.id.isEmpty, data[element.id] == nil { data[element.id] = element }
    }

    private static func oneLine(_ text: String) -> String {
        text.utf8.split(whereSeparator: \.isSpace).map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
    }

    // MARK: References

    private mutating func finish(region: TTMLElement, _ sheet: TTMLStyleSheet) {
        let own = region.style
        region.style = sheet.style(of: region.references, notes: &notes)
        for child in region.children where child.kind == .style {
            region.style.merge(sheet.style(of: child.references, notes: &notes))
            region.style.merge(child.style)
        }
        region.style.merge(own)
        finish(sets: region, sheet)
    }

    private mutating func finish(sets element: TTMLElement, _ sheet: TTMLStyleSheet) {
        for set in element.sets where !set.references.isEmpty {
            set.style = set.style.filled(with: sheet.style(of: set.references, notes: &notes))
        }
    }

    /// Resolves what the elements of the content refer to.
    private mutating func link(_ element: TTMLElement, _ sheet: TTMLStyleSheet) {
        if !element.references.isEmpty {
            element.style = element.style.filled(
                with: sheet.style(of: element.references, notes: &notes))
        }
        finish(sets: element, sheet)
        if !element.notes.isEmpty, element.kind != .image, element.kind != .data {
            element.voice = voice(of: element.notes)
        }
        if !element.regionID.isEmpty {
            if regions[element.regionID] != nil {
                usesRegions = true
            } else if element.regionID.utf8.first != 1 {
                notes.add(
                    .warning, "unknown-region",
                    "there is no region '\(element.regionID.prefix(60))'; the text has the default "
                        + "position")
            }
        }
        for child in element.children {
            if child.kind == .region {
                finish(region: child, sheet)
                regions[child.id] = child
            } else if child.kind == .data {
                keep(data: child)
            } else {
                link(child, sheet)
            }
        }
    }

    private func voice(of references: String) -> String {
        let names = references.utf8.split(maxSplits: 8, whereSeparator: \.isSpace).compactMap {
            agents[String(decoding: $0, as: UTF8.self)]
        }
        return names.joined(separator: ", ")
    }

    /// The region that content is put into by an element; `nil` = none that exists.
    func region(named id: String) -> TTMLElement? { id.isEmpty ? nil : regions[id] }
}
