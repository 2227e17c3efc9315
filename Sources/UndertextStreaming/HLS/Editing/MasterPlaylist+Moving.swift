public import UndertextCore

extension MasterPlaylist {
    /// The playlist for another address, with absolute references.
    ///
    /// Variables are replaced if they are part of a relative reference. A variable from the query of the
    /// address is defined by its value, so that media playlists can still import it. References with a scheme
    /// are kept. For unknown tags (`EXT-X-IMAGE-STREAM-INF`), the attribute `URI` is a reference. Credentials
    /// in the playlist's own address are not copied.
    ///
    /// - Parameter rewriting: changes each address that became absolute.
    /// - Returns: the playlist; everything else stays, byte for byte.
    public func movable(rewriting: (String) -> String = { $0 }) -> PlaylistText {
        var result = text
        let base = URI(url).withoutCredentials
        guard base.scheme != nil else { return result }
        var known = PlaylistVariables(url: url, imports: nil, limits: StreamingLimits())
        func absolute(_ reference: String) -> String? {
            guard let plain = try? known.replaced(reference) else { return nil }
            let target = URI(URI.repaired(plain))
            return target.scheme == nil
                ? rewriting(target.resolved(against: base).description) : nil
        }
        for index in result.lines.indices {
            switch result.lines[index].kind {
            case .uri(let uri):
                guard let uri = absolute(uri) else { continue }
                result.lines[index].content = Array(uri.utf8)
            case .tag("EXT-X-DEFINE", let value):
                let attributes = PlaylistAttributes(value)
                // The playlist was read, so nothing is wrong with its variables.
                try? known.define(attributes)
                guard let name = attributes["QUERYPARAM"], let value = known.values[name] else {
                    continue
                }
                var plain = PlaylistAttributes([])
                plain.set("NAME", to: .quoted(name))
                plain.set("VALUE", to: .quoted(value))
                result.lines[index].content = Array("#EXT-X-DEFINE:".utf8) + plain.bytes
            case .tag(let name, _) where name.hasPrefix("EXT-X-"):
                result.lines[index].changeAttributes { attributes in
                    for key in ["URI", "SERVER-URI"] {
                        let known = attributes.list.first { $0.name == key && $0.isQuoted }
                        guard let uri = known.flatMap({ absolute($0.value) }) else { continue }
                        attributes.set(key, to: .quoted(uri))
                    }
                }
            case .blank, .comment, .tag: continue
            }
        }
        return result
    }

    /// The properties of a media playlist for which a master playlist is made.
    public struct SingleVariant: Hashable, Sendable {
        /// The address of the media playlist.
        public var uri: String
        /// The peak bit rate, which a master playlist must state.
        public var bandwidth: Int64
        /// The bits per second on average; `nil` if they are not known.
        public var averageBandwidth: Int64?
        /// The codecs as RFC 6381 writes them; empty if they are not known.
        public var codecs: [String]
        /// Width and height in pixels.
        public var resolution: PixelSize?
        /// Frames per second as a fraction; `nil` if they are not known.
        public var frameRate: TimeBase?

        /// Creates a description.
        public init(
            uri: String, bandwidth: Int64, averageBandwidth: Int64? = nil, codecs: [String] = [],
            resolution: PixelSize? = nil, frameRate: TimeBase? = nil
        ) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
            self.resolution = resolution
            self.frameRate = frameRate
        }

        /// The frame rate with three decimals (RFC 8216, section 4.3.4.2); `nil` for what is none.
        var frameRateText: String? {
            guard let rate = frameRate, rate.isValid else { return nil }
            let (frames, seconds) = (Int128(rate.numerator), Int128(rate.denominator))
            let thousandths = (frames * 2000 + seconds) / (seconds * 2)
            guard (1...1_000_000).contains(thousandths) else { return nil }
            return "\(thousandths / 1000)." + "\(thousandths % 1000 + 1000)".dropFirst()
        }
    }

    /// A master playlist for a media playlist that has none.
    public static func text(for variant: SingleVariant) -> PlaylistText {
        var attributes = PlaylistAttributes([])
        attributes.set("BANDWIDTH", to: .plain("\(max(1, variant.bandwidth))"))
        if let average = variant.averageBandwidth {
            attributes.set("AVERAGE-BANDWIDTH", to: .plain("\(max(1, average))"))
        }
        if let size = variant.resolution {
            attributes.set("RESOLUTION", to: .plain("\(size.width)x\(size.height)"))
        }
        if let rate = variant.frameRateText { attributes.set("FRAME-RATE", to: .plain(rate)) }
        if !variant.codecs.isEmpty {
            attributes.set("CODECS", to: .quoted(variant.codecs.joined(separator: ",")))
        }
        return PlaylistText(lines: [
            PlaylistLine("#EXTM3U"),
            PlaylistLine(Array("#EXT-X-STREAM-INF:".utf8) + attributes.bytes),
            PlaylistLine(URI.repaired(variant.uri)),
        ])
    }
}
