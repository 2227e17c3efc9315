internal import ArgumentParser
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// The roots of a walk.
enum BatchRoots {
    /// The roots from the root of the file system on, without those that lie in others.
    static func canonical(_ roots: [String]) throws(UndertextError) -> [String] {
        var found: [String] = []
        for root in roots {
            guard let path = try canonical(root) else {
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

    /// The path of a folder without symbolic links, or an `s3://` URL without a slash at its end; `nil` if a folder does
    /// not exist.
    static func canonical(_ root: String) throws(UndertextError) -> String? {
        guard S3Location.isLocation(root) else { return FileSystem.canonical(root) }
        var location = try S3Location(root)
        if location.key.utf8.last == UInt8(ascii: "/") {
            location.key = String(Substring(location.key.utf8.dropLast()))
        }
        return location.key.isEmpty ? "s3://\(location.bucket)" : location.description
    }

    /// The folder of outputs as roots are written, made if it is missing.
    static func makeOutputFolder(_ path: String) throws(UndertextError) -> String? {
        try OutputStore.makeFolder(path)
        return try canonical(path)
    }

    /// Makes sure that roots in object storage exist.
    static func check(_ roots: [String], _ console: Console) throws(UndertextError) {
        for root in roots where S3Location.isLocation(root) {
            try ObjectWalker.check(S3Location(root), cancellation: console.cancellation)
        }
    }

    /// Makes sure that `s3://` URLs are valid.
    static func validate(_ arguments: [String]) throws {
        for argument in arguments where S3Location.isLocation(argument) {
            do {
                _ = try S3Location(argument)
            } catch {
                throw ValidationError("'\(escapedForTerminal(argument))' \(error.message)")
            }
        }
    }

    /// Makes sure that the outputs of objects have a place.
    ///
    /// Beside the objects only if that is stated: buckets of media are often shared, and writing costs money.
    static func requireOutput(_ output: String?, for inputs: some Sequence<String>) throws {
        guard output == nil, let first = inputs.first(where: S3Location.isLocation) else { return }
        throw ValidationError(
            "-o is required for inputs in object storage: specify a folder, an s3:// URL, or -o "
                + "'\(escapedForTerminal(first))' to write beside the objects")
    }
}
