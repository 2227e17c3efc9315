public import UndertextCore

/// A media presentation description: what MPEG-DASH has instead of playlists.
///
/// ISO/IEC 23009-1, section 5.3. Periods in other documents (`xlink`) are not fetched.
public struct DASHManifest: Hashable, Sendable {
    /// A period: a part of the presentation with streams of its own.
    public struct Period: Hashable, Sendable {
        /// Its name; `nil` for none.
        public var id: String?
        /// The start.
        public var start: Timestamp
        /// The duration; `nil` if it is not known yet.
        public var duration: Duration?
        /// Its streams.
        public var adaptationSets: [AdaptationSet]
    }

    /// A scheme and a value, which describe roles and other properties.
    public struct Descriptor: Hashable, Sendable {
        /// The scheme.
        public var scheme: String
        /// The value.
        public var value: String
    }

    /// The same content at different qualities.
    public struct AdaptationSet: Hashable, Sendable {
        /// The content type: `video`, `audio`, `text` or `image`; derived from media types if the manifest does
        /// not state it.
        public var contentType: String
        /// Its language.
        public var language: LanguageTag?
        /// Its name for people.
        public var label: String?
        /// The roles.
        public var roles: [Descriptor]
        /// The audience, and the captions that the video carries.
        public var accessibility: [Descriptor]
        /// Properties that a player must or may know.
        public var properties: [Descriptor]
        /// The content protection systems.
        public var protection: [DRMInfo.System]
        /// The scheme of the protection, `cenc` or `cbcs`.
        public var protectionScheme: String?
        /// Its qualities.
        public var representations: [Representation]
    }

    /// One quality of a stream.
    public struct Representation: Hashable, Sendable {
        /// Its name, unique in the period.
        public var id: String
        /// A number that no other representation of the manifest has.
        public var number: Int
        /// Bits per second.
        public var bandwidth: Int64?
        /// The media type.
        public var mimeType: String
        /// The codecs as RFC 6381 writes them.
        public var codecs: [String]
        /// Width and height in pixels.
        public var size: PixelSize?
        /// Frames per second.
        public var frameRate: Double?
        /// Audio channels.
        public var channels: Int?
        /// Audio samples per second.
        public var sampleRate: Int?
        /// `true` if it contains only images for trick play.
        public var isTrickPlay: Bool
        /// The base URLs, in order of preference; never empty.
        public var baseURLs: [String]
        /// The segment addressing.
        public var addressing: DASHAddressing
    }

    /// The address of the manifest.
    public let url: String
    /// `true` if the manifest changes: a live stream.
    public let isLive: Bool
    /// The duration of the presentation; `nil` if unknown.
    public let duration: Duration?
    /// The time at which media of a live stream become available, in nanoseconds since 1970.
    public let availabilityStart: Timestamp?
    /// The minimum update period of the manifest; `nil` if it never changes.
    public let updatePeriod: Duration?
    /// The time for which segments of a live stream remain available; `nil` if the manifest does not state it.
    public let keptFor: Duration?
    /// The address of the next version of the manifest, as written; `nil` for that of this one.
    public let location: String?
    /// The time at which the manifest was sent, in nanoseconds since 1970 (`UTCTiming` of the scheme `direct`);
    /// `nil` if not stated.
    public let sent: Timestamp?
    /// The periods in order.
    public let periods: [Period]
    /// The diagnostics of parsing.
    public let diagnostics: [Diagnostic]

    /// Parses a manifest.
    ///
    /// - Parameters:
    ///   - bytes: the manifest, XML.
    ///   - url: its address after redirects.
    ///   - limits: limits for memory and work.
    /// - Throws: `UndertextError`: `notMedia` if it is not an MPD, `limit`.
    public init(
        _ bytes: [UInt8], url: String = "", limits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        let root = try ManifestTree.read(bytes, limits: limits)
        guard root.name == "MPD" else {
            throw UndertextError(
                .notMedia, "the root element is <\(root.name.prefix(40))>, not MPD")
        }
        var builder = DASHManifestBuilder(limits: limits)
        self.url = url
        isLive = root["type"] == "dynamic"
        let length = root["mediaPresentationDuration"].flatMap(ISO8601.span)
        availabilityStart = root["availabilityStartTime"].flatMap(ISO8601.date)
        updatePeriod = root["minimumUpdatePeriod"].flatMap(ISO8601.span)
            .map { Timestamp.zero.duration(to: $0) }
        keptFor = root["timeShiftBufferDepth"].flatMap(ISO8601.span)
            .map { Timestamp.zero.duration(to: $0) }
        location = root.all("Location").lazy.map { URI.repaired($0.text) }.first {
            !$0.isEmpty
        }
        sent = root.all("UTCTiming").first {
            $0["schemeIdUri"] == "urn:mpeg:dash:utc:direct:2014"
        }?["value"]
        .flatMap(ISO8601.date)
        periods = try builder.periods(of: root, url: url, length: length)
        let end = periods.last.flatMap { last in last.duration.map { last.start.advanced(by: $0) } }
        duration = (length ?? (isLive ? nil : end)).map { Timestamp.zero.duration(to: $0) }
        diagnostics = builder.notes.all
    }
}
