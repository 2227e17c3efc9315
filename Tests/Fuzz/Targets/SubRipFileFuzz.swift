/// Reads the input as a file, decodes its packets, writes them again and reads that.
func subRipFileFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzzTextFile(.subRip, start, count)
    return 0
}
