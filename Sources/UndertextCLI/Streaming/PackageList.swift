internal import SystemIO
internal import Undertext

/// The list of the files that `hls package` made, which lies in the folder beside them: only those may be
/// replaced or removed the next time.
enum PackageList {
    /// The list's name.
    static let name = ".undertext-package"

    /// The list, a name a line.
    static func bytes(of names: [String]) -> [UInt8] {
        Array((names + [name]).map { $0 + "\n" }.joined().utf8)
    }

    /// What was made in a folder; nothing where there is no list.
    static func names(in folder: String) -> [String] {
        let path = PathName.joining(folder, name)
        guard let bytes = try? FileSystem.contents(of: path, limit: 64 << 20) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Refuses an input that would be replaced by what is made of it.
    static func refuseInput(
        _ input: String, in folder: String, _ listed: [String]
    ) throws(MediaError) {
        for name in listed where FileSystem.isSameFile(input, PathName.joining(folder, name)) {
            throw MediaError(
                .unsupported, "lies in the folder that is to be replaced; name another folder",
                path: input)
        }
    }
}
