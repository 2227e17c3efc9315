package import UndertextCore
package import UndertextIO

/// A file that a walk found.
package struct FoundFile: Hashable, Sendable {
    /// Its path.
    package var path: String
    /// The path below its root.
    package var relativePath: String
    /// Size, time of change and identity.
    package var status: FileStatus
    /// The kind that its name or its first bytes tell.
    package var kind: InputKind

    /// Creates a file.
    package init(path: String, relativePath: String, status: FileStatus, kind: InputKind) {
        self.path = path
        self.relativePath = relativePath
        self.status = status
        self.kind = kind
    }
}

/// The rules by which folders are walked.
package struct WalkOptions: Hashable, Sendable {
    /// Only files that match one of these; all if empty.
    package var includes: [PathGlob] = []
    /// Files and folders that are left out.
    package var excludes: [PathGlob] = []
    /// `true` to follow symbolic links; a folder is entered once.
    package var followsLinks = false
    /// `true` to look at names that begin with a dot.
    package var includesHidden = false
    /// Folders that are not entered, such as that of the outputs, as canonical paths.
    package var excludedFolders: Set<String> = []
    /// `false` to find objects with unknown names without reading their first bytes.
    package var recognizesObjects = true
    /// Lowercased extensions of subtitle files that are no inputs, because the run writes such files beside media.
    package var writtenExtensions: Set<String> = []

    /// The defaults.
    package init() {}

    /// `true` if the patterns take a file.
    func takes(_ relativePath: String) -> Bool {
        !excludes(relativePath)
            && (includes.isEmpty || includes.contains { $0.matches(relativePath) })
    }

    /// `true` if the patterns leave out a file or folder.
    func excludes(_ relativePath: String) -> Bool {
        excludes.contains { $0.matches(relativePath) }
    }

    /// `true` for a subtitle file in a format that the run writes.
    package func isWritten(_ path: String, _ kind: InputKind) -> Bool {
        kind == .subtitle && writtenExtensions.contains(PathName.fileExtension(path).lowercased())
    }
}

/// Finds media and subtitle files below folders, one at a time, in the order of their bytes.
///
/// Memory holds the names of one folder and the folders still to be entered.
package final class FolderWalker {
    private struct Folder {
        var path: String
        var relativePath: String
    }

    private let options: WalkOptions
    private let fail: (UndertextError) -> Void
    /// Roots and folders still to be entered, the next one last.
    private var pending: [Folder]
    private var folder = Folder(path: "", relativePath: "")
    /// Names of the current folder still to be looked at, the next one last.
    private var names: [String] = []
    private var subfolders: [Folder] = []
    /// Folders that were entered, where links could lead to them again.
    private var entered: Set<FileSystem.FileIdentity> = []

    /// Creates a walker.
    ///
    /// - Parameters:
    ///   - roots: Folders, or files, which are found whatever they are called.
    ///   - options: The rules.
    ///   - fail: Called with what cannot be read; the walk goes on.
    package init(
        roots: [String], options: WalkOptions, fail: @escaping (UndertextError) -> Void
    ) {
        self.options = options
        self.fail = fail
        pending = roots.reversed().map { Folder(path: $0, relativePath: "") }
    }

    /// The next file; `nil` after the last one.
    package func next() -> FoundFile? {
        while true {
            while let name = names.popLast() {
                if let file = look(at: name) { return file }
            }
            pending += subfolders.reversed()
            subfolders = []
            guard let next = pending.popLast() else { return nil }
            if let file = enter(next) { return file }
        }
    }

    private func enter(_ next: Folder) -> FoundFile? {
        do throws(UndertextError) {
            if next.relativePath.isEmpty {
                let status = try FileStatus(of: next.path, followingLinks: true)
                if status.kind != .folder { return rootFile(next.path, status) }
            }
            if options.followsLinks {
                guard let identity = FileSystem.identity(of: next.path),
                    entered.insert(identity).inserted
                else { return nil }
            }
            names = try FileSystem.names(in: next.path).reversed()
            folder = next
        } catch {
            fail(error)
        }
        return nil
    }

    private func rootFile(_ path: String, _ status: FileStatus) -> FoundFile? {
        let name = PathName.baseName(path)
        guard status.kind == .file else {
            fail(UndertextError(.unsupported, "it is neither a file nor a folder", path: path))
            return nil
        }
        let kind = (InputKind.named(name) ?? nil) ?? .stream
        return FoundFile(path: path, relativePath: name, status: status, kind: kind)
    }

    private func look(at name: String) -> FoundFile? {
        if !options.includesHidden, name.utf8.first == UInt8(ascii: ".") { return nil }
        if name.hasSuffix(".undertext-part") { return nil }
        let path = PathName.joining(folder.path, name)
        let relativePath = PathName.joining(folder.relativePath, name)
        let named = InputKind.named(name)
        do throws(UndertextError) {
            var status = try FileStatus(of: path, followingLinks: false)
            if status.kind == .link {
                guard options.followsLinks else { return nil }
                status = try FileStatus(of: path, followingLinks: true)
            }
            if status.kind == .folder {
                if isEntered(name, path, relativePath) {
                    subfolders.append(Folder(path: path, relativePath: relativePath))
                }
                return nil
            }
            guard status.kind == .file, options.takes(relativePath) else { return nil }
            let kind: InputKind?
            if let named { kind = named } else { kind = try sniffed(path, status) }
            guard let kind, !isPart(name, kind) else { return nil }
            return FoundFile(path: path, relativePath: relativePath, status: status, kind: kind)
        } catch {
            // A link that leads nowhere, and a file that has gone since the folder was listed, are no inputs.
            if error.code != .notFound { fail(error) }
            return nil
        }
    }

    private func isEntered(_ name: String, _ path: String, _ relativePath: String) -> Bool {
        if options.excludes(relativePath) { return false }
        if name.hasSuffix(".images"), FileSystem.exists(PathName.joining(path, "index.json")) {
            return false
        }
        // Of a Blu-ray disc, the streams are inputs; the rest are lists, and copies of them.
        if PathName.baseName(folder.path).uppercased() == "BDMV", name.uppercased() != "STREAM" {
            return false
        }
        guard !options.excludedFolders.isEmpty else { return true }
        return FileSystem.canonical(path).map { !options.excludedFolders.contains($0) } ?? true
    }

    /// `true` if a file belongs to another input, or is what the run itself writes.
    private func isPart(_ name: String, _ kind: InputKind) -> Bool {
        let ending = PathName.fileExtension(name).lowercased()
        if options.isWritten(name, kind) { return true }
        if ending == "sub" {
            // Two files of VobSub are one input, which its index names.
            let stem = PathName.joining(folder.path, PathName.stem(name))
            return ["idx", "IDX"].contains { FileSystem.exists("\(stem).\($0)") }
        }
        return InputKind.isMenu(name)
    }

    private func sniffed(_ path: String, _ status: FileStatus) throws(UndertextError) -> InputKind?
    {
        guard status.size > 0 else { return nil }
        let source = try FileSource(path: path, isInput: false)
        return InputKind.recognized(try source.read(at: 0, count: 1024))
    }
}
