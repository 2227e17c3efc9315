internal import Undertext
internal import UndertextCore

/// The names of the files in a package.
enum PackageName {
    /// The master playlist.
    static let master = "master.m3u8"
    /// The name component for an unknown language; not a ``LanguageTag``.
    static let undetermined = "und"
    private static let forced = "-forced"
    private static let sdh = "-sdh"

    /// The beginning of the file names of a rendition: `de`, `de-forced`, `de-sdh`.
    static func stem(_ language: LanguageTag?, isForced: Bool, isSDH: Bool) -> String {
        (language?.rawValue ?? undetermined) + (isForced ? forced : "") + (isSDH ? sdh : "")
    }

    /// Makes stems unique: a second `de` becomes `de.2`, and so does a stem that other files use.
    static func unique(_ stems: [String]) -> [String] {
        var seen: [String: Int] = [:]
        for name in [master, HLSCopy.playlistName] {
            seen[String(without(".m3u8", name) ?? "")] = 1
        }
        return stems.map { stem in
            let count = (seen[stem] ?? 0) + 1
            seen[stem] = count
            return count == 1 ? stem : "\(stem).\(count)"
        }
    }

    /// The playlist of a rendition.
    static func playlist(_ stem: String) -> String { stem + ".m3u8" }

    /// The part of a segment's name before its number.
    static func segmentPrefix(_ stem: String) -> String { stem + "-" }

    /// The name of a rendition's segment.
    static func segment(_ stem: String, _ number: Int64) -> String {
        "\(segmentPrefix(stem))\(number).vtt"
    }

    /// Returns `true` if a package can contain a file with this name.
    static func isOne(_ name: String) -> Bool {
        if [PackageList.name, master, HLSCopy.playlistName, HLSCopy.headerName].contains(name) {
            return true
        }
        if let stem = without(".m3u8", name) { return isStem(stem) }
        if let number = without(".m4s", name) {
            return number.hasPrefix(HLSCopy.segmentPrefix)
                && isNumber(number.dropFirst(HLSCopy.segmentPrefix.count))
        }
        guard let segment = without(".vtt", name), let dash = segment.lastIndex(of: "-") else {
            return false
        }
        return isStem(segment[..<dash]) && isNumber(segment[segment.index(after: dash)...])
    }

    private static func isStem(_ text: Substring) -> Bool {
        var stem = text
        if let dot = stem.lastIndex(of: ".") {
            guard isNumber(stem[stem.index(after: dot)...]) else { return false }
            stem = stem[..<dot]
        }
        // A suffix may belong to the language tag: `x-sdh` is valid.
        let spoken = without(sdh, stem) ?? stem
        return [stem, spoken, without(forced, spoken) ?? spoken].contains(where: isLanguage)
    }

    private static func isLanguage(_ text: Substring) -> Bool {
        let text = String(text)
        return text == undetermined || LanguageTag(text)?.rawValue == text
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func without(_ end: String, _ text: some StringProtocol) -> Substring? {
        text.hasSuffix(end) ? Substring(text.dropLast(end.count)) : nil
    }
}
