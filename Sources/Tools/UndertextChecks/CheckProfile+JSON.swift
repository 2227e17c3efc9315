package import UndertextCore
internal import UndertextFormats

extension CheckProfile {
    /// The maximum size of a profile in bytes.
    package static let sizeAtMost = 1 << 20
    private static let entriesAtMost = 1000
    private static let depthAtMost = 8
    private static let valuesAtMost = 50_000

    /// Reads a profile as JSON, which may be untrusted.
    ///
    /// `Documentation/Checking.md` describes the members. The entries of a profile that it extends come before its own.
    ///
    /// - Parameter bytes: The text, at most ``sizeAtMost`` bytes.
    /// - Throws: `UndertextError` with code `malformed`, `limit-exceeded` or `not-found`, whose message begins with the
    ///   path of the member, such as `rules[3].limit`.
    package init(parsing bytes: [UInt8]) throws(UndertextError) {
        guard bytes.count <= Self.sizeAtMost else {
            throw UndertextError(.limit, "the profile is larger than \(Self.sizeAtMost) bytes")
        }
        let json = try JSON(parsing: bytes, depth: Self.depthAtMost, values: Self.valuesAtMost)
        let fields = try ProfileFields(
            json, path: "",
            known: ["name", "title", "description", "extends", "frameRate", "sources", "rules"])
        var base: CheckProfile?
        if let name = try fields.text("extends") {
            do throws(UndertextError) {
                base = try CheckProfile.builtIn(name)
            } catch {
                throw fields.error("extends", error.message)
            }
        }
        guard let name = try fields.text("name") else {
            throw fields.error("name", "it is missing")
        }
        self.name = name
        title = try fields.text("title") ?? name
        description = try fields.text("description") ?? ""
        let sources = try Self.sources(fields)
        (frameRate, frameRateSource) = (base?.frameRate, base?.frameRateSource)
        if let rate = fields.value("frameRate") {
            let rateFields = try ProfileFields(
                rate, path: "frameRate", known: ["value", "source", "section"])
            guard let text = rateFields.value("value")?.identifier,
                let value = Retiming.frameRate(parsing: text),
                value.numerator >= value.denominator,
                Int64(value.numerator) <= 1000 * Int64(value.denominator)
            else {
                throw rateFields.error(
                    "value", "it is not a frame rate from 1 to 1000, such as 24 or \"24000/1001\"")
            }
            frameRate = value
            frameRateSource = try rateFields.source(sources)
        }
        entries = base?.entries ?? []
        guard let rules = fields.value("rules") else { return }
        guard case .array(let elements) = rules else {
            throw fields.error("rules", "it is not an array")
        }
        guard elements.count <= Self.entriesAtMost else {
            throw UndertextError(.limit, "rules: there are more than \(Self.entriesAtMost)")
        }
        for (index, element) in elements.enumerated() {
            entries.append(try Entry(element, path: "rules[\(index)]", sources: sources))
        }
    }

    private static func sources(
        _ fields: ProfileFields
    ) throws(UndertextError) -> [String: Source] {
        guard let value = fields.value("sources") else { return [:] }
        guard case .object(let members) = value else {
            throw fields.error("sources", "it is not an object")
        }
        var sources: [String: Source] = [:]
        for member in members {
            let source = try ProfileFields(
                member.value, path: "sources.\(member.key)", known: ["title", "url"])
            guard let title = try source.text("title") else {
                throw source.error("title", "it is missing")
            }
            sources[member.key] = Source(title: title, section: nil, url: try source.text("url"))
        }
        return sources
    }
}

extension CheckProfile.Entry {
    private static let namesAtMost = 200
    private static let largestLimit = 1_000_000.0

    fileprivate init(
        _ json: JSON, path: String, sources: [String: CheckProfile.Source]
    ) throws(UndertextError) {
        let fields = try ProfileFields(
            json, path: path,
            known: [
                "rule", "limit", "unit", "severity", "languages", "scripts", "count", "source",
                "section",
            ])
        guard let name = try fields.text("rule") else {
            throw fields.error("rule", "it is missing")
        }
        guard let rule = CheckRule(rawValue: name) else {
            let guess = nearestName(to: name, among: CheckRule.allCases.map(\.rawValue))
            throw fields.error(
                "rule",
                "'\(escapedForTerminal(String(name.prefix(60))))' is not a rule"
                    + (guess.map { "; did you mean '\($0)'?" } ?? ""))
        }
        self.rule = rule
        let severities = ["error", "warning", "info", "off"]
        let word = try fields.word("severity", of: severities) ?? "error"
        severity = Diagnostic.Severity(rawValue: word)
        languages = try fields.names("languages", atMost: Self.namesAtMost) { text in
            LanguageTag(text)
        }
        scripts = try fields.names("scripts", atMost: Self.namesAtMost) { text in
            WritingSystem(rawValue: text)
        }
        let counts = CharacterCount.allCases.map(\.rawValue)
        let count = try fields.word("count", of: counts)
        if count != nil, !rule.countsCharacters {
            throw fields.error("count", "the rule \(name) counts no characters")
        }
        self.count = count.flatMap { CharacterCount(rawValue: $0) } ?? .characters
        source = try fields.source(sources)
        limit = try Self.limit(of: rule, fields, isOff: severity == nil)
    }

    private static func limit(
        of rule: CheckRule, _ fields: ProfileFields, isOff: Bool
    ) throws(UndertextError) -> CheckProfile.Limit? {
        let unit = try fields.word("unit", of: ["seconds", "frames"])
        if unit != nil, rule.limit != .time {
            throw fields.error("unit", "the limit of \(rule.rawValue) is not a time")
        }
        guard let value = fields.value("limit") else {
            if rule.limit == .none || isOff { return nil }
            throw fields.error("limit", "it is missing")
        }
        switch rule.limit {
        case .none: throw fields.error("limit", "the rule \(rule.rawValue) has no limit")
        case .time, .number:
            guard case .number(let text) = value, let number = Double(text), number.isFinite,
                (0...largestLimit).contains(number)
            else {
                throw fields.error("limit", "it is not a number from 0 to \(Int(largestLimit))")
            }
            return unit == "frames" ? .frames(number) : .number(number)
        case .format:
            guard case .string(let name) = value, let format = SubtitleFormat(named: name),
                format.takes.contains(.text), !format.isRecords
            else {
                throw fields.error(
                    "limit", "it is not the name of a format that text is written in")
            }
            return .format(format)
        case .charset:
            guard case .string(let name) = value, !name.isEmpty, name.utf8.count <= 64 else {
                throw fields.error("limit", "it is not the name of a charset")
            }
            return .charset(name.lowercased())
        }
    }
}

/// The members of an object in a profile, with the path for messages.
private struct ProfileFields {
    private let json: JSON
    private let path: String

    /// No text of a profile needs more bytes.
    private static let textAtMost = 4096

    init(_ json: JSON, path: String, known: [String]) throws(UndertextError) {
        self.json = json
        self.path = path
        guard case .object(let members) = json else {
            throw UndertextError(
                .malformed, (path.isEmpty ? "the profile" : path) + ": it is not an object")
        }
        var seen: Set<String> = []
        for member in members {
            guard known.contains(member.key) else {
                let guess = nearestName(to: member.key, among: known)
                throw error(
                    escapedForTerminal(String(member.key.prefix(60))),
                    "there is no such member"
                        + (guess.map { "; did you mean '\($0)'?" } ?? ""))
            }
            guard seen.insert(member.key).inserted else {
                throw error(member.key, "it occurs twice")
            }
        }
    }

    func error(_ key: String, _ message: String) -> UndertextError {
        UndertextError(.malformed, (path.isEmpty ? key : "\(path).\(key)") + ": \(message)")
    }

    func value(_ key: String) -> JSON? { json[key] }

    func text(_ key: String) throws(UndertextError) -> String? {
        guard let value = json[key] else { return nil }
        guard case .string(let text) = value, !text.isEmpty else {
            throw error(key, "it is not a text")
        }
        guard text.utf8.count <= Self.textAtMost else { throw error(key, "it is too long") }
        return text
    }

    func word(_ key: String, of known: [String]) throws(UndertextError) -> String? {
        guard let text = try text(key) else { return nil }
        guard known.contains(text) else {
            throw error(key, "it is not one of \(known.joined(separator: ", "))")
        }
        return text
    }

    func names<Name>(
        _ key: String, atMost most: Int, _ name: (String) -> Name?
    ) throws(UndertextError) -> [Name] {
        guard let value = json[key] else { return [] }
        guard case .array(let elements) = value, !elements.isEmpty, elements.count <= most else {
            throw error(key, "it is not an array of 1 to \(most) names")
        }
        var names: [Name] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let known = name(text) else {
                throw error("\(key)[\(index)]", "it is not a known name")
            }
            names.append(known)
        }
        return names
    }

    func source(
        _ sources: [String: CheckProfile.Source]
    ) throws(UndertextError) -> CheckProfile.Source? {
        let section = try text("section")
        guard let key = try text("source") else {
            if section != nil { throw error("section", "there is no source that it is part of") }
            return nil
        }
        guard var source = sources[key] else { throw error("source", "it is not one of sources") }
        source.section = section
        return source
    }
}
