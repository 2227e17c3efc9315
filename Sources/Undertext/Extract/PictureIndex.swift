internal import SystemIO

/// The pictures that an existing folder's `index.json` lists: what `--force` may replace.
enum PictureIndex {
    private static let sizeAtMost = 256 << 20

    /// File names from the index of `folder`; none if there is no readable index.
    ///
    /// The index is ours, one JSON object a line, so the names are found by their key; a name with
    /// an escape or a slash is none that we wrote.
    static func names(in folder: String) -> [String] {
        guard
            let bytes = try? FileSystem.contents(
                of: PathName.joining(folder, "index.json"), limit: sizeAtMost)
        else { return [] }
        let key = Array("\"file\":\"".utf8)
        var names: [String] = []
        var position = 0
        while let start = find(key, in: bytes, from: position) {
            let begin = start + key.count
            guard let end = bytes[begin...].firstIndex(of: 0x22) else { break }
            let name = bytes[begin..<end]
            if !name.isEmpty, !name.contains(0x5C), !name.contains(0x2F) {
                names.append(String(decoding: name, as: UTF8.self))
            }
            position = end + 1
        }
        return names
    }

    private static func find(_ key: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while let next = bytes[position...].firstIndex(of: key[0]) {
            if bytes[next...].starts(with: key) { return next }
            position = next + 1
        }
        return nil
    }
}
