import UndertextCore
import UndertextFormats

/// File names are untrusted: parsing them twice gives the same result, and a list of them cannot control a
/// terminal.
///
/// The first line is the video's name, the others are names in its folder.
func sidecarNameFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    let (video, names) = (lines[0], Array(lines.dropFirst()))
    for folder in [SidecarFolder.beside, .subtitles, .ofVideo] {
        for name in names {
            guard let parsed = SidecarName(name, of: video, in: folder) else { continue }
            precondition(parsed == SidecarName(name, of: video, in: folder))
            precondition(parsed.fileName == name && !name.utf8.contains(UInt8(ascii: "/")))
            precondition(parsed.language == nil || parsed.statesLanguage)
            precondition(parsed.title.map { !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } } ?? true)
        }
        let found = sidecars(of: video, among: names, folder: folder, matching: .any)
        precondition(found.count <= names.count)
        let backwards = sidecars(of: video, among: names.reversed(), folder: folder, matching: .any)
        precondition(found.map(\.name) == backwards.map(\.name))
    }
    _ = SidecarFolder(components: Array(names.prefix(2)), of: video)
    return 0
}
