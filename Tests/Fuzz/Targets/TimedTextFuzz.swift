import UndertextFormats

/// Reads the input as a file of each format that consists mainly of times and text.
func timedTextFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    for format: SubtitleFormat in [
        .microDVD, .mpl2, .subViewer, .lrc, .scc, .mcc, .rcwt, .ebuSTL, .subViewer1, .jacoSub,
        .spruce,
    ] {
        fuzzTextFile(format, start, count)
    }
    return 0
}
