internal import UndertextCore
internal import UndertextIO

/// A cache of downloaded subtitles on disk, which saves time and quota.
///
/// Each download is a file that appears when it is complete and is used only if its key, length and
/// checksum are right, so files damaged by a crash or a full disk are ignored. File names are hashes of keys;
/// untrusted text never becomes part of a path. The least recently used files are removed first. Several processes
/// may share a folder.
public final class SubtitleCache: Sendable {
    /// The folder.
    public let folder: String
    /// The maximum size on disk in bytes.
    public let limit: Int

    private static let ending = ".subtitle"
    private static let temporaryEnding = ".undertext-part"
    /// Files take whole blocks on most disks; so there are never very many either.
    private static let leastSize = 4096
    /// A temporary file of that age was left by a crash.
    private static let forgotten = Duration.seconds(86_400)

    /// Creates a cache, or `nil` if the user has no cache folder.
    ///
    /// The folder is created with the first file.
    ///
    /// - Parameters:
    ///   - folder: The folder, or `nil` for `undertext/subtitles` in the user's cache folder
    ///     (`$XDG_CACHE_HOME`, otherwise `~/.cache`).
    ///   - limit: The maximum size on disk in bytes.
    public init?(folder: String? = nil, limit: Int = 64 << 20) {
        guard
            let folder = folder
                ?? FileSystem.cacheFolder.map({ PathName.joining($0, "undertext/subtitles") })
        else { return nil }
        self.folder = folder
        self.limit = max(0, limit)
    }

    /// Returns the file stored for a key, or `nil` if there is none or it is damaged.
    public func content(for key: String) -> CachedFile? {
        let path = path(for: key)
        guard FileSystem.facts(of: path) != nil,
            let bytes = try? FileSystem.contents(of: path, limit: limit, isInput: false)
        else { return nil }
        guard let content = CacheRecord.content(of: bytes, key: key) else {
            // Damaged, or the hash is that of another key: the next one replaces it.
            return nil
        }
        FileSystem.touch(path)
        return content
    }

    /// Stores a file for a key and removes files that exceed ``limit``.
    ///
    /// A file that is larger than ``limit`` is not stored.
    ///
    /// - Returns: `true` if the file is stored.
    @discardableResult
    public func store(_ content: CachedFile, for key: String) -> Bool {
        let record = CacheRecord.bytes(of: content, key: key)
        guard max(record.count, Self.leastSize) <= limit else { return false }
        let path = path(for: key)
        do throws(UndertextError) {
            try FileSystem.createDirectory(folder)
            let file = try OutputFile(path: path)
            try file.write(record)
            try file.commit(replacing: true)
        } catch {
            // A cache that cannot be written is none.
            return false
        }
        trim(keeping: path)
        return true
    }

    /// Removes all files.
    public func removeAll() {
        for (path, _) in entries() { FileSystem.removeFile(path) }
    }

    /// The size on disk in bytes.
    public var size: Int { entries().reduce(0) { $0 + Self.weight($1.1) } }

    private func path(for key: String) -> String {
        PathName.joining(folder, CacheRecord.name(of: key) + Self.ending)
    }

    private func entries() -> [(String, FileSystem.FileSummary)] {
        ((try? FileSystem.names(in: folder)) ?? []).compactMap { name in
            guard name.hasSuffix(Self.ending) else { return nil }
            let path = PathName.joining(folder, name)
            return FileSystem.facts(of: path).map { (path, $0) }
        }
    }

    private static func weight(_ facts: FileSystem.FileSummary) -> Int {
        max(leastSize, Int(clamping: facts.size))
    }

    /// Removes the least recently used until the rest fits, and what crashes left.
    private func trim(keeping kept: String) {
        var found = entries()
        var size = found.reduce(0) { $0 + Self.weight($1.1) }
        if size > limit {
            found.sort { $0.1.modified < $1.1.modified }
            for (path, facts) in found where path != kept && size > limit {
                if FileSystem.removeFile(path) { size -= Self.weight(facts) }
            }
        }
        let now = FileSystem.now
        for name in (try? FileSystem.names(in: folder)) ?? []
        where name.hasSuffix(Self.temporaryEnding) {
            let path = PathName.joining(folder, name)
            guard let facts = FileSystem.facts(of: path),
                facts.modified.duration(to: now) > Self.forgotten
            else { continue }
            FileSystem.removeFile(path)
        }
    }
}

/// A downloaded file with its name.
public struct CachedFile: Hashable, Sendable {
    /// The name for messages; it is not used to find files.
    public var name: String
    /// The bytes of the file.
    public var bytes: [UInt8]

    /// Creates a file.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
