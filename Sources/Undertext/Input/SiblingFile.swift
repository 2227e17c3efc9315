internal import UndertextCore
internal import UndertextIO

/// A file that belongs to another one: the same folder and name, another extension.
enum SiblingFile {
    /// The path of the file beside `path` with one of `names`, ignoring case; `nil` if there is none.
    static func path(beside path: String, names: [String]) -> String? {
        let folder = PathName.directoryName(path)
        for name in names {
            let exact = PathName.joining(folder, name)
            if FileSystem.exists(exact) { return exact }
        }
        let wanted = names.map { $0.lowercased() }
        guard let present = try? FileSystem.names(in: folder) else { return nil }
        let found = wanted.lazy.compactMap { name in
            present.first { $0.lowercased() == name }
        }.first
        return found.map { PathName.joining(folder, $0) }
    }

    /// The path of the file beside `path` with another extension.
    static func path(beside path: String, extension name: String) -> String? {
        self.path(beside: path, names: [PathName.stem(path) + "." + name])
    }

    /// The path of the information file of a DVD's title set: `VTS_01_0.IFO` of `VTS_01_1.VOB`,
    /// else the file of the same name.
    static func information(beside path: String) -> String? {
        let stem = PathName.stem(path)
        var names = [stem + ".IFO"]
        if stem.utf8.count >= 2, stem.lowercased().hasPrefix("vts_") {
            names.insert(stem.dropLast() + "0.IFO", at: 0)
        }
        return self.path(beside: path, names: names)
    }
}
