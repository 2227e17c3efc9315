/// Follows the boxes of an MP4 file that comes in order, to see whether it ends between two of them.
///
/// libavformat takes the end of a pipe for the end of the file, wherever it is.
struct BoxBoundaries {
    /// The beginning of a box whose size is not known yet.
    private var header: [UInt8] = []
    /// Bytes of the box that have not come yet.
    private var left: UInt64 = 0
    /// Whether the last box reaches to the end of the file, wherever that is, or is none.
    private var isOpen = false

    /// `true` if the bytes so far end within a box; a few stray bytes after the last box hold no sample.
    var isWithinBox: Bool { !isOpen && left > 0 }

    /// Follows the boxes of a file that begins with `head`; `nil` if it does not begin as MP4 files do.
    init?(_ head: [UInt8]) {
        let types = ["ftyp", "styp", "moov", "moof", "mdat", "sidx", "free", "skip", "wide"]
        guard head.count >= 8, types.contains(String(decoding: head[4..<8], as: UTF8.self)) else {
            return nil
        }
        pass(head)
    }

    /// Takes the next bytes.
    mutating func pass(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, !isOpen {
            guard left == 0 else {
                let count = Int(clamping: min(left, UInt64(rest.count)))
                rest = rest.dropFirst(count)
                left -= UInt64(count)
                continue
            }
            guard let byte = rest.popFirst() else { return }
            header.append(byte)
            open()
        }
    }

    /// Begins the box of ``header`` as soon as its size is known (ISO/IEC 14496-12, section 4.2).
    private mutating func open() {
        guard header.count == 8 || header.count == 16 else { return }
        let short: UInt64 = header[..<4].reduce(0) { $0 << 8 | UInt64($1) }
        if header.count == 8, short == 1 { return }
        let long: UInt64 = header[8...].reduce(0) { $0 << 8 | UInt64($1) }
        let size = header.count == 8 ? short : long
        isOpen = size < UInt64(header.count)
        left = isOpen ? 0 : size - UInt64(header.count)
        header = []
    }
}
