internal import UndertextCore

/// Uncompressed sound by the sample entry of QuickTime.
struct MP4PCM: Hashable {
    /// FFmpeg's name.
    let codec: CodecID
    /// Bits of a sample.
    let bits: Int

    /// The kind and the bits of formats whose order of bytes the box `enda` states.
    private static let numbers = [
        "in24": ("s", 24), "in32": ("s", 32), "fl32": ("f", 32), "fl64": ("f", 64),
    ]

    /// Reads an entry; `nil` for other formats, and for sizes of which libavformat makes another codec.
    init?(_ format: String, _ entry: MP4SampleEntry, entryVersion: UInt8) {
        guard let sound = MP4SoundEntry(entry, entryVersion: entryVersion) else { return nil }
        switch format {
        case "sowt" where sound.bits == 16: self.init("s", 16, isLittle: true)
        case "twos" where sound.bits == 16: self.init("s", 16, isLittle: false)
        default:
            guard let (kind, bits) = Self.numbers[format] else { return nil }
            var isLittle = false
            if let order = sound.content("enda") {
                guard order.count >= 2 else { return nil }
                isLittle = order[order.startIndex + 1] == 1
            }
            self.init(kind, bits, isLittle: isLittle)
        }
    }

    private init(_ kind: String, _ bits: Int, isLittle: Bool) {
        codec = CodecID(rawValue: "pcm_\(kind)\(bits)\(isLittle ? "le" : "be")")
        self.bits = bits
    }
}
