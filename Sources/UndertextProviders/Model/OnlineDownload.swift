/// A subtitle that was fetched.
public struct OnlineDownload: Hashable, Sendable {
    /// A file of it, in memory.
    public struct File: Hashable, Sendable {
        /// Its name without folders, as the provider or an archive tells it; not fit for a path yet.
        public var name: String
        /// Its extension in lower case, by content where that tells it: `srt`, `ass`, `idx`.
        public var fileExtension: String
        /// What is in it.
        public var bytes: [UInt8]

        /// Creates a file.
        public init(name: String, fileExtension: String, bytes: [UInt8]) {
            self.name = name
            self.fileExtension = fileExtension
            self.bytes = bytes
        }
    }

    /// The file; an `.idx` file is followed by its `.sub` file.
    public var files: [File]
    /// Other subtitles in the same archive, by name: one was chosen, these were not.
    public var leftOut: [String]
    /// What the provider said of downloads that are left.
    public var quota: OnlineQuota?

    /// Creates a download.
    public init(files: [File], leftOut: [String] = [], quota: OnlineQuota? = nil) {
        self.files = files
        self.leftOut = leftOut
        self.quota = quota
    }
}
