internal import UndertextCore
internal import UndertextIO

/// The folders of a watch, by path and by the number of their kernel watch.
struct WatchedFolders {
    private struct Node {
        let folder: WalkedFolder
        let identity: FileSystem.FileIdentity?
        /// `nil` if the kernel does not watch the folder.
        var watch: Int32?
    }

    private var nodes: [String: Node] = [:]
    /// The paths of the entered folders in a folder.
    private var children: [String: Set<String>] = [:]
    /// A folder that is mounted or linked at several places has one watch.
    private var paths: [Int32: [String]] = [:]
    private var places: [FileSystem.FileIdentity: String] = [:]

    /// The number of folders.
    var count: Int { nodes.count }

    /// The folders with that watch.
    func folders(of watch: Int32) -> [WalkedFolder] {
        (paths[watch] ?? []).compactMap { nodes[$0]?.folder }
    }

    /// The path under which a folder was entered first.
    func path(of identity: FileSystem.FileIdentity) -> String? { places[identity] }

    /// `true` if a folder with that path was entered.
    func contains(_ path: String) -> Bool { nodes[path] != nil }

    /// `true` if that very folder is watched at that path.
    func holds(_ path: String, _ identity: FileSystem.FileIdentity?) -> Bool {
        guard let node = nodes[path], node.watch != nil else { return false }
        return identity != nil && node.identity == identity
    }

    /// Adds a folder in place of one with the same path.
    mutating func add(
        _ folder: WalkedFolder, identity: FileSystem.FileIdentity?, watch: Int32?
    ) {
        if let old = nodes[folder.path] { forget(old) }
        nodes[folder.path] = Node(folder: folder, identity: identity, watch: watch)
        children[PathName.directoryName(folder.path), default: []].insert(folder.path)
        if let watch { paths[watch, default: []].append(folder.path) }
        if let identity { places[identity] = folder.path }
    }

    /// Notes that a watch has ended by itself.
    mutating func end(_ watch: Int32) {
        for path in paths.removeValue(forKey: watch) ?? [] { nodes[path]?.watch = nil }
    }

    /// Removes a folder and all below it.
    ///
    /// - Returns: The watches that no folder has any longer.
    mutating func drop(_ path: String) -> [Int32] {
        var watches: [Int32] = []
        var pending = [path]
        while let next = pending.popLast() {
            pending += children.removeValue(forKey: next) ?? []
            guard let node = nodes.removeValue(forKey: next) else { continue }
            forget(node)
            if let watch = node.watch, paths[watch] == nil { watches.append(watch) }
        }
        children[PathName.directoryName(path)]?.remove(path)
        return watches
    }

    private mutating func forget(_ node: Node) {
        if let identity = node.identity, places[identity] == node.folder.path {
            places[identity] = nil
        }
        guard let watch = node.watch else { return }
        paths[watch]?.removeAll { $0 == node.folder.path }
        if paths[watch]?.isEmpty == true { paths[watch] = nil }
    }
}
