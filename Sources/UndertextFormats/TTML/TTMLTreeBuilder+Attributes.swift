internal import UndertextCore
internal import UndertextXML

/// The attributes of elements.
extension TTMLTreeBuilder {
    func readParameters(_ attributes: [XMLAttribute]) {
        for attribute in attributes {
            let (namespace, name) = prefixes.resolved(attribute.name, isAttribute: true)
            if namespace == .parameter || namespace == .imscParameter {
                if !parameters.read(name, attribute.value) {
                    notes.add(
                        .warning, "bad-parameter",
                        "\(attribute.name)='\(attribute.value.prefix(60))' cannot be read and is ignored"
                    )
                }
            } else if namespace == .styling, name == "extent" {
                let bytes = Array(attribute.value.utf8)
                parameters.readExtent(bytes[...].trimmed)
            }
        }
        parameters.settle()
    }

    func read(_ attributes: [XMLAttribute], into element: TTMLElement) {
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
    func readPlain(
        _ name: Substring, _ attribute: XMLAttribute, into element: TTMLElement
    ) -> Bool {
        switch name {
        case "begin":
            element.begin = time(attribute)
            element.neverBegins = element.begin == nil
        case "end": element.end = time(attribute)
        case "dur": element.duration = time(attribute)
        case "timeContainer": element.isSequence = attribute.value == "seq"
        case "region": element.regionID = attribute.value
        case "style": element.references = attribute.value
        // Without `xml:` it is not an attribute of TTML, but files have it.
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
        guard let reading = TTMLStyleProperty.reading(namespace, name, attribute.value) else {
            return
        }
        if TTMLUnsupportedFeatures.isLoss(name, attribute.value) {
            leftOut[String(name), default: 0] += 1
        }
        switch reading {
        case .setting(let setting): element.style.set(setting)
        case .unused: break
        case .invalid:
            notes.add(
                .warning, "bad-style",
                "\(attribute.name)='\(attribute.value.prefix(60))' cannot be read and is ignored")
        }
    }

    /// A time; `nil`, with a note, if it is not of the document's time base.
    ///
    /// Without its end an element lasts as long as what it is in. Without its beginning it could only be
    /// shown at an unintended time.
    private func time(_ attribute: XMLAttribute) -> TTMLTime? {
        if let time = parameters.clock.time(attribute.value) { return time }
        let isBegin = attribute.name.utf8.suffix(5).elementsEqual("begin".utf8)
        if attribute.value == "indefinite", !isBegin { return nil }
        let isWallClock = attribute.value.utf8.starts(with: "wallclock(".utf8)
        notes.add(
            .error, "bad-time",
            "\(attribute.name)='\(attribute.value.prefix(40))' is "
                + (isWallClock ? "a time of day, not of the video" : "not a time")
                + (isBegin ? "; the element is not shown" : " and is ignored"))
        return nil
    }
}
