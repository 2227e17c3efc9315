internal import UndertextCore
internal import UndertextIO

/// The roots of a walk.
enum BatchRoots {
    /// The roots from the root of the file system on, without those that lie in others.
    static func canonical(_ roots: [String]) throws(UndertextError) -> [String] {
        var found: [String] = []
        for root in roots {
            guard let path = FileSystem.canonical(root) else {
                throw UndertextError(
                    .notFound, "there is no such folder; check the path", path: root)
            }
            if !found.contains(path) { found.append(path) }
        }
        return found.filter { path in
            !found.contains { other in
                other != path && path.utf8.starts(with: (other == "/" ? "/" : other + "/").utf8)
            }
        }
    }
}
