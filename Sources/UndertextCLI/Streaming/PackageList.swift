internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The list of the files that `hls package` made, which lies in the folder beside them: only those may be
/// replaced or removed the next time.
enum PackageList {
    /// The list's name.
    static let name = ".undertext-package"
    private static let size = 64 << 20

    /// The list, a name a line.
    static func bytes(of names: [String]) -> [UInt8] {
        Array((names + [name]).map { $0 + "\n" }.joined().utf8)
    }

    /// What was made in a folder; nothing where there is no list.
    ///
    /// - Throws: `unsupported` for a list that this command cannot have written, or that is or names a link or
    ///   a folder: whoever made it may mean files of the user.
    static func names(in folder: String) throws(UndertextError) -> [String] {
        let path = PathName.joining(folder, name)
        guard FileSystem.exists(path) else { return [] }
        guard FileSystem.facts(of: path) != nil else { throw foreign(noFile, in: folder) }
        let bytes = try FileSystem.contents(of: path, limit: size, isInput: false)
        let names = bytes.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        for name in names {
            let named = "names '\(name.prefix(200))', which "
            guard PackageName.isOne(name) else {
                throw foreign(named + "this command does not make", in: folder)
            }
            let file = PathName.joining(folder, name)
            guard !FileSystem.exists(file) || FileSystem.facts(of: file) != nil else {
                throw foreign(named + noFile, in: folder)
            }
        }
        return names
    }

    private static let noFile = "is a link or a folder"

    private static func foreign(_ reason: String, in folder: String) -> UndertextError {
        UndertextError(
            .unsupported,
            "its list \(name) \(reason), so nothing is replaced; specify another folder or remove the list",
            path: folder)
    }

    /// Refuses inputs that would be replaced by what is made of them, before anything is made.
    static func refuseInputs(in folder: String, _ listed: [String]) throws(UndertextError) {
        for path in listed.map({ PathName.joining(folder, $0) })
        where InputFiles.contains(path) {
            throw UndertextError(
                .unsupported,
                "is an input inside the folder to be replaced; specify another folder",
                path: path)
        }
    }
}
