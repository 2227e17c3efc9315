/// The protection of the content.
///
/// NexPlayer: `DRMInfo`.
public struct DRMInfo: Hashable, Sendable {
    /// A DRM system that provides keys.
    public struct System: Hashable, Sendable {
        /// The identifier: a UUID in lower case (`pssh`, DASH) or an HLS `KEYFORMAT`.
        public var id: String
        /// The initialization data as stored in the file or manifest.
        public var initData: [UInt8]

        /// Creates a system.
        public init(id: String, initData: [UInt8] = []) {
            self.id = id
            self.initData = initData
        }
    }

    /// The scheme: `cenc`, `cbcs` (ISO/IEC 23001-7), `AES-128`, `SAMPLE-AES` (RFC 8216); `nil`
    /// if unknown.
    public var scheme: String?
    /// The systems that provide keys, in the order of the file or manifest.
    public var systems: [System]

    /// Creates a description.
    public init(scheme: String? = nil, systems: [System] = []) {
        self.scheme = scheme
        self.systems = systems
    }
}
