internal import Synchronization
package import UndertextCore

/// The existing outputs: in the file system, or in object storage for `s3://` paths.
package final class OutputStore: Sendable {
    /// A folder of object storage: hashes of its names with the sizes of objects, or `nil` for folders.
    private struct Listing {
        let folder: [UInt8]
        var sizes: [Int: Int64?]
        let time: ContinuousClock.Instant
    }

    private let store: S3Store
    private let listsFolders: Bool
    /// The folders that were listed last.
    private let listings = Mutex<[Listing]>([])
    private static let mostListings = 16
    /// The time after which a folder is listed again.
    private static let longestUse = Duration.seconds(600)

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - listsFolders: `true` to list a folder of object storage once instead of looking up each object in it.
    ///   - store: Sends the requests.
    package init(listsFolders: Bool = false, store: S3Store = .ofProcess) {
        self.listsFolders = listsFolders
        self.store = store
    }

    /// The state of an output.
    package struct State: Hashable, Sendable {
        /// `true` if something is at the path.
        package var exists = false
        /// `true` if it is a folder.
        package var isFolder = false
        /// Bytes of a file or object.
        package var size: Int64?
    }

    /// Looks a path up.
    ///
    /// - Parameters:
    ///   - path: The path of a file or folder.
    ///   - isFolder: `true` if the output is a folder: an object with the name of a folder is something else.
    /// - Returns: The state.
    /// - Throws: ``UndertextError`` if object storage cannot be asked.
    package func state(of path: String, isFolder: Bool) throws(UndertextError) -> State {
        guard let location = try Self.location(path) else {
            guard FileSystem.exists(path),
                let status = try? FileStatus(of: path, followingLinks: false)
            else { return State() }
            return State(
                exists: true, isFolder: status.kind == .folder,
                size: status.kind == .file ? status.size : nil)
        }
        if listsFolders { return try listed(location, isFolder: isFolder) }
        if isFolder {
            let first = try S3Listing(location.folder, isFlat: true, pageSize: 1, store: store)
                .next()
            return State(exists: first != nil, isFolder: first != nil)
        }
        let object = try store.object(location)
        return State(exists: object != nil, size: object?.size)
    }

    /// `true` if something is at a path.
    package func exists(_ path: String, isFolder: Bool = false) throws(UndertextError) -> Bool {
        S3Location.isLocation(path)
            ? try state(of: path, isFolder: isFolder).exists : FileSystem.exists(path)
    }

    /// Notes an output that was written.
    package func note(_ path: String, size: Int64, isFolder: Bool) {
        guard listsFolders, let location = (try? Self.location(path)) ?? nil else { return }
        let (folder, name) = Self.parts(of: location, isFolder: isFolder)
        listings.withLock { listings in
            guard let index = listings.firstIndex(where: { $0.folder == folder }) else { return }
            listings[index].sizes[name] = .some(isFolder ? nil : size)
        }
    }

    /// Creates a folder and its missing parents; folders of object storage need none.
    ///
    /// - Returns: The created folders.
    @discardableResult
    package static func makeFolder(_ path: String) throws(UndertextError) -> [String] {
        if S3Location.isLocation(path) || FileSystem.isDirectory(path) { return [] }
        return try FileSystem.createDirectory(path)
    }

    /// Makes sure that files can be created in a folder, which exists.
    ///
    /// - Throws: ``UndertextError``; for object storage only if it cannot be reached, since rights may differ for reading and
    ///   writing.
    package func check(folder: String) throws(UndertextError) {
        guard let location = try Self.location(folder) else {
            return try OutputFile(path: PathName.joining(folder, "undertext")).abort()
        }
        if listsFolders {
            _ = try listed(location.appending("undertext"), isFolder: false)
        } else {
            _ = try S3Listing(location.folder, isFlat: true, pageSize: 1, store: store).next()
        }
    }

    /// The names in a folder; folders in it end with a slash.
    ///
    /// - Throws: ``UndertextError`` if the folder cannot be listed, or with code `limit-exceeded`.
    package static func names(
        in folder: String, limit: Int, _ store: S3Store = .ofProcess
    ) throws(UndertextError) -> [String] {
        guard let location = try location(folder)?.folder else {
            return try FileSystem.names(in: folder)
        }
        let listing = S3Listing(location, isFlat: true, store: store)
        var names: [String] = []
        while let entry = try listing.next() {
            let key: String
            switch entry {
            case .object(let object): key = object.location.key
            case .folder(let other): key = other.key
            case .damaged: continue
            }
            let name = String(decoding: key.utf8.dropFirst(location.key.utf8.count), as: UTF8.self)
            if !name.isEmpty { names.append(name) }
            guard names.count <= limit else {
                throw UndertextError(
                    .limit, "the folder has more than \(limit) objects", path: folder)
            }
        }
        return names
    }

    /// The contents of a small file that Undertext has written; `nil` if there is none.
    package static func contents(
        of path: String, limit: Int, _ store: S3Store = .ofProcess
    ) throws(UndertextError) -> [UInt8]? {
        guard let location = try location(path) else {
            guard FileSystem.exists(path) else { return nil }
            return try FileSystem.contents(of: path, limit: limit, isInput: false)
        }
        do throws(UndertextError) {
            return try store.with(location) { client throws(UndertextError) in
                try client.send("GET", location, limit: limit).body
            }
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    // MARK: - Object storage

    /// The location of an `s3://` path; `nil` for a path of the file system.
    private static func location(_ path: String) throws(UndertextError) -> S3Location? {
        S3Location.isLocation(path) ? try S3Location(path) : nil
    }

    /// The folder as bytes, since texts that look the same may be different keys, and the hash of the name in it.
    private static func parts(
        of location: S3Location, isFolder: Bool
    ) -> (folder: [UInt8], name: Int) {
        let key = Array(location.key.utf8)
        let start = (key.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        let folder = Array(location.bucket.utf8) + [0x2F] + key[..<start]
        return (folder, hash(key[start...], isFolder: isFolder))
    }

    private static func hash(_ name: ArraySlice<UInt8>, isFolder: Bool) -> Int {
        var hasher = Hasher()
        hasher.combine(Array(name))
        hasher.combine(isFolder)
        return hasher.finalize()
    }

    private func listed(
        _ location: S3Location, isFolder: Bool
    ) throws(UndertextError) -> State {
        let (folder, name) = Self.parts(of: location, isFolder: isFolder)
        let known = listings.withLock { listings -> Listing? in
            guard let index = listings.firstIndex(where: { $0.folder == folder }) else {
                return nil
            }
            let listing = listings.remove(at: index)
            guard ContinuousClock.now - listing.time < Self.longestUse else { return nil }
            listings.append(listing)
            return listing
        }
        let sizes = if let known { known.sizes } else { try list(location, folder) }
        guard let size = sizes[name] else { return State() }
        return State(exists: true, isFolder: isFolder, size: size)
    }

    private func list(
        _ location: S3Location, _ folder: [UInt8]
    ) throws(UndertextError) -> [Int: Int64?] {
        let length = folder.count - location.bucket.utf8.count - 1
        let prefix = S3Location(
            bucket: location.bucket,
            key: String(decoding: location.key.utf8.prefix(length), as: UTF8.self))
        let listing = S3Listing(prefix, isFlat: true, store: store)
        var sizes: [Int: Int64?] = [:]
        while let entry = try listing.next() {
            switch entry {
            case .object(let object):
                let name = Array(object.location.key.utf8.dropFirst(length))
                sizes[Self.hash(name[...], isFolder: false)] = .some(object.size)
            case .folder(let other):
                let name = Array(other.key.utf8.dropFirst(length).dropLast())
                sizes[Self.hash(name[...], isFolder: true)] = .some(nil)
            case .damaged: continue
            }
        }
        let made = Listing(folder: folder, sizes: sizes, time: .now)
        listings.withLock { listings in
            listings.removeAll { $0.folder == folder }
            if listings.count >= Self.mostListings { listings.removeFirst() }
            listings.append(made)
        }
        return sizes
    }
}
