internal import UndertextCore
internal import UndertextIO

/// A folder of a walk.
struct WalkedFolder: Hashable, Sendable {
    /// Its path.
    var path: String
    /// The path below its root; empty for a root.
    var relativePath: String

    init(path: String, relativePath: String) {
        self.path = path
        self.relativePath = relativePath
    }

    /// The folder that holds a file or folder, which is no root.
    init(holding path: String, relativePath: String) {
        self.path = PathName.directoryName(path)
        let parent = PathName.directoryName(relativePath)
        self.relativePath = parent == "." ? "" : parent
    }
}

/// Decides which names of a folder are inputs.
struct WalkRules {
    let options: WalkOptions

    init(_ options: WalkOptions) { self.options = options }

    /// A name of a folder.
    enum Finding {
        /// It is an input.
        case file(FoundFile)
        /// It is a folder that is to be entered.
        case folder(WalkedFolder)
        /// It is neither.
        case none
    }

    /// `true` if the name alone does not rule out an input or a folder of inputs.
    func mayMatter(_ name: String) -> Bool {
        if !options.includesHidden, name.utf8.first == UInt8(ascii: ".") { return false }
        return !name.hasSuffix(".undertext-part")
    }

    /// Looks a name of a folder up.
    ///
    /// - Throws: ``UndertextError``, with code `not-found` if the name has gone, or is that of a broken link.
    func examine(_ name: String, in folder: WalkedFolder) throws(UndertextError) -> Finding {
        guard mayMatter(name) else { return .none }
        let path = PathName.joining(folder.path, name)
        let relativePath = PathName.joining(folder.relativePath, name)
        let named = InputKind.named(name)
        var status = try FileStatus(of: path, followingLinks: false)
        if status.kind == .link {
            guard options.followsLinks else { return .none }
            status = try FileStatus(of: path, followingLinks: true)
        }
        if status.kind == .folder {
            let found = WalkedFolder(path: path, relativePath: relativePath)
            return isEntered(name, found, in: folder) ? .folder(found) : .none
        }
        guard status.kind == .file, options.takes(relativePath) else { return .none }
        let kind: InputKind?
        if let named { kind = named } else { kind = try sniffed(path, status) }
        guard let kind, !isPart(name, kind, in: folder) else { return .none }
        status.addPart(ofIndex: path)
        return .file(
            FoundFile(path: path, relativePath: relativePath, status: status, kind: kind))
    }

    private func isEntered(
        _ name: String, _ found: WalkedFolder, in folder: WalkedFolder
    ) -> Bool {
        if options.excludes(found.relativePath) { return false }
        if name.hasSuffix(".images"),
            FileSystem.exists(PathName.joining(found.path, "index.json"))
        {
            return false
        }
        // Of a Blu-ray disc, the streams are inputs; the rest are lists, and copies of them.
        if PathName.baseName(folder.path).uppercased() == "BDMV", name.uppercased() != "STREAM" {
            return false
        }
        guard !options.excludedFolders.isEmpty else { return true }
        return FileSystem.canonical(found.path).map { !options.excludedFolders.contains($0) }
            ?? true
    }

    /// `true` if a file belongs to another input, or is what the run itself writes.
    private func isPart(_ name: String, _ kind: InputKind, in folder: WalkedFolder) -> Bool {
        if options.isWritten(name, kind) || index(ofPart: name, in: folder) != nil { return true }
        return InputKind.isMenu(name)
    }

    /// The name of the VobSub index that names a `.sub` file: both are one input; `nil` if there is none.
    func index(ofPart name: String, in folder: WalkedFolder) -> String? {
        guard PathName.fileExtension(name).lowercased() == "sub" else { return nil }
        let stem = PathName.stem(name)
        return ["\(stem).idx", "\(stem).IDX"].first {
            FileSystem.exists(PathName.joining(folder.path, $0))
        }
    }

    /// The path of the `.sub` file that belongs to a VobSub index; `nil` if there is none.
    static func part(ofIndex path: String) -> String? {
        guard PathName.fileExtension(path).lowercased() == "idx" else { return nil }
        let stem = PathName.joining(PathName.directoryName(path), PathName.stem(path))
        return ["\(stem).sub", "\(stem).SUB"].first(where: FileSystem.exists)
    }

    private func sniffed(_ path: String, _ status: FileStatus) throws(UndertextError) -> InputKind?
    {
        guard status.size > 0 else { return nil }
        let source = try FileSource(path: path, isInput: false)
        return InputKind.recognized(try source.read(at: 0, count: 1024))
    }
}

extension FileStatus {
    /// Looks up an input.
    static func ofInput(_ path: String) throws(UndertextError) -> FileStatus {
        var status = try FileStatus(of: path, followingLinks: true)
        status.addPart(ofIndex: path)
        return status
    }

    /// Adds the size of the second file of VobSub, and the time if that is later: both files are one input.
    mutating func addPart(ofIndex path: String) {
        guard let part = WalkRules.part(ofIndex: path),
            let status = try? FileStatus(of: part, followingLinks: true)
        else { return }
        size = size.addingReportingOverflow(status.size).partialValue
        modified = max(modified, status.modified)
    }
}
