internal import UndertextXML

/// Checks that a document conforms to the text profile of IMSC 1.1, for everything in which writers can err.
///
/// Written from the specifications (IMSC 1.1, sections 6 and 8; TTML2, sections 8 to 12) without any of our
/// code except for the XML parser. Vocabulary that a writer of subtitles does not need is a fault here, even if
/// the profile allows it.
public struct TTMLValidator {
    /// A fault and its position.
    public struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// The element, by its place among all of them.
        public var element: Int
        /// A short name of the rule.
        public var rule: String
        /// The content that was found.
        public var detail: String

        /// The fault in one line.
        public var description: String { "element \(element): \(rule): \(detail)" }
    }

    /// The faults of a document; none for a conforming one.
    public static func faults(in bytes: [UInt8]) -> [Fault] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return [Fault(element: 0, rule: "utf-8", detail: "")]
        }
        let reader = Reader()
        do throws(XMLError) {
            try XMLReader.read(bytes, handler: reader)
        } catch {
            return [Fault(element: 0, rule: "xml", detail: error.description)]
        }
        guard let root = reader.root else {
            return [Fault(element: 0, rule: "xml", detail: "empty")]
        }
        var check = Check()
        check.document(root)
        return check.faults
    }

    private final class Element {
        let name: String
        let number: Int
        let attributes: [String: String]
        var children: [Element] = []
        var text = ""

        init(_ name: String, _ number: Int, _ attributes: [String: String]) {
            self.name = name
            self.number = number
            self.attributes = attributes
        }
    }

    private final class Reader: XMLHandler {
        var root: Element?
        private var open: [Element] = []
        private var count = 0

        func start(_ name: String, attributes: [XMLAttribute]) {
            count += 1
            var values: [String: String] = [:]
            for attribute in attributes { values[attribute.name] = attribute.value }
            let element = Element(name, count, values)
            if let parent = open.last { parent.children.append(element) } else { root = element }
            open.append(element)
        }

        func end(_ name: String) { open.removeLast() }

        func text(_ text: String) { open.last?.text += text }
    }

    private struct Check {
        var faults: [Fault] = []
        private var styles: Set<String> = []
        private var regions: [String: Element] = [:]
        private var agents: Set<String> = []
        private var names: Set<String> = []
        private var shown: [(start: Int, end: Int, region: String)] = []

        private mutating func fault(_ element: Element, _ rule: String, _ detail: String = "") {
            faults.append(Fault(element: element.number, rule: rule, detail: detail))
        }

        private static let namespaces = [
            "xmlns": "http://www.w3.org/ns/ttml", "xmlns:ttm": "http://www.w3.org/ns/ttml#metadata",
            "xmlns:ttp": "http://www.w3.org/ns/ttml#parameter",
            "xmlns:tts": "http://www.w3.org/ns/ttml#styling",
            "xmlns:itts": "http://www.w3.org/ns/ttml/profile/imsc1#styling",
        ]

        // MARK: Structure

        mutating func document(_ root: Element) {
            guard root.name == "tt" else { return fault(root, "root", root.name) }
            for (name, value) in root.attributes {
                switch name {
                case "xml:lang", "xml:space": break
                case "ttp:contentProfiles":
                    if value != "http://www.w3.org/ns/ttml/profile/imsc1.1/text" {
                        fault(root, "profile", value)
                    }
                default:
                    if Self.namespaces[name] != value { fault(root, "attribute", name) }
                }
            }
            if root.attributes["xml:lang"] == nil { fault(root, "lang") }
            if root.attributes["ttp:contentProfiles"] == nil { fault(root, "profile", "none") }
            if root.attributes["xmlns"] == nil { fault(root, "namespace") }
            if root.children.map(\.name) != ["head", "body"] {
                fault(root, "structure", root.children.map(\.name).joined(separator: " "))
            }
            noText(root)
            for child in root.children {
                if child.name == "head" { head(child) }
                if child.name == "body" { body(child) }
            }
            presentedRegions(root)
        }

        private mutating func noText(_ element: Element) {
            if element.text.contains(where: { !$0.isWhitespace }) { fault(element, "stray-text") }
        }

        /// Children of these names only, in this order, each at most once.
        private mutating func order(_ element: Element, _ allowed: [String]) {
            let places = element.children.map { allowed.firstIndex(of: $0.name) ?? -1 }
            if places.contains(-1) || zip(places, places.dropFirst()).contains(where: { $0 >= $1 })
            {
                fault(element, "structure", element.children.map(\.name).joined(separator: " "))
            }
            noText(element)
        }

        private mutating func head(_ head: Element) {
            attributes(head, [])
            order(head, ["metadata", "styling", "layout"])
            for part in head.children {
                attributes(part, [])
                noText(part)
                for element in part.children {
                    switch (part.name, element.name) {
                    case ("metadata", "ttm:title"): attributes(element, [])
                    case ("metadata", "ttm:agent"): agent(element)
                    case ("styling", "style"): style(element)
                    case ("layout", "region"): region(element)
                    default: fault(element, "structure", element.name)
                    }
                }
            }
        }

        private mutating func agent(_ element: Element) {
            attributes(element, ["xml:id", "type"])
            if element.attributes["type"] != "character" { fault(element, "agent") }
            if element.children.map(\.name) != ["ttm:name"] { fault(element, "agent") }
            if let id = name(element) { agents.insert(id) }
        }

        private mutating func style(_ element: Element) {
            attributes(element, ["xml:id"], styles: true)
            noText(element)
            if element.attributes.count < 2 { fault(element, "style", "empty") }
            if let id = name(element) { styles.insert(id) }
        }

        /// IMSC 1.1, section 8.4: a region has an extent and an origin or position, inside the root.
        private mutating func region(_ element: Element) {
            attributes(element, ["xml:id"], styles: true)
            noText(element)
            if let id = name(element) { regions[id] = element }
            let origin = Self.percents(element.attributes["tts:origin"])
            let extent = Self.percents(element.attributes["tts:extent"])
            guard origin.count == 2, extent.count == 2 else { return fault(element, "region") }
            for axis in 0..<2
            where origin[axis] < 0 || extent[axis] <= 0 || origin[axis] + extent[axis] > 100.0001 {
                fault(element, "region", "outside of the root")
            }
        }

        private static func percents(_ text: String?) -> [Double] {
            (text ?? "").split(separator: " ").compactMap { part in
                part.last == "%" ? Double(part.dropLast()) : nil
            }
        }

        private mutating func name(_ element: Element) -> String? {
            guard let id = element.attributes["xml:id"] else {
                fault(element, "name", "none")
                return nil
            }
            check(name: id, element)
            return id
        }

        private mutating func check(name id: String, _ element: Element) {
            let first = id.unicodeScalars.first.map {
                $0.properties.isAlphabetic || $0 == "_"
            }
            let rest = id.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "-._".unicodeScalars.contains($0)
            }
            if first != true || !rest { fault(element, "name", id) }
            if !names.insert(id).inserted { fault(element, "name", "twice: \(id)") }
        }

        private mutating func body(_ body: Element) {
            attributes(body, [])
            noText(body)
            for division in body.children {
                guard division.name == "div" else {
                    fault(division, "structure", division.name)
                    continue
                }
                attributes(division, [])
                noText(division)
                for element in division.children {
                    if element.name == "p" {
                        paragraph(element)
                    } else {
                        fault(element, "structure", element.name)
                    }
                }
            }
        }

        // MARK: Content

        private mutating func paragraph(_ element: Element) {
            attributes(
                element,
                [
                    "xml:id", "begin", "end", "region", "style", "itts:forcedDisplay", "xml:space",
                    "xml:lang",
                ])
            if let id = element.attributes["xml:id"] { check(name: id, element) }
            if let forced = element.attributes["itts:forcedDisplay"], forced != "true" {
                fault(element, "value", forced)
            }
            if let space = element.attributes["xml:space"], space != "preserve" {
                fault(element, "value", space)
            }
            references(element)
            let region = element.attributes["region"] ?? ""
            if regions[region] == nil { fault(element, "reference", region) }
            let begin = Self.milliseconds(element.attributes["begin"])
            let end = Self.milliseconds(element.attributes["end"])
            if let begin, let end, begin < end {
                shown.append((begin, end, region))
            } else {
                fault(element, "time")
            }
            for child in element.children { inline(child, ruby: nil) }
        }

        private mutating func references(_ element: Element) {
            if let style = element.attributes["style"], !styles.contains(style) {
                fault(element, "reference", style)
            }
            if let agent = element.attributes["ttm:agent"], !agents.contains(agent) {
                fault(element, "reference", agent)
            }
            if let language = element.attributes["xml:lang"], language.isEmpty {
                fault(element, "lang")
            }
        }

        /// TTML2, section 10.2.35: a container has a base and a text, which contain only text.
        private mutating func inline(_ element: Element, ruby: String?) {
            guard element.name == "span" else {
                if element.name != "br" || ruby != nil { fault(element, "structure", element.name) }
                attributes(element, [])
                if !element.children.isEmpty || !element.text.isEmpty {
                    fault(element, "structure")
                }
                return
            }
            attributes(element, ["style", "tts:ruby", "ttm:agent", "xml:lang"])
            references(element)
            let own = element.attributes["tts:ruby"]
            switch (ruby, own) {
            case (nil, nil), ("container", "base"), ("container", "text"): break
            case (nil, "container"):
                noText(element)
                if element.children.map({ $0.attributes["tts:ruby"] }) != ["base", "text"] {
                    fault(element, "ruby")
                }
            default: fault(element, "ruby", own ?? "none")
            }
            if own == "base" || own == "text", !element.children.isEmpty || element.text.isEmpty {
                fault(element, "ruby")
            }
            for child in element.children { inline(child, ruby: own) }
        }

        // MARK: Attributes

        private mutating func attributes(
            _ element: Element, _ allowed: Set<String>, styles: Bool = false
        ) {
            for (name, value) in element.attributes where !allowed.contains(name) {
                guard styles, let isValid = Self.isValid(name, value) else {
                    fault(element, "attribute", name)
                    continue
                }
                if !isValid { fault(element, "value", "\(name)=\(value)") }
            }
        }

        /// `true` if a style has a value of its kind; `nil` for one that we never write.
        private static func isValid(_ name: String, _ value: String) -> Bool? {
            let words = value.split(separator: " ").map(String.init)
            switch name {
            case "tts:color", "tts:backgroundColor":
                return value.first == "#" && [7, 9].contains(value.utf8.count)
                    && value.dropFirst().allSatisfy(\.isHexDigit)
            case "tts:fontStyle": return value == "italic"
            case "tts:fontWeight": return value == "bold"
            case "tts:textDecoration":
                return ["underline", "lineThrough", "underline lineThrough"].contains(value)
            case "tts:fontFamily":
                return value == "monospace" || value == "serif"
                    || value.utf8.count > 2 && value.first == "'" && value.last == "'"
                        && !value.dropFirst().dropLast().contains("'")
            case "tts:fontSize":
                return value.hasSuffix("rh") && (Double(value.dropLast(2)).map { $0 > 0 } ?? false)
            case "tts:textOutline":
                return words.count == 2 && words[1].hasSuffix("rh") && words[0].first == "#"
            case "tts:textShadow":
                let shadows = value.split(separator: ",")
                return shadows.count <= 4 && shadows.allSatisfy { $0.contains("#") }
            case "tts:lineHeight": return value.hasSuffix("rh")
            case "tts:wrapOption": return value == "noWrap"
            case "tts:showBackground": return value == "whenActive"
            case "tts:textAlign":
                return ["start", "center", "end", "left", "right"].contains(value)
            case "tts:direction": return value == "rtl"
            case "tts:displayAlign": return ["before", "center", "after"].contains(value)
            case "tts:writingMode": return ["tbrl", "tblr"].contains(value)
            case "tts:overflow": return value == "visible"
            case "tts:origin", "tts:extent": return words.count == 2 && percents(value).count == 2
            default: return nil
            }
        }

        // MARK: Times

        /// A clock time `hh:mm:ss.mmm` in milliseconds.
        private static func milliseconds(_ text: String?) -> Int? {
            let parts = (text ?? "").split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].utf8.count >= 2, parts[1].utf8.count == 2,
                parts[2].utf8.count == 6, let hours = Int(parts[0]), let minutes = Int(parts[1]),
                minutes < 60, let seconds = Double(parts[2]), seconds < 60
            else { return nil }
            return (hours * 60 + minutes) * 60_000 + Int((seconds * 1000).rounded())
        }

        private func overlap(_ one: Element?, _ other: Element?) -> Bool {
            let sides = [one, other].map { region in
                let origin = Self.percents(region?.attributes["tts:origin"])
                let extent = Self.percents(region?.attributes["tts:extent"])
                return zip(origin, extent).map { ($0, $0 + $1) }
            }
            guard sides.allSatisfy({ $0.count == 2 }) else { return false }
            return (0..<2).allSatisfy { axis in
                // Thousandths may be rounded.
                sides[0][axis].0 + 0.0001 < sides[1][axis].1
                    && sides[1][axis].0 + 0.0001 < sides[0][axis].1
            }
        }

        /// IMSC 1.1, section 6.10: no more than four regions at one time, of which none overlap.
        private mutating func presentedRegions(_ root: Element) {
            var changes: [(time: Int, isEnd: Bool, region: String)] = []
            for part in shown {
                changes.append((part.start, false, part.region))
                changes.append((part.end, true, part.region))
            }
            changes.sort { ($0.time, $0.isEnd ? 0 : 1) < ($1.time, $1.isEnd ? 0 : 1) }
            var counts: [String: Int] = [:]
            for change in changes {
                counts[change.region, default: 0] += change.isEnd ? -1 : 1
                if counts[change.region] == 0 { counts[change.region] = nil }
                if !change.isEnd, counts[change.region] == 1 {
                    for other in counts.keys where other != change.region {
                        if overlap(regions[other], regions[change.region]) {
                            return fault(
                                root, "overlap",
                                "\(other) and \(change.region) at \(change.time) ms")
                        }
                    }
                }
                if counts.count > 4 { return fault(root, "regions", "at \(change.time) ms") }
            }
        }
    }
}
