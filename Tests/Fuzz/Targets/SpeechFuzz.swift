import UndertextAlignment
import UndertextCore
import UndertextFFmpeg

/// Mixes audio of any channels, sample format, rate and time into one channel, finds speech in it, and compares it with cues.
///
/// The input is a sequence of blocks: channels, center, format, flags (1 byte each), rate (4), time (8), samples of each
/// channel (2), all little-endian, then the samples.
func speechFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = BlockReader(bytes: Array(UnsafeBufferPointer(start: start, count: count))[...])
    var detector = SpeechDetector()
    var samples = 0
    while let block = input.next() {
        let mixed = block.mixed()
        precondition(mixed.count == block.count)
        samples += mixed.count
        detector.add(mixed, rate: block.rate, at: block.time)
    }
    let ranges = detector.finish()
    precondition(ranges.allSatisfy { $0.lowerBound < $0.upperBound })
    // Speech takes 40 ms or more, which are 80 samples at the lowest rate; blocks may end in it.
    precondition(ranges.count <= samples)
    var options = AlignmentOptions()
    options.reference = .speech
    let cues = (0..<20).map { index -> Range<Timestamp> in
        let start = Timestamp.milliseconds(Int64(index) * 1700 + Int64(index * index % 7) * 130)
        return start..<start.advanced(by: .milliseconds(900))
    }
    if let alignment = CueAligner(cues, to: ranges, options: options).align() {
        precondition((0...1).contains(alignment.confidence))
        precondition(!alignment.segments.isEmpty)
    }
    return 0
}

/// Samples of some channels.
private struct AudioBlock {
    var channels: Int
    var center: Int
    var format: AudioMix.SampleFormat
    var isPlanar: Bool
    var rate: Int
    var time: Timestamp?
    /// The number of samples of each channel.
    var count: Int
    var bytes: ArraySlice<UInt8>

    /// The samples of one channel, mixed from memory that has exactly the size of the samples.
    func mixed() -> [Float] {
        let planeSize = count * format.size * (isPlanar ? 1 : channels)
        var planes: [UnsafeMutablePointer<UInt8>?] = []
        var memory: [UnsafeMutableRawPointer] = []
        for plane in 0..<(isPlanar ? channels : 1) {
            let copy = UnsafeMutableRawPointer.allocate(byteCount: planeSize, alignment: 8)
            let part = bytes.dropFirst(plane * planeSize).prefix(planeSize)
            copy.initializeMemory(as: UInt8.self, repeating: 0, count: planeSize)
            copy.copyMemory(from: Array(part), byteCount: part.count)
            memory.append(copy)
            planes.append(copy.assumingMemoryBound(to: UInt8.self))
        }
        defer { for copy in memory { copy.deallocate() } }
        return AudioMix(channels: channels, center: center).mixed(
            planes, format, isPlanar: isPlanar, count)
    }
}

private struct BlockReader {
    var bytes: ArraySlice<UInt8>

    mutating func next() -> AudioBlock? {
        guard bytes.count >= 18 else { return nil }
        let header = Array(bytes.prefix(18))
        bytes = bytes.dropFirst(18)
        func little(_ range: Range<Int>) -> UInt64 {
            header[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let formats = AudioMix.SampleFormat.allCases
        let format = formats[Int(header[2] & 0x7F) % formats.count]
        let channels = max(1, Int(header[0]))
        // Most rates are possible ones.
        let stated = Int(Int32(truncatingIfNeeded: little(4..<8)))
        let rate =
            header[3] & 2 == 0 ? stated : 2000 + Int(UInt32(truncatingIfNeeded: stated)) % 766_001
        let count = min(
            Int(little(16..<18)), max(1, bytes.count / (channels * format.size)))
        let size = min(bytes.count, count * channels * format.size)
        defer { bytes = bytes.dropFirst(size) }
        return AudioBlock(
            channels: channels, center: Int(Int8(bitPattern: header[1])), format: format,
            isPlanar: header[2] & 0x80 != 0, rate: rate,
            time: header[3] & 1 == 0
                ? nil : Timestamp(nanoseconds: Int64(bitPattern: little(8..<16))),
            count: count, bytes: bytes.prefix(size))
    }
}
