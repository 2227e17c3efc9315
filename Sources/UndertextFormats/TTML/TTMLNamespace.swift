/// The vocabularies that a TTML document is made of.
enum TTMLNamespace: UInt8 {
    /// Elements of TTML itself.
    case core
    /// `ttp:`, parameters.
    case parameter
    /// `tts:`, styles.
    case styling
    /// `ttm:`, metadata.
    case metadata
    /// `itts:`, styles of IMSC.
    case imscStyling
    /// `ittp:`, parameters of IMSC.
    case imscParameter
    /// `ebutts:`, styles of EBU-TT.
    case ebuStyling
    /// `smpte:`, SMPTE-TT.
    case smpte
    /// `xml:`.
    case xml
    /// No prefix and no default: most attributes.
    case none
    /// Any other namespace.
    case foreign

    /// The vocabulary of a namespace name.
    ///
    /// TTML1, section 5.1, the drafts of 2004 and 2006 that files still name, IMSC 1.1, section 5.2.
    init(uri: String) {
        switch uri {
        case "": self = .none
        case "http://www.w3.org/XML/1998/namespace": self = .xml
        case "http://www.w3.org/ns/ttml/profile/imsc1#styling": self = .imscStyling
        case "http://www.w3.org/ns/ttml/profile/imsc1#parameter": self = .imscParameter
        case "urn:ebu:tt:style": self = .ebuStyling
        default:
            if uri.hasPrefix("http://www.smpte-ra.org/") {
                self = .smpte
                return
            }
            self = .foreign
            for root in Self.roots where uri.hasPrefix(root) {
                switch uri.dropFirst(root.count) {
                case "": self = .core
                case "#parameter": self = .parameter
                case "#styling", "#style": self = .styling
                case "#metadata": self = .metadata
                default: break
                }
            }
        }
    }

    private static let roots = [
        "http://www.w3.org/ns/ttml", "http://www.w3.org/2006/10/ttaf1",
        "http://www.w3.org/2006/04/ttaf1", "http://www.w3.org/2004/11/ttaf1",
    ]

    /// The namespace of a prefix that a document uses without declaring it.
    init(undeclared prefix: String) {
        switch prefix {
        case "xml": self = .xml
        case "tt": self = .core
        case "ttp": self = .parameter
        case "tts": self = .styling
        case "ttm": self = .metadata
        case "itts": self = .imscStyling
        case "ittp": self = .imscParameter
        case "ebutts": self = .ebuStyling
        case "smpte": self = .smpte
        default: self = .foreign
        }
    }
}

/// The prefixes that are declared where the reading is: Namespaces in XML 1.0, section 6.
struct TTMLPrefixes {
    private struct Declaration {
        var prefix: String
        var namespace: TTMLNamespace
        var depth: Int
    }

    private var declarations: [Declaration] = []
    private var depth = 0

    /// Enters an element: `declare` is called for each of its namespace attributes before names are asked.
    mutating func enter() { depth += 1 }

    /// Leaves an element.
    mutating func leave() {
        while let last = declarations.last, last.depth == depth { declarations.removeLast() }
        depth -= 1
    }

    /// Consumes an attribute if it declares a prefix.
    mutating func declare(_ name: String, _ value: String) -> Bool {
        guard name.utf8.starts(with: "xmlns".utf8) else { return false }
        let rest = name.dropFirst(5)
        guard rest.isEmpty || rest.first == ":" else { return false }
        // An element of a hostile file may declare any number; the first 1024 are kept.
        if declarations.count < 1024 {
            declarations.append(
                Declaration(
                    prefix: String(rest.dropFirst()), namespace: TTMLNamespace(uri: value),
                    depth: depth))
        }
        return true
    }

    /// The vocabulary and the local part of a name.
    func resolved(_ name: String, isAttribute: Bool) -> (TTMLNamespace, Substring) {
        guard let colon = name.utf8.firstIndex(of: 0x3A) else {
            return (isAttribute ? .none : namespace(of: "") ?? .none, name[...])
        }
        let prefix = String(name[..<colon])
        let local = name[name.utf8.index(after: colon)...]
        return (namespace(of: prefix) ?? TTMLNamespace(undeclared: prefix), local)
    }

    private func namespace(of prefix: String) -> TTMLNamespace? {
        declarations.last { $0.prefix == prefix }?.namespace
    }
}
