internal import UndertextCore

/// The facts of `moov` that concern all tracks.
struct MP4MovieHeader {
    /// The content of `ftyp`.
    var fileType: [UInt8] = []
    var timeBase = TimeBase(0, 0)
    var duration: Int64 = 0
    /// Seconds since 1904.
    var created: UInt64 = 0
    var matrix: MP4Matrix?
    var tracks: [MP4TrackHeader] = []
    /// The boxes of tags, `udta` and `meta`, and the number of tracks before each.
    var tagBoxes: [(box: MP4Box, tracks: Int)] = []

    /// The major brand of QuickTime.
    static let quickTime = "qt  "

    /// The major brand.
    var brand: String { String(decoding: fileType.prefix(4), as: UTF8.self) }
}

/// The beginning of `mvhd` and `mdhd` (ISO/IEC 14496-12, sections 8.2.2 and 8.4.2).
struct MP4Times {
    /// Seconds since 1904.
    let created: UInt64
    let timeBase: TimeBase
    let duration: Int64

    /// Reads the fields from version to duration; `nil` if they cannot be used.
    init?(_ reader: inout ByteReader) {
        guard let version = reader.uint8(), version <= 1, reader.skip(3) else { return nil }
        let width = version == 1 ? 8 : 4
        guard let created = reader.unsigned(width), reader.skip(width),
            let ticks = reader.uint32().flatMap({ Int32(exactly: $0) }), ticks > 0,
            let duration = reader.unsigned(width).flatMap({ Int64(exactly: $0) })
        else { return nil }
        self.created = created
        timeBase = TimeBase(1, ticks)
        self.duration = duration
    }
}

/// The matrix of a track or of the movie (ISO/IEC 14496-12, section 6.2.2).
struct MP4Matrix: Hashable {
    private let values: [Int32]

    /// Reads nine numbers; `nil` if the bytes end before.
    init?(_ reader: inout ByteReader) {
        var values: [Int32] = []
        for _ in 0..<9 {
            guard let value = reader.uint32() else { return nil }
            values.append(Int32(bitPattern: value))
        }
        self.values = values
    }

    /// `true` if it changes nothing.
    var isIdentity: Bool { values == [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30] }

    /// `true` if it keeps all lengths: the identity, a quarter turn, a reflection, or a shift.
    var keepsLengths: Bool {
        let one: Int32 = 1 << 16
        let turn = [values[0], values[1], values[3], values[4]].map(\.magnitude)
        let isTurn =
            turn == [one.magnitude, 0, 0, one.magnitude]
            || turn == [0, one.magnitude, one.magnitude, 0]
        return isTurn && values[2] == 0 && values[5] == 0 && values[8] == 1 << 30
    }
}

/// The facts of `trak` of which libavformat makes a stream.
struct MP4TrackHeader {
    /// The start of a track on the timeline of the movie.
    enum Start {
        /// Time zero.
        case beginning
        /// Some time after zero.
        case later
    }

    /// The edit list: an empty edit at most, then a part of the media.
    struct Edits: Hashable {
        /// Ticks of the movie for which nothing is shown at first.
        var delay: Int64 = 0
        /// The media time at which the track begins.
        var mediaStart: Int64 = 0
        /// The length of the part in ticks of the movie.
        var length: Int64 = 0
    }

    var id: Int64 = 0
    var isEnabled = false
    var size: PixelSize?
    var matrix: MP4Matrix?
    var handler = ""
    /// The names of `mdia/hdlr` and `mdia/minf/hdlr`, as the boxes have them.
    var handlerNames: [[UInt8]] = []
    var timeBase = TimeBase(0, 0)
    var language: UInt16 = 0
    /// Seconds since 1904.
    var created: UInt64 = 0
    /// The duration in `mdhd`.
    var mediaDuration: Int64 = 0
    var chapterTracks: [Int64] = []
    var entry = MP4SampleEntry(format: "", body: [])
    /// The version of `stsd`.
    var entryVersion: UInt8 = 0
    var edits: Edits?
    /// The composition offset of the first sample.
    var firstOffset: Int64 = 0
    /// `true` if samples have composition offsets.
    var hasOffsets = false
    /// `true` if the offsets may be negative.
    var hasSignedOffsets = false
    var samples: Int64 = 0
    var duration: Int64 = 0
    /// The rows of `stts`: samples, and the duration of each.
    var durations: [(count: Int32, ticks: Int32)] = []
    /// The boxes of the sample table by type.
    var tables: [String: MP4Box] = [:]
    /// The box `udta`.
    var userData: MP4Box?
    /// `true` if a box may change what libavformat reports beyond the facts that readers of subtitles use.
    var isUnusual = false

    /// `tkhd`: flags, times, number, and the size after the matrix.
    mutating func readHeader(_ head: ByteReader) -> Bool {
        var reader = head
        guard let version = reader.uint8(), version <= 1, reader.skip(2),
            let flags = reader.uint8(),
            reader.skip(version == 1 ? 16 : 8), let number = reader.uint32(), number > 0,
            reader.skip(4 + (version == 1 ? 8 : 4) + 16), let matrix = MP4Matrix(&reader),
            let width = reader.uint32().flatMap({ Int32(exactly: $0) }),
            let height = reader.uint32().flatMap({ Int32(exactly: $0) })
        else { return false }
        id = Int64(number)
        isEnabled = flags & 1 != 0
        self.matrix = matrix
        let (columns, rows) = (Int(width >> 16), Int(height >> 16))
        size = columns > 0 && rows > 0 ? PixelSize(width: columns, height: rows) : nil
        return true
    }

    /// `elst`: at most a delay and one part of the media at its own speed.
    mutating func readEdits(_ content: [UInt8]) -> Bool {
        var reader = ByteReader(content)
        guard let version = reader.uint8(), version <= 1, reader.skip(3),
            let count = reader.uint32(),
            (1...2).contains(count)
        else { return false }
        var edits = Edits()
        for index in 0..<count {
            guard
                let length = reader.unsigned(version == 1 ? 8 : 4)
                    .flatMap({ Int64(exactly: $0) }),
                let time = version == 1
                    ? reader.uint64().map(Int64.init(bitPattern:))
                    : reader.uint32().map({ Int64(Int32(bitPattern: $0)) }),
                reader.uint32() == 1 << 16
            else { return false }
            if time == -1, index == 0, count == 2 {
                edits.delay = length
            } else {
                guard time >= 0, index == count - 1 else { return false }
                edits.mediaStart = time
                edits.length = length
                self.edits = edits
            }
        }
        isUnusual = isUnusual || !reader.isAtEnd
        return self.edits != nil
    }

    /// `stsd` with one entry.
    mutating func readEntry(_ content: [UInt8]) -> Bool {
        var reader = ByteReader(content)
        guard let version = reader.uint8(), reader.skip(3), reader.uint32() == 1,
            let size = reader.uint32(), Int(size) == content.count - 8
        else { return false }
        let entries = MP4SampleEntry.parse(content[...])
        guard entries.count == 1 else { return false }
        entry = entries[0]
        entryVersion = version
        return true
    }

    /// `stts`, all of which is in memory.
    mutating func readDurations(_ content: [UInt8]) -> Bool {
        var reader = ByteReader(content)
        guard reader.skip(4), let rows = reader.uint32(), rows > 0 else { return false }
        for row in 0..<rows {
            guard let count = reader.uint32().flatMap({ Int32(exactly: $0) }), count > 0,
                let length = reader.uint32().flatMap({ Int32(exactly: $0) })
            else { return false }
            // libavformat corrects a last sample that is far longer than the others.
            if row > 0, row == rows - 1, count == 1, samples > 100,
                Int64(length) / 10 > duration / samples
            {
                return false
            }
            samples += Int64(count)
            // Then no sum of durations overflows.
            guard samples <= Int32.max else { return false }
            duration += Int64(count) * Int64(length)
            durations.append((count, length))
        }
        return duration > 0
    }

    /// The start of a track of audio or video, or `nil` if it is in doubt.
    func start(isAudio: Bool) -> Start? {
        guard let edits else { return firstOffset == 0 ? .beginning : .later }
        let mediaStart = edits.mediaStart
        if edits.delay > 0 { return mediaStart <= firstOffset || isAudio ? .later : nil }
        if mediaStart < firstOffset { return .later }
        if mediaStart == firstOffset { return .beginning }
        // What an encoder of audio needs to start is skipped.
        let isShort = rescale(mediaStart, from: timeBase, to: .milliseconds).map { $0 < 500 }
        return isAudio && isShort == true ? .beginning : nil
    }

    /// The stream as libavformat describes it, or `nil` if that is in doubt.
    func stream(index: Int, isChapters: Bool) -> StreamDescription? {
        guard let (kind, codec) = content(isChapters: isChapters), let tag = codecTag,
            let language = MP4Language(language) ?? (kind == .text ? nil : MP4Language.none)
        else { return nil }
        let isSampled = entry.format == "wvtt" || entry.format == "stpp"
        let header = kind == .video || kind == .audio || isSampled ? [] : entry.body
        let type = isSampled || kind == .data ? "data" : kind == .text ? "subtitle" : kind.rawValue
        let isShown = (kind == .text || kind == .data) && !isSampled
        var stream = StreamDescription(
            index: index, kind: kind, codec: codec, id: id, timeBase: timeBase,
            language: language.code.flatMap { LanguageTag($0) },
            disposition: isEnabled ? .default : [],
            codecPrivate: header, size: isShown ? size : nil,
            duration: duration, packetCount: Int(samples),
            tags: language.code.map { [MetadataTag("language", $0)] } ?? [],
            details: StreamDetails(
                codecType: type, codecName: isSampled ? nil : codec.rawValue, codecTag: tag,
                codecTagString: entry.format, showsID: true, extradataSize: header.count))
        if kind == .video {
            guard let rate = frameRate, let size = videoSize else { return nil }
            (stream.frameRate, stream.size) = (rate, size)
        }
        return stream
    }

    /// The kind and the codec; `nil` for those of which libavformat knows more.
    private func content(isChapters: Bool) -> (MediaKind, CodecID)? {
        if isChapters {
            return ["text", "tx3g"].contains(entry.format) && handler == "text"
                ? (.data, CodecID(rawValue: "bin_data")) : nil
        }
        switch (handler, entry.format) {
        case ("vide", "avc1"), ("vide", "avc3"): return (.video, CodecID(rawValue: "h264"))
        case ("vide", "hvc1"), ("vide", "hev1"): return (.video, CodecID(rawValue: "hevc"))
        case ("vide", "av01"): return (.video, CodecID(rawValue: "av1"))
        case ("vide", "vp09"): return (.video, CodecID(rawValue: "vp9"))
        case ("vide", "mp4v"):
            switch MP4CodecNames.name(entry) {
            case "mp4v.60", "mp4v.61", "mp4v.62", "mp4v.63", "mp4v.64", "mp4v.65":
                return (.video, CodecID(rawValue: "mpeg2video"))
            default: return nil
            }
        case ("soun", "mp4a"):
            guard let sound = MP4SoundEntry(entry, entryVersion: entryVersion),
                let stream = sound.content("esds").flatMap(MP4ElementaryStream.init)
            else { return nil }
            switch stream.objectType {
            case 0x40 where stream.audioObjectType != nil:
                return (.audio, CodecID(rawValue: "aac"))
            case 0x6B, 0x69: return (.audio, CodecID(rawValue: "mp3"))
            default: return nil
            }
        case ("soun", "ac-3"): return (.audio, CodecID(rawValue: "ac3"))
        case ("soun", "ec-3"): return (.audio, CodecID(rawValue: "eac3"))
        case ("soun", "Opus"): return (.audio, CodecID(rawValue: "opus"))
        case ("soun", "fLaC"): return (.audio, CodecID(rawValue: "flac"))
        case ("soun", "alac"): return (.audio, CodecID(rawValue: "alac"))
        case ("soun", let format):
            return MP4PCM(format, entry, entryVersion: entryVersion).map { (.audio, $0.codec) }
        case ("text", "tx3g"), ("sbtl", "tx3g"), ("subt", "tx3g"), ("text", "text"):
            return (.text, .movText)
        case ("text", "wvtt"): return (.text, .webVTT)
        case ("subt", "stpp"): return (.text, .ttml)
        default: return nil
        }
    }

    private var codecTag: UInt32? {
        let bytes = Array(entry.format.utf8)
        guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private var videoSize: PixelSize? {
        var reader = ByteReader(entry.body)
        guard reader.skip(16), let width = reader.uint16(), let height = reader.uint16(), width > 0,
            height > 0
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// The mean over all samples.
    private var frameRate: TimeBase? {
        let (rate, overflow) = Int64(timeBase.denominator).multipliedReportingOverflow(by: samples)
        guard !overflow else { return nil }
        var (divisor, rest) = (rate, duration)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        guard let numerator = Int32(exactly: rate / divisor),
            let denominator = Int32(exactly: duration / divisor)
        else { return nil }
        return TimeBase(numerator, denominator)
    }
}

/// The language in `mdhd` and in tags of QuickTime.
///
/// ISO/IEC 14496-12, section 8.4.2.3: three letters of five bits. QuickTime file format, "Language Code Values": a number of
/// Mac OS.
struct MP4Language: Hashable {
    /// The three letters; `nil` if no language is stated.
    let code: String?

    /// No language.
    static let none = MP4Language(code: nil)
    private static let unspecified: UInt16 = 0x7FFF
    private static let firstOfLetters: UInt16 = 0x400
    /// The languages of Mac OS that have one code only in ISO 639.
    private static let macintosh: [UInt16: String] = [
        0: "eng", 1: "fra", 2: "ger", 3: "ita", 4: "dut", 6: "spa", 7: "dan", 8: "por", 9: "nor",
        10: "heb", 11: "jpn", 12: "ara", 13: "fin", 14: "gre", 17: "tur", 19: "chi", 21: "hin",
        22: "tha", 23: "kor", 25: "pol", 26: "hun", 32: "rus", 45: "ukr", 80: "vie",
    ]

    private init(code: String?) { self.code = code }

    /// Reads the number; `nil` if the language is in doubt.
    init?(_ value: UInt16) {
        guard value != Self.unspecified else {
            code = nil
            return
        }
        guard value >= Self.firstOfLetters else {
            guard let name = Self.macintosh[value] else { return nil }
            code = name
            return
        }
        let letters = [10, 5, 0].map { UInt8(value >> $0 & 0x1F) + 0x60 }
        guard letters.allSatisfy(\.isLetter) else { return nil }
        code = String(decoding: letters, as: UTF8.self)
    }
}
