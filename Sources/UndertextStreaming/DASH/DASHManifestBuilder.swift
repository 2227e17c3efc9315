internal import UndertextCore

/// Goes over the tree of a manifest; what an outer element says holds for inner ones.
struct DASHManifestBuilder {
    /// The inherited properties of nested elements.
    private struct Context {
        /// The base URLs, in order of preference; never empty.
        var bases: [URI]
        /// The time by which segments of a live stream are available before they are complete.
        var availabilityOffset = Duration.zero
        /// The addressing elements of one kind, outermost first.
        var segments: [ManifestElement] = []
        /// The attributes inherited from outer elements.
        var attributes: [String: String] = [:]

        private static let inherited: Set<String> = [
            "width", "height", "mimeType", "codecs", "frameRate", "audioSamplingRate",
        ]

        /// With what an element says, outermost first.
        ///
        /// - Throws: `UndertextError`: `limit` where a base URL is longer than allowed.
        func entering(
            _ element: ManifestElement, _ limits: StreamingLimits
        ) throws(UndertextError) -> Context {
            var inner = self
            try inner.enterBases(element.all("BaseURL"), limits)
            for name in ["SegmentTemplate", "SegmentList", "SegmentBase"] {
                guard let found = element.child(name) else { continue }
                // Another kind of addressing takes the place of what outer elements say.
                inner.segments.removeAll { $0.name != name }
                inner.segments.append(found)
                break
            }
            for name in Self.inherited {
                inner.attributes[name] = element[name] ?? attributes[name]
            }
            return inner
        }

        /// Several base URLs are alternatives, and so are those of outer elements for each of them
        /// (ISO/IEC 23009-1, section 5.6).
        private mutating func enterBases(
            _ elements: [ManifestElement], _ limits: StreamingLimits
        ) throws(UndertextError) {
            guard let first = elements.first else { return }
            guard elements.allSatisfy({ $0.text.utf8.count <= limits.templateLength }) else {
                throw UndertextError(
                    .limit, "a base URL is longer than \(limits.templateLength) bytes")
            }
            availabilityOffset += DASHAddressing.availabilityOffset(of: first)
            var found: [URI] = []
            for outer in bases {
                for element in elements.prefix(Self.mostBases) {
                    let base = URI(URI.repaired(element.text))
                        .resolved(against: outer)
                    if !found.contains(base) { found.append(base) }
                }
            }
            bases = Array(found.prefix(Self.mostBases))
        }

        /// The maximum number of base URLs that are tried for one segment.
        private static let mostBases = 4
    }

    private let limits: StreamingLimits
    private(set) var notes: StreamingNotes
    private var representations = 0
    /// Bytes of the base URLs of all representations.
    private var baseSize = 0

    init(limits: StreamingLimits) {
        self.limits = limits
        notes = StreamingNotes(limits)
    }

    /// The periods; a missing start is the end of the previous period.
    mutating func periods(
        of root: ManifestElement, url: String, length: Timestamp?
    ) throws(UndertextError) -> [DASHManifest.Period] {
        // ISO/IEC 23009-1, section 5.3.2.1.2: an advertisement that is not there, for one.
        let elements = root.all("Period").filter {
            $0["xlink:href"] != "urn:mpeg:dash:resolve-to-zero:2013"
        }
        guard elements.count <= limits.entries else {
            throw UndertextError(.limit, "the manifest has more than \(limits.entries) periods")
        }
        let context = try Context(bases: [URI(url)]).entering(root, limits)
        var periods: [DASHManifest.Period] = []
        for (index, element) in elements.enumerated() {
            if element["xlink:href"] != nil {
                notes.add(
                    .error, "remote-period", "a period in another document is not fetched")
            }
            let previous = periods.last.flatMap { last in
                last.duration.map { last.start.advanced(by: $0) }
            }
            let stated = element["start"].flatMap(ISO8601.span)
            if stated == nil, previous == nil, index > 0 {
                notes.add(.warning, "no-period-start", "the start of a period is unknown")
            }
            let start = stated ?? previous ?? .zero
            let next = index + 1 < elements.count ? elements[index + 1]["start"] : nil
            let end = next.flatMap(ISO8601.span) ?? (index + 1 == elements.count ? length : nil)
            let duration =
                element["duration"].flatMap(ISO8601.span).map { Timestamp.zero.duration(to: $0) }
                ?? end.map { start.duration(to: max($0, start)) }
            var period = DASHManifest.Period(
                id: element["id"], start: start, duration: duration, adaptationSets: [])
            let inner = try context.entering(element, limits)
            for set in element.all("AdaptationSet") {
                period.adaptationSets.append(try adaptationSet(set, inner, period))
            }
            periods.append(period)
        }
        return periods
    }

    private mutating func adaptationSet(
        _ element: ManifestElement, _ outer: Context, _ period: DASHManifest.Period
    ) throws(UndertextError) -> DASHManifest.AdaptationSet {
        var context = outer
        // Names, lengths and the like of a period are not those of its sets.
        context.attributes = [:]
        context = try context.entering(element, limits)
        let first = element.child("Representation")
        let type =
            element["contentType"] ?? first?["contentType"]
            ?? Self.contentType(
                (first?["mimeType"] ?? element["mimeType"] ?? ""),
                codecs(first?["codecs"] ?? element["codecs"]))
        let guards =
            element.all("ContentProtection")
            + (first?.all("ContentProtection") ?? [])
        var set = DASHManifest.AdaptationSet(
            contentType: type, language: element["lang"].flatMap { LanguageTag($0) },
            label: (element.child("Label")?.text ?? element["label"]).flatMap(Self.name),
            roles: Self.descriptors(element, "Role"),
            accessibility: Self.descriptors(element, "Accessibility"),
            properties: Self.descriptors(element, "EssentialProperty")
                + Self.descriptors(element, "SupplementalProperty"),
            protection: Self.systems(guards),
            protectionScheme: guards.first { $0["schemeIdUri"] == Self.commonEncryption }?["value"],
            representations: [])
        if set.protectionScheme == nil, !set.protection.isEmpty { set.protectionScheme = "cenc" }
        for child in element.all("Representation") {
            guard representations < limits.entries else {
                throw UndertextError(
                    .limit, "the manifest has more than \(limits.entries) representations")
            }
            set.representations.append(
                try representation(
                    child, context.entering(child, limits), set, representations))
            representations += 1
        }
        return set
    }

    private mutating func representation(
        _ element: ManifestElement, _ context: Context, _ set: DASHManifest.AdaptationSet,
        _ number: Int
    ) throws(UndertextError) -> DASHManifest.Representation {
        let all = context.attributes
        var size: PixelSize?
        if let width = all["width"].flatMap({ Int($0) }), width > 0,
            let height = all["height"].flatMap({ Int($0) }), height > 0
        {
            size = PixelSize(width: width, height: height)
        }
        var addressing = try DASHAddressing(context.segments, limits: limits, notes: &notes)
        addressing.availabilityOffset += context.availabilityOffset
        let bases = context.bases.map(\.description)
        baseSize += bases.reduce(0) { $0 + $1.utf8.count }
        guard baseSize <= limits.playlistSize else {
            throw UndertextError(
                .limit,
                "the base URLs of the manifest are longer than \(limits.playlistSize) bytes together"
            )
        }
        let channels = element.child("AudioChannelConfiguration")?["value"].flatMap { Int($0) }
        return DASHManifest.Representation(
            id: element["id"] ?? "", number: number,
            bandwidth: element.number("bandwidth"), mimeType: all["mimeType"] ?? "",
            codecs: codecs(all["codecs"]), size: size,
            frameRate: all["frameRate"].flatMap(Self.frameRate), channels: channels,
            sampleRate: all["audioSamplingRate"].flatMap { Int($0) },
            isTrickPlay: set.properties.contains { $0.scheme == Self.trickMode },
            baseURLs: bases, addressing: addressing)
    }

    /// The names in a list of codecs, which each representation has from its set.
    private mutating func codecs(_ text: String?) -> [String] {
        guard text?.utf8.count ?? 0 <= Self.mostCodecs else {
            notes.add(
                .error, "bad-codecs", "a list of codecs is longer than \(Self.mostCodecs) bytes")
            return []
        }
        return codecNames(text)
    }

    // MARK: Parts

    private static let mostCodecs = 1024

    private static let commonEncryption = "urn:mpeg:dash:mp4protection:2011"
    private static let trickMode = "http://dashif.org/guidelines/trickmode"

    private static func name(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    private static func contentType(_ mimeType: String, _ codecs: [String]) -> String {
        if let kind = codecs.lazy.compactMap({ CodecParameter($0).kind }).first {
            return kind.rawValue
        }
        let type = mimeType.lowercased()
        if type.hasPrefix("application/ttml") { return "text" }
        return type.split(separator: "/").first.map(String.init) ?? ""
    }

    private static func descriptors(
        _ element: ManifestElement, _ name: String
    ) -> [DASHManifest.Descriptor] {
        element.all(name).map {
            DASHManifest.Descriptor(scheme: $0["schemeIdUri"] ?? "", value: $0["value"] ?? "")
        }
    }

    private static func systems(_ elements: [ManifestElement]) -> [DRMInfo.System] {
        var systems: [DRMInfo.System] = []
        for element in elements {
            guard let scheme = element["schemeIdUri"]?.lowercased(), scheme.hasPrefix("urn:uuid:")
            else { continue }
            let id = String(scheme.dropFirst(9))
            guard !systems.contains(where: { $0.id == id }) else { continue }
            systems.append(
                DRMInfo.System(
                    id: id,
                    initData: element.child("pssh").flatMap { Base64.decoded($0.text) } ?? [])
            )
        }
        return systems
    }

    private static func frameRate(_ text: String) -> Double? {
        let parts = text.split(separator: "/").map { Double($0) }
        guard let first = parts.first, let top = first else { return nil }
        let value = parts.count == 2 ? top / (parts[1] ?? 0) : top
        return value.isFinite && value > 0 ? value : nil
    }
}
