internal import UndertextCore

/// Builds MP4 files of text tracks, byte by byte.
public struct MP4Builder: Sendable {
    /// A sample and how long it lasts, in ticks.
    public struct Sample: Sendable {
        /// Its bytes.
        public var data: [UInt8]
        /// The duration.
        public var duration: UInt32
        /// The offset from its decoding to its presentation.
        public var offset: Int32

        /// Creates a sample.
        public init(_ data: [UInt8], _ duration: UInt32, offset: Int32 = 0) {
            self.data = data
            self.duration = duration
            self.offset = offset
        }
    }

    /// The type of the sample entry.
    public var format: String
    /// The content of the sample entry after the reference index.
    public var entry: [UInt8]
    /// Ticks a second of the media.
    public var scale: UInt32 = 1000
    /// Edits: lengths in ticks of 1/600 s, and where they begin in the media.
    public var edits: [(length: UInt32, time: Int32)] = []
    /// The handler's type.
    public var handler = "text"
    /// The number of the track.
    public var track: UInt32 = 1
    /// Additional content of `stbl` or `traf`.
    public var extra: [UInt8] = []

    /// A file whose samples are of a kind.
    public init(_ format: String, entry: [UInt8] = []) {
        self.format = format
        self.entry = entry
    }

    /// A box.
    public static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let body = content.flatMap { $0 }
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt32(body.count + 8))
        return bytes + type.utf8 + body
    }

    /// Numbers of 32 bits.
    public static func words(_ values: Int...) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes.appendBigEndian(UInt32(truncatingIfNeeded: value)) }
        return bytes
    }

    /// A file whose samples are listed in tables, `perChunk` of them side by side.
    public func file(_ samples: [Sample], perChunk: Int = 2) -> [UInt8] {
        let start = Self.box("ftyp", Array("isom".utf8), Self.words(0))
        func moov(at place: Int) -> [UInt8] {
            var chunks: [UInt8] = []
            var offset = place
            for (index, sample) in samples.enumerated() {
                if index % perChunk == 0 { chunks += Self.words(offset) }
                offset += sample.data.count
            }
            let last = samples.count % perChunk
            var runs = Self.words(1, perChunk, 1)
            if last > 0, samples.count > perChunk {
                runs += Self.words(samples.count / perChunk + 1, last, 1)
            } else if last > 0 {
                runs = Self.words(1, last, 1)
            }
            let times = samples.flatMap { Self.words(1, Int($0.duration)) }
            let sizes = samples.flatMap { Self.words($0.data.count) }
            var tables =
                Self.box("stts", Self.words(0, samples.count), times)
                + Self.box("stsc", Self.words(0, runs.count / 12), runs)
                + Self.box("stsz", Self.words(0, 0, samples.count), sizes)
                + Self.box("stco", Self.words(0, chunks.count / 4), chunks)
            if samples.contains(where: { $0.offset != 0 }) {
                tables += Self.box(
                    "ctts", Self.words(0, samples.count),
                    samples.flatMap { Self.words(1, Int($0.offset)) })
            }
            let length = samples.reduce(0) { $0 + Int($1.duration) }
            return movie(tables, length: length, isFragmented: false)
        }
        let data = Self.box("mdat", samples.flatMap(\.data))
        let size = moov(at: 0).count
        return start + moov(at: start.count + size + 8) + data
    }

    /// A file with custom tables: `tables` receives the offset of the media data.
    public func file(data: [UInt8], tables: (_ start: Int) -> [UInt8]) -> [UInt8] {
        let start = Self.box("ftyp", Array("isom".utf8), Self.words(0)) + Self.box("mdat", data)
        return start
            + movie(tables(start.count - data.count), length: 1000, isFragmented: false)
    }

    /// `count` chunks of one sample of `data`, all at one place.
    public func overlapping(_ data: [UInt8], count: Int) -> [UInt8] {
        file(data: data) { start in
            Self.box("stts", Self.words(0, 1, count, 10))
                + Self.box("stsc", Self.words(0, 1, 1, 1, 1))
                + Self.box("stsz", Self.words(0, data.count, count))
                + Self.box(
                    "stco", Self.words(0, count),
                    Array(repeating: Self.words(start), count: count).flatMap { $0 })
        }
    }

    /// `count` chunks at one place, each of which has `samples` samples of one byte by a row of its own.
    public func crowded(chunks count: Int, samples: Int) -> [UInt8] {
        file(data: [UInt8](repeating: 0, count: 100)) { start in
            let rows = (1...count).flatMap { Self.words($0, samples, 1) }
            let chunks = Array(repeating: Self.words(start), count: count).flatMap { $0 }
            return Self.box("stts", Self.words(0, 1, count &* samples, 1))
                + Self.box("stsc", Self.words(0, count), rows)
                + Self.box("stsz", Self.words(0, 1, min(count &* samples, Int(UInt32.max))))
                + Self.box("stco", Self.words(0, count), chunks)
        }
    }

    /// A file in fragments, each with the time that its first sample is decoded at.
    public func fragmented(_ fragments: [(time: Int, samples: [Sample])]) -> [UInt8] {
        let tables =
            Self.box("stts", Self.words(0, 0)) + Self.box("stsc", Self.words(0, 0))
            + Self.box("stsz", Self.words(0, 0, 0)) + Self.box("stco", Self.words(0, 0))
        var bytes =
            Self.box("ftyp", Array("iso5".utf8), Self.words(0))
            + movie(tables, length: 0, isFragmented: true)
        for (time, samples) in fragments { bytes += fragment(at: time, samples) }
        return bytes
    }

    private func fragment(at time: Int, _ samples: [Sample]) -> [UInt8] {
        func moof(_ offset: Int) -> [UInt8] {
            let rows = samples.flatMap {
                Self.words(Int($0.duration), $0.data.count, Int($0.offset))
            }
            let run = Self.box(
                "trun", Self.words(0x0100_0B01, samples.count, offset), rows)
            return Self.box(
                "moof", Self.box("mfhd", Self.words(0, 1)),
                Self.box(
                    "traf", Self.box("tfhd", Self.words(0x0002_0000, Int(track))),
                    decodeTime(time), run, extra))
        }
        let size = moof(0).count
        return moof(size + 8) + Self.box("mdat", samples.flatMap(\.data))
    }

    private func decodeTime(_ time: Int) -> [UInt8] {
        time >> 32 == 0
            ? Self.box("tfdt", Self.words(0, time))
            : Self.box("tfdt", Self.words(0x0100_0000, time >> 32, time))
    }

    private func movie(_ tables: [UInt8], length: Int, isFragmented: Bool) -> [UInt8] {
        let matrix = Self.words(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)
        let seconds = length / Int(scale) * 600
        let header = Self.box(
            "mvhd", Self.words(0, 0, 0, 600, seconds, 0x1_0000), [1, 0, 0, 0], Self.words(0, 0),
            matrix, Self.words(0, 0, 0, 0, 0, 0), Self.words(2))
        let trackHeader = Self.box(
            "tkhd", Self.words(3, 0, 0, Int(track), 0, seconds, 0, 0, 0, 0), matrix,
            Self.words(400 << 16, 60 << 16))
        var parts = trackHeader
        if !edits.isEmpty {
            let rows = edits.flatMap { Self.words(Int($0.length), Int($0.time), 0x1_0000) }
            parts += Self.box("edts", Self.box("elst", Self.words(0, edits.count), rows))
        }
        let entryBox = Self.box(format, [0, 0, 0, 0, 0, 0, 0, 1], entry)
        let table = Self.box(
            "stbl", Self.box("stsd", Self.words(0, 1), entryBox), tables, isFragmented ? [] : extra)
        parts += Self.box(
            "mdia", Self.box("mdhd", Self.words(0, 0, 0, Int(scale), length, 0x55C4_0000)),
            Self.box("hdlr", Self.words(0, 0), Array(handler.utf8), Self.words(0, 0, 0), [0]),
            Self.box(
                "minf", Self.box("nmhd", Self.words(0)),
                Self.box(
                    "dinf", Self.box("dref", Self.words(0, 1), Self.box("url ", Self.words(1)))),
                table))
        let extends =
            isFragmented
            ? Self.box("mvex", Self.box("trex", Self.words(0, Int(track), 1, 0, 0, 0))) : []
        return Self.box("moov", header, extends, Self.box("trak", parts))
    }
}
