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
    /// The kind, determined by the name or the first bytes.
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
    private let rules: WalkRules
    private let mayEnter: ((WalkedFolder) -> Bool)?
    private let fail: (UndertextError) -> Void
    /// Roots and folders still to be entered, the next one last.
    private var pending: [WalkedFolder]
    private var folder = WalkedFolder(path: "", relativePath: "")
    /// Names of the current folder still to be looked at, the next one last.
    private var names: [String] = []
    private var subfolders: [WalkedFolder] = []
    /// Folders that were entered, where links could lead to them again.
    private var entered: Set<FileSystem.FileIdentity> = []

    /// Creates a walker.
    ///
    /// - Parameters:
    ///   - roots: Folders, or files, which are found whatever they are called.
    ///   - options: The rules.
    ///   - fail: Called with what cannot be read; the walk goes on.
    package convenience init(
        roots: [String], options: WalkOptions, fail: @escaping (UndertextError) -> Void
    ) {
        self.init(
            folders: roots.map { WalkedFolder(path: $0, relativePath: "") }, options: options,
            fail: fail)
    }

    /// Creates a walker of folders that may lie below their roots.
    ///
    /// - Parameters:
    ///   - folders: The folders.
    ///   - options: The rules.
    ///   - mayEnter: Called before a folder is listed; `false` leaves it out. By default, links lead to a folder once.
    ///   - fail: Called with what cannot be read; the walk goes on.
    init(
        folders: [WalkedFolder], options: WalkOptions,
        mayEnter: ((WalkedFolder) -> Bool)? = nil, fail: @escaping (UndertextError) -> Void
    ) {
        rules = WalkRules(options)
        self.mayEnter = mayEnter
        self.fail = fail
        pending = folders.reversed()
    }

    /// The next file; `nil` after the last one.
    package func next() -> FoundFile? {
        while true {
            while let name = names.popLast() {
                do throws(UndertextError) {
                    switch try rules.examine(name, in: folder) {
                    case .file(let file): return file
                    case .folder(let found): subfolders.append(found)
                    case .none: break
                    }
                } catch {
                    // A link that leads nowhere, and a file that has gone since the folder was listed, are no inputs.
                    if error.code != .notFound { fail(error) }
                }
            }
            pending += subfolders.reversed()
            subfolders = []
            guard let next = pending.popLast() else { return nil }
            if let file = enter(next) { return file }
        }
    }

    private func enter(_ next: WalkedFolder) -> FoundFile? {
        do throws(UndertextError) {
            if next.relativePath.isEmpty {
                let status = try FileStatus(of: next.path, followingLinks: true)
                if status.kind != .folder { return rootFile(next.path, status) }
            }
            guard mayEnter?(next) ?? isNew(next) else { return nil }
            names = try FileSystem.names(in: next.path).reversed()
            folder = next
        } catch {
            // So is a folder that has gone since; a root is expected to be there.
            if error.code != .notFound || next.relativePath.isEmpty { fail(error) }
        }
        return nil
    }

    private func isNew(_ folder: WalkedFolder) -> Bool {
        guard rules.options.followsLinks else { return true }
        return FileSystem.identity(of: folder.path).map { entered.insert($0).inserted } ?? true
    }

    private func rootFile(_ path: String, _ status: FileStatus) -> FoundFile? {
        let name = PathName.baseName(path)
        guard status.kind == .file else {
            fail(UndertextError(.unsupported, "it is neither a file nor a folder", path: path))
            return nil
        }
        let kind = (InputKind.named(name) ?? nil) ?? .stream
        var status = status
        status.addPart(ofIndex: path)
        return FoundFile(path: path, relativePath: name, status: status, kind: kind)
    }
}
