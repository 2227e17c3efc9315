import TestSupport
import UndertextCore

/// A media file that takes no memory: it has headers and subtitles; video and audio are zeros.
final class SparseFilm: RandomAccessSource {
    /// A track of blocks of one size at a steady rate.
    struct Track {
        var number: UInt8
        var blockSize: Int
        var perSecond: Double
        var isText = false
    }

    let name = "film"
    var policy = ReadPolicy.local
    private(set) var statistics = ReadStatistics()
    private(set) var subtitles = 0
    private(set) var blocks = 0
    private var pieces: [(offset: UInt64, bytes: [UInt8])] = []
    private var end: UInt64 = 0

    var size: UInt64? { end }

    /// Clusters of two seconds, SimpleBlocks in the order of time.
    init(seconds: Int, _ tracks: [Track]) {
        let entries = tracks.flatMap { track in
            SampleFile.track(number: UInt64(track.number))
        }
        let info = element(
            0x1549_A966, number(0x2AD7B1, 1_000_000) + text(0x4D80, "none") + text(0x5741, "none"))
        put(
            SampleFile.ebmlHeader() + endless(0x1853_8067, []) + info
                + element(0x1654_AE6B, entries))
        for start in stride(from: 0, to: seconds, by: 2) {
            var frames: [(time: Double, track: Track)] = []
            for track in tracks {
                let count = Int(track.perSecond * 2)
                frames += (0..<count).map { (Double($0) / track.perSecond, track) }
            }
            put(endless(0x1F43_B675, number(0xE7, UInt64(start) * 1000)))
            for (time, track) in frames.sorted(by: {
                ($0.time, $0.track.number) < ($1.time, $1.track.number)
            }) {
                put(track, Int16(time * 1000))
            }
        }
    }

    private func put(_ track: Track, _ time: Int16) {
        blocks += 1
        let size = UInt64(track.blockSize + 4)
        var bytes: [UInt8] = [0xA3, 0x10 | UInt8(size >> 24)]
        bytes += [UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
        bytes += SampleFile.block([], track: track.number, at: time, flags: 0x80)
        if track.isText {
            subtitles += 1
            put(bytes + [UInt8](repeating: 0x61, count: track.blockSize))
        } else {
            put(bytes)
            end += UInt64(track.blockSize)
        }
    }

    private func put(_ bytes: [UInt8]) {
        if let last = pieces.last, last.offset + UInt64(last.bytes.count) == end {
            pieces[pieces.count - 1].bytes += bytes
        } else {
            pieces.append((end, bytes))
        }
        end += UInt64(bytes.count)
    }

    func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        statistics.requests += 1
        guard offset < end else { return [] }
        let count = Int(min(UInt64(count), end - offset))
        statistics.bytesRead += UInt64(count)
        var result = [UInt8](repeating: 0, count: count)
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            let piece = pieces[middle]
            if piece.offset + UInt64(piece.bytes.count) <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        for piece in pieces[low...] {
            guard piece.offset < offset + UInt64(count) else { break }
            let from = max(piece.offset, offset)
            let until = min(piece.offset + UInt64(piece.bytes.count), offset + UInt64(count))
            let source = Int(from - piece.offset)..<Int(until - piece.offset)
            result.replaceSubrange(
                Int(from - offset)..<Int(until - offset), with: piece.bytes[source])
        }
        return result
    }
}
