package import UndertextCore
package import UndertextIO

/// Finds media and subtitle files among the objects below a location, one at a time, in the order of the server.
///
/// Memory holds one page of the listing.
package final class ObjectWalker {
    private let root: S3Location
    private let options: WalkOptions
    private let store: S3Store
    private let cancellation: Cancellation
    private let fail: (UndertextError) -> Void
    /// The objects below the root; `nil` before the first one is requested.
    private var listing: S3Listing?
    /// The folder of the last object below the root, and whether objects in it are taken.
    private var folder: (path: [UInt8], isEntered: Bool)?
    /// Indexes of VobSub without their extensions, whose packets may still come: later keys begin with them.
    private var indexes: [[UInt8]] = []

    /// Creates a walker.
    ///
    /// - Parameters:
    ///   - root: An object, or a folder: the beginning of keys up to a slash, which may be left out.
    ///   - options: The rules.
    ///   - store: Sends the requests.
    ///   - cancellation: Stops requests.
    ///   - fail: Called with what cannot be read; the walk goes on where it can.
    package init(
        root: S3Location, options: WalkOptions, store: S3Store = .ofProcess,
        cancellation: Cancellation, fail: @escaping (UndertextError) -> Void
    ) {
        self.root = root
        self.options = options
        self.store = store
        self.cancellation = cancellation
        self.fail = fail
    }

    /// Makes sure that there is something at a root.
    ///
    /// - Throws: ``UndertextError`` with code `not-found`, or as ``S3Listing`` does.
    package static func check(
        _ root: S3Location, store: S3Store = .ofProcess, cancellation: Cancellation
    ) throws(UndertextError) {
        let listing = S3Listing(
            root.folder, isFlat: true, pageSize: 1, store: store, cancellation: cancellation)
        // A bucket may be empty.
        if try listing.next() != nil || root.key.isEmpty { return }
        guard try store.object(root, cancellation) == nil else { return }
        throw UndertextError(
            .notFound, "there is no such object, and none below it; check the key",
            path: root.description)
    }

    /// The next file; `nil` after the last one.
    package func next() -> FoundFile? {
        do throws(UndertextError) {
            while !cancellation.isCancelled {
                guard let listing else {
                    listing = S3Listing(
                        root.folder, isFlat: false, store: store, cancellation: cancellation)
                    if let file = try rootFile() { return file }
                    continue
                }
                switch try listing.next() {
                case .object(let object)?:
                    if let file = look(at: object) { return file }
                case .damaged(let error)?: fail(error)
                case .folder?: continue
                case nil: return nil
                }
            }
        } catch {
            if error.code != .cancelled { fail(error) }
        }
        return nil
    }

    /// The root if it is an object, which is found whatever it is called.
    private func rootFile() throws(UndertextError) -> FoundFile? {
        guard !root.fileName.isEmpty, let object = try store.object(root, cancellation) else {
            return nil
        }
        return found(object, root.fileName, (InputKind.named(root.fileName) ?? nil) ?? .stream)
    }

    private func found(_ object: S3Object, _ path: String, _ kind: InputKind) -> FoundFile {
        FoundFile(
            path: object.location.description, relativePath: path, status: FileStatus(object),
            kind: kind)
    }

    private func look(at object: S3Object) -> FoundFile? {
        let key = object.location.key.utf8
        // Consoles of object storage create empty objects as folders.
        if key.last == UInt8(ascii: "/") { return nil }
        let path = Array(key.dropFirst(root.folder.key.utf8.count))
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let dots = [UInt8(ascii: "."), UInt8(ascii: ".")]
        guard parts.allSatisfy({ !$0.isEmpty && !dots.starts(with: $0) }) else {
            fail(
                UndertextError(
                    .unsupported,
                    "the key has an empty part, '.' or '..', which no folder of outputs can have; extract it by itself",
                    path: object.location.description))
            return nil
        }
        let folder = Array(path.dropLast(parts.last.map { $0.count + 1 } ?? 0))
        if self.folder?.path != folder {
            self.folder = (folder, isEntered(parts.dropLast()))
        }
        guard self.folder?.isEntered == true else { return nil }
        return look(
            at: object, named: object.location.fileName, String(decoding: path, as: UTF8.self))
    }

    private func look(
        at object: S3Object, named name: String, _ path: String
    ) -> FoundFile? {
        if !options.includesHidden, name.utf8.first == UInt8(ascii: ".") { return nil }
        let stem = Array(path.utf8.dropLast(4))
        let ending = PathName.fileExtension(name).lowercased()
        indexes.removeAll { !path.utf8.starts(with: $0) }
        if ending == "idx" { indexes.append(stem) }
        guard options.takes(path) else { return nil }
        let kind: InputKind?
        if let named = InputKind.named(name) {
            kind = named
        } else {
            kind = recognized(object)
        }
        guard let kind, !options.isWritten(name, kind), !InputKind.isMenu(name),
            ending != "sub" || !indexes.contains(stem)
        else { return nil }
        return found(object, path, kind)
    }

    /// `true` if objects in a folder are taken, by the rules of ``FolderWalker``.
    private func isEntered(_ parts: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        var path = ""
        var above = ""
        for part in parts {
            let name = String(decoding: part, as: UTF8.self)
            path = PathName.joining(path, name)
            if !options.includesHidden, name.utf8.first == UInt8(ascii: ".") { return false }
            if options.excludes(path) { return false }
            if above.uppercased() == "BDMV", name.uppercased() != "STREAM" { return false }
            if options.excludedFolders.contains(root.appending(path).description) { return false }
            above = name
        }
        return true
    }

    /// The kind of an object by its first bytes, with one small request.
    private func recognized(_ object: S3Object) -> InputKind? {
        guard object.size > 0 else { return nil }
        guard options.recognizesObjects else { return .stream }
        do throws(UndertextError) {
            return InputKind.recognized(
                try store.head(of: object.location, count: 1024, cancellation))
        } catch {
            // An object that was removed since it was listed is no input.
            if error.code != .notFound, error.code != .cancelled { fail(error) }
            return nil
        }
    }
}

extension FileStatus {
    /// The status of an object: a hash of its tag stands for device and number.
    package init(_ object: S3Object) {
        self.init(
            kind: .file, size: object.size, modified: object.modified, device: 0,
            inode: Fingerprint.hash(of: object.tag))
    }
}

/// Finds the inputs of several roots: those in the file system, then those in object storage.
package final class InputWalker {
    private var rest: [() -> FoundFile?]

    /// Creates a walker.
    ///
    /// - Parameters:
    ///   - roots: Folders and files by their paths, and `s3://` URLs.
    ///   - options: The rules.
    ///   - cancellation: Stops requests.
    ///   - fail: Called with what cannot be read; the walk goes on.
    package init(
        roots: [String], options: WalkOptions, cancellation: Cancellation,
        fail: @escaping (UndertextError) -> Void
    ) {
        rest = []
        let folders = roots.filter { !S3Location.isLocation($0) }
        if !folders.isEmpty {
            rest.append(FolderWalker(roots: folders, options: options, fail: fail).next)
        }
        for root in roots where S3Location.isLocation(root) {
            do throws(UndertextError) {
                rest.append(
                    ObjectWalker(
                        root: try S3Location(root), options: options, cancellation: cancellation,
                        fail: fail
                    ).next)
            } catch {
                fail(error)
            }
        }
        rest.reverse()
    }

    /// The next file; `nil` after the last one.
    package func next() -> FoundFile? {
        while let walk = rest.last {
            if let file = walk() { return file }
            rest.removeLast()
        }
        return nil
    }
}
