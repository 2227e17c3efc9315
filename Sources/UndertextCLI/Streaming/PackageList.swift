internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The list of the files that `hls package` wrote, stored in the output folder.
///
/// Only listed files may be replaced or removed by a later run.
enum PackageList {
    /// The name of the list file.
    static let name = ".undertext-package"
    private static let size = 64 << 20

    /// Encodes the list, one name per line.
    static func bytes(of names: [String]) -> [UInt8] {
        Array((names + [name]).map { $0 + "\n" }.joined().utf8)
    }

    /// Reads the names listed in a folder; empty if there is no list.
    ///
    /// - Throws: `unsupported` if this command cannot have written the list, or if the list or a listed name is
    ///   a link or a folder, since replacing it could destroy the user's files.
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

    /// Throws if an input would be replaced by an output, before anything is written.
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
