internal import UndertextCore

/// Goes through the samples that a track's tables list.
///
/// ISO/IEC 14496-12, sections 8.6.1 and 8.7: `stts`, `ctts`, `stsc`, `stsz` or `stz2`, `stco` or
/// `co64`. The tables stay as the file has them; nothing is made for each sample.
struct MP4SampleTable {
    /// Rows of a table: numbers of 32 bits side by side.
    private struct Rows {
        private var bytes: [UInt8] = []
        private var first = 0
        private var width = 4
        private(set) var count = 0

        init() {}

        /// `header` bytes precede the rows, whose number is in the last four of them.
        init(_ bytes: [UInt8], header: Int = 8, width: Int) {
            var reader = ByteReader(bytes)
            guard reader.skip(header - 4), let stated = reader.uint32() else { return }
            self.bytes = bytes
            first = header
            self.width = width
            count = min(Int(stated), (bytes.count - header) / width)
        }

        /// The number in a column of an existing row.
        func value(_ row: Int, _ column: Int = 0) -> UInt32 {
            let place = first + row * width + column * 4
            var value: UInt32 = 0
            for byte in bytes[place..<place + 4] { value = value << 8 | UInt32(byte) }
            return value
        }

        /// The number of 64 bits that a row is.
        func longValue(_ row: Int) -> UInt64 {
            UInt64(value(row, 0)) << 32 | UInt64(value(row, 1))
        }
    }

    private var times = Rows()
    private var offsets = Rows()
    private var runs = Rows()
    private var chunks = Rows()
    private var hasLongChunks = false
    private var sizes = MP4SampleSizes([], isCompact: false)
    private var subsamples = MP4Subsamples()

    private var sample = 0
    private var chunk = 0
    private var run = 0
    private var leftInChunk: UInt32 = 0
    private var entry = 0
    private var place: UInt64 = 0
    private var time: Int64 = 0
    private var timeRow = 0
    private var leftInTimeRow: UInt32 = 0
    private var offsetRow = 0
    private var leftInOffsetRow: UInt32 = 0

    /// Reads the tables that `boxes` name.
    init(
        _ boxes: [String: Range<UInt64>], _ reader: MP4BoxReader, limits: Limits
    ) throws(UndertextError) {
        func content(_ name: String) throws(UndertextError) -> [UInt8]? {
            guard let range = boxes[name] else { return nil }
            return try reader.all(of: range, limit: limits.headerSize, name)
        }
        if let bytes = try content("stts") { times = Rows(bytes, width: 8) }
        if let bytes = try content("ctts") { offsets = Rows(bytes, width: 8) }
        if let bytes = try content("stsc") { runs = Rows(bytes, width: 12) }
        if let bytes = try content("stco") {
            chunks = Rows(bytes, width: 4)
        } else if let bytes = try content("co64") {
            chunks = Rows(bytes, width: 8)
            hasLongChunks = true
        }
        if let bytes = try content("stsz") {
            sizes = MP4SampleSizes(bytes, isCompact: false)
        } else if let bytes = try content("stz2") {
            sizes = MP4SampleSizes(bytes, isCompact: true)
        }
        if let bytes = try content("subs") { subsamples = MP4Subsamples(bytes[...]) }
        if times.count > 0 { leftInTimeRow = times.value(0, 0) }
        if offsets.count > 0 { leftInOffsetRow = offsets.value(0, 0) }
    }

    /// Number of samples that the tables list.
    var count: Int { sizes.count }

    /// The next sample; `nil` after the last one, or where the tables end early.
    mutating func next() -> MP4Sample? {
        guard sample < sizes.count, findChunk() else { return nil }
        let size = sizes.size(of: sample)
        let (end, overflow) = place.addingReportingOverflow(UInt64(size))
        guard !overflow else { return nil }
        let duration = takeDuration()
        let shown = time.addingReportingOverflow(Int64(takeOffset()))
        let next = time.addingReportingOverflow(duration ?? 0)
        guard !shown.overflow, !next.overflow else { return nil }
        let found = MP4Sample(
            offset: place, size: Int(size), decodeTime: time,
            time: shown.partialValue, duration: duration, entry: entry,
            parts: subsamples.parts[sample] ?? [])
        place = end
        leftInChunk -= 1
        sample += 1
        time = next.partialValue
        return found
    }

    /// Goes on to the next chunk that holds samples where this one is empty.
    private mutating func findChunk() -> Bool {
        while leftInChunk == 0 {
            guard chunk < chunks.count, runs.count > 0 else { return false }
            while run + 1 < runs.count, Int(runs.value(run + 1)) <= chunk + 1 { run += 1 }
            leftInChunk = runs.value(run, 1)
            entry = max(0, Int(runs.value(run, 2)) - 1)
            place = hasLongChunks ? chunks.longValue(chunk) : UInt64(chunks.value(chunk))
            chunk += 1
        }
        return true
    }

    private mutating func takeDuration() -> Int64? {
        while leftInTimeRow == 0 {
            timeRow += 1
            guard timeRow < times.count else { return nil }
            leftInTimeRow = times.value(timeRow, 0)
        }
        leftInTimeRow -= 1
        return Int64(times.value(timeRow, 1))
    }

    /// The composition offset of a sample.
    private mutating func takeOffset() -> Int32 {
        while leftInOffsetRow == 0 {
            offsetRow += 1
            guard offsetRow < offsets.count else { return 0 }
            leftInOffsetRow = offsets.value(offsetRow, 0)
        }
        leftInOffsetRow -= 1
        return Int32(bitPattern: offsets.value(offsetRow, 1))
    }
}

/// The sizes of samples: `stsz`, or `stz2` with 4, 8 or 16 bits each.
struct MP4SampleSizes {
    private let bytes: [UInt8]
    /// Bits of each size; 0 where all are equal.
    private let bits: Int
    private let common: UInt32
    /// The number of samples.
    let count: Int

    private static let headerSize = 12

    init(_ bytes: [UInt8], isCompact: Bool) {
        self.bytes = bytes
        var reader = ByteReader(bytes)
        guard reader.skip(4), let word = reader.uint32(), let stated = reader.uint32() else {
            (bits, common, count) = (0, 0, 0)
            return
        }
        if isCompact {
            bits = [4, 8, 16].contains(word & 0xFF) ? Int(word & 0xFF) : 0
            common = 0
        } else {
            bits = word == 0 ? 32 : 0
            common = word
        }
        let room = (bytes.count - Self.headerSize) * 8
        count = bits > 0 ? min(Int(stated), room / bits) : common > 0 ? Int(stated) : 0
    }

    /// The size of an existing sample.
    func size(of sample: Int) -> UInt32 {
        guard bits > 0 else { return common }
        let place = Self.headerSize + sample * bits / 8
        if bits == 4 {
            return UInt32(sample % 2 == 0 ? bytes[place] >> 4 : bytes[place] & 0x0F)
        }
        var value: UInt32 = 0
        for byte in bytes[place..<place + bits / 8] { value = value << 8 | UInt32(byte) }
        return value
    }
}
