internal import UndertextCore

/// A track's samples as its tables list them: their number and size, and the range of the first ones.
///
/// Only the sizes of all samples are read, because libavformat computes bit rates from them; of other tables the beginning.
/// Tables that contradict each other, or that libavformat corrects, are left to it.
struct MP4SampleSurvey {
    /// The number of samples.
    let count: Int
    /// The sum of all sizes in bytes.
    private(set) var bytes: UInt64 = 0
    /// The size of all samples, if `stsz` states one.
    let commonSize: UInt32?
    /// The sizes of the smallest and of the largest sample.
    private(set) var sizes: ClosedRange<UInt32> = 0...0
    /// The first sample.
    private(set) var first: (offset: UInt64, size: Int)?

    private let track: MP4TrackHeader
    private let window: SourceWindow
    private let end: UInt64
    private var chunkRuns: [ChunkRun] = []
    private var chunks = 0

    /// Chunks with the same number of samples.
    private struct ChunkRun {
        var first: Int
        var samples: Int
    }

    /// The most that is read of a table; two hours of video and of audio have two megabytes.
    private static let tableSize: UInt64 = 16 << 20
    /// The largest sample that libavformat takes.
    private static let largest: UInt32 = 0x3FFF_FFFF
    /// Bytes of tables that are read at once.
    private static let step = 1 << 20
    /// The most samples whose places are looked at.
    private static let placesAtMost = 50_000

    /// Reads the tables of a track of a file of `end` bytes; `nil` if libavformat may understand them otherwise.
    ///
    /// - Throws: `UndertextError` of the source.
    init?(_ track: MP4TrackHeader, _ boxes: MP4BoxReader, end: UInt64) throws(UndertextError) {
        self.track = track
        self.end = end
        window = boxes.window
        guard let box = track.tables["stsz"], track.tables["stz2"] == nil else { return nil }
        var reader = try boxes.head(of: box, 12)
        guard reader.skip(4), let size = reader.uint32(), let stated = reader.uint32(), stated > 0,
            let count = Int32(exactly: stated), Int64(count) == track.samples,
            size <= Self.largest
        else { return nil }
        self.count = Int(count)
        commonSize = size > 0 ? size : nil
        guard try readChunks(boxes), try Self.areWhole(track, boxes) else { return nil }
        if let commonSize {
            bytes = UInt64(commonSize) * UInt64(stated)
            sizes = commonSize...commonSize
        } else {
            guard try sumSizes(in: box) else { return nil }
        }
        guard try readFirst(boxes) else { return nil }
    }

    // MARK: Tables

    /// `true` if the tables have the rows that they state.
    private static func areWhole(
        _ track: MP4TrackHeader, _ boxes: MP4BoxReader
    ) throws(UndertextError) -> Bool {
        let widths: [String: UInt64] = [
            "stts": 8, "ctts": 8, "stsc": 12, "stco": 4, "co64": 8, "stss": 4,
        ]
        for (type, box) in track.tables {
            guard let width = widths[type] else { continue }
            var reader = try boxes.head(of: box, 8)
            let length = box.content.upperBound - box.content.lowerBound
            guard reader.skip(4), let rows = reader.uint32(), rows > 0, length >= 8,
                UInt64(rows) * width <= length - 8
            else { return false }
        }
        return track.tables["stco"] == nil || track.tables["co64"] == nil
    }

    /// Reads `stsc` and the number of chunks; `false` unless they hold all samples, of the only sample entry.
    private mutating func readChunks(_ boxes: MP4BoxReader) throws(UndertextError) -> Bool {
        guard let box = track.tables["stsc"],
            let list = track.tables["stco"] ?? track.tables["co64"],
            box.content.upperBound - box.content.lowerBound <= Self.tableSize
        else { return false }
        var head = try boxes.head(of: list, 8)
        guard head.skip(4), let chunks = head.uint32().flatMap({ Int32(exactly: $0) }), chunks > 0
        else { return false }
        self.chunks = Int(chunks)
        var reader = ByteReader(try boxes.all(of: box.content, limit: Int(Self.tableSize), "stsc"))
        guard reader.skip(4), let rows = reader.uint32(), rows > 0 else { return false }
        var samples: Int64 = 0
        for _ in 0..<rows {
            guard let first = reader.uint32().flatMap({ Int32(exactly: $0) }),
                let inChunk = reader.uint32().flatMap({ Int32(exactly: $0) }), inChunk > 0,
                reader.uint32() == 1, first <= chunks,
                chunkRuns.isEmpty
                    ? first == 1 : Int(first) - 1 > chunkRuns[chunkRuns.count - 1].first
            else { return false }
            if let last = chunkRuns.last {
                samples += Int64(last.samples) * Int64(Int(first) - 1 - last.first)
            }
            chunkRuns.append(ChunkRun(first: Int(first) - 1, samples: Int(inChunk)))
            guard samples <= Int64(count) else { return false }
        }
        guard let last = chunkRuns.last else { return false }
        return samples + Int64(last.samples) * Int64(self.chunks - last.first) == Int64(count)
    }

    /// Adds up `stsz`; `false` if it is too long, or has a size that libavformat does not take.
    private mutating func sumSizes(in box: MP4Box) throws(UndertextError) -> Bool {
        let length = box.content.upperBound - box.content.lowerBound
        guard length <= Self.tableSize, length >= 12, UInt64(count) * 4 <= length - 12 else {
            return false
        }
        var left = count * 4
        var offset = box.content.lowerBound + 12
        var (least, most): (UInt32, UInt32) = (.max, 0)
        while left > 0 {
            let wanted = min(left, Self.step)
            let part = try window.bytes(at: offset, count: wanted)
            guard part.count == wanted else { return false }
            var place = part.startIndex
            while place < part.endIndex {
                let size =
                    UInt32(part[place]) << 24 | UInt32(part[place + 1]) << 16
                    | UInt32(part[place + 2]) << 8 | UInt32(part[place + 3])
                bytes += UInt64(size)
                least = min(least, size)
                most = max(most, size)
                place += 4
            }
            left -= wanted
            offset += UInt64(wanted)
        }
        guard least <= most, most <= Self.largest else { return false }
        self.sizes = least...most
        return true
    }

    /// Finds the first sample; `false` if it is not in the file.
    private mutating func readFirst(_ boxes: MP4BoxReader) throws(UndertextError) -> Bool {
        var found: (offset: UInt64, size: Int)?
        let isWhole = try forEach(first: 1, boxes) { found = ($0, $1) }
        first = found
        return isWhole && found != nil
    }

    // MARK: First samples

    /// The bytes of all samples that are decoded before a time in ticks and begin in the file below an offset.
    ///
    /// - Returns: `nil` if one of those before the time is not in the file, or if there are too many.
    /// - Throws: `UndertextError` of the source.
    func bytes(
        before time: Int64, startingBelow place: UInt64, _ boxes: MP4BoxReader
    ) throws(UndertextError) -> UInt64? {
        var number: Int64 = 0
        var elapsed: Int64 = 0
        for row in track.durations where elapsed < time {
            let length = Int64(row.ticks)
            let wanted =
                length > 0 ? min(Int64(row.count), (time - elapsed) / length + 1) : Int64(row.count)
            number += wanted
            elapsed += wanted * length
        }
        guard commonSize != nil || number <= Int64(Self.placesAtMost) else { return nil }
        var sum: UInt64 = 0
        let isWhole = try forEach(first: Int(number), boxes) { if $0 < place { sum += UInt64($1) } }
        guard isWhole else { return nil }
        return sum
    }

    /// Passes the places of the first samples, of those of one size chunk by chunk; returns `false` if one is not in the file.
    private func forEach(
        first number: Int, _ boxes: MP4BoxReader, _ body: (_ offset: UInt64, _ size: Int) -> Void
    ) throws(UndertextError) -> Bool {
        let number = min(number, count)
        guard let list = track.tables["stco"] ?? track.tables["co64"],
            let table = track.tables["stsz"]
        else { return false }
        let width = list.type == "stco" ? 4 : 8
        // Each chunk has a sample at least.
        let chunks = min(chunks, number, Self.placesAtMost)
        var offsets = try boxes.head(of: list, 8 + chunks * width)
        var sizes = try boxes.head(of: table, commonSize == nil ? 12 + number * 4 : 12)
        guard offsets.skip(8), sizes.skip(12) else { return false }
        var (left, chunk, run) = (number, 0, 0)
        while left > 0 {
            if run + 1 < chunkRuns.count, chunkRuns[run + 1].first <= chunk { run += 1 }
            let inChunk = min(left, chunkRuns[run].samples)
            guard var place = offsets.unsigned(width) else { return false }
            for _ in 0..<(commonSize == nil ? inChunk : 1) {
                // Both have 31 bits.
                guard
                    let size = commonSize.map({ Int($0) * inChunk }) ?? sizes.uint32().map(Int.init)
                else { return false }
                let (next, overflow) = place.addingReportingOverflow(UInt64(size))
                guard !overflow, next <= end else { return false }
                body(place, size)
                place = next
            }
            left -= inChunk
            chunk += 1
        }
        return true
    }
}
