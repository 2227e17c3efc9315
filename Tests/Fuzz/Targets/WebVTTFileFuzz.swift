import UndertextCore
import UndertextFormats

/// Reads the input as a file, decodes its packets, writes them again and reads that;
/// reads the input as a style sheet, too.
func webVTTFileFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzzTextFile(.webVTT, start, count)
    let sheet = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    _ = SubRipWriter(header: SubtitleHeader(styleSheets: [sheet]))
    return 0
}
