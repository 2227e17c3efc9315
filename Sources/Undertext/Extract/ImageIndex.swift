internal import UndertextIO

/// The images that an existing folder's `index.json` lists: what a new folder may replace.
enum ImageIndex {
    /// JSON cues.
    static let name = "index.json"
    /// BDN XML.
    static let xmlName = "index.xml"
    /// The page to look at.
    static let pageName = "index.html"

    private static let sizeAtMost = 256 << 20

    /// Every file of ours in `folder`: what the index lists, and with an index the files beside it.
    ///
    /// Without an index an `index.html` is somebody else's.
    static func ownNames(in folder: String) -> [String] {
        guard FileSystem.exists(PathName.joining(folder, name)) else { return [name] }
        return names(in: folder) + [name, xmlName, pageName]
    }

    /// File names from the index of `folder`; none if there is no readable index.
    static func names(in folder: String) -> [String] {
        guard
            let bytes = try? FileSystem.contents(
                of: PathName.joining(folder, name), limit: sizeAtMost, isInput: false)
        else { return [] }
        var names: [String] = []
        ImageIndexScanner.scan(bytes) { names += $0.files }
        return names
    }

    /// `true` if it is a name that we give: `0001.png`, `0001-2.png`.
    ///
    /// An index may be planted.
    static func isOurs(_ name: String) -> Bool {
        let stem = name.utf8.dropLast(4)
        return name.utf8.count >= 8 && name.hasSuffix(".png")
            && stem.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
            && stem.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
