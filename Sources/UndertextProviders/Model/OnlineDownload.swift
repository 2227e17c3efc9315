/// A downloaded subtitle.
public struct OnlineDownload: Hashable, Sendable {
    /// A file of a download, in memory.
    public struct File: Hashable, Sendable {
        /// The name without folders, as stated by the provider or archive; not a safe path.
        public var name: String
        /// The extension in lower case, detected from the content if possible: `srt`, `ass`, `idx`.
        public var fileExtension: String
        /// The bytes of the file.
        public var bytes: [UInt8]

        /// Creates a file.
        public init(name: String, fileExtension: String, bytes: [UInt8]) {
            self.name = name
            self.fileExtension = fileExtension
            self.bytes = bytes
        }
    }

    /// The downloaded file; an `.idx` file is followed by its `.sub` file.
    public var files: [File]
    /// The names of other subtitles in the same archive, which were not selected.
    public var leftOut: [String]
    /// The download quota, if the provider stated it.
    public var quota: OnlineQuota?

    /// Creates a download.
    public init(files: [File], leftOut: [String] = [], quota: OnlineQuota? = nil) {
        self.files = files
        self.leftOut = leftOut
        self.quota = quota
    }
}
