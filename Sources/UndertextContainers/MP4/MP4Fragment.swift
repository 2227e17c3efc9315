internal import UndertextCore

/// The defaults of a track's fragments: `trex`.
struct MP4FragmentDefaults: Hashable, Sendable {
    var entry: UInt32 = 1
    var duration: UInt32 = 0
    var size: UInt32 = 0

    /// Nothing is known.
    init() {}

    /// Reads `trex`, and the track that it is for.
    static func parse(_ content: ArraySlice<UInt8>) -> (Int64, MP4FragmentDefaults)? {
        var reader = ByteReader(content)
        var defaults = MP4FragmentDefaults()
        guard reader.skip(4), let track = reader.uint32(), let entry = reader.uint32(),
            let duration = reader.uint32(), let size = reader.uint32()
        else { return nil }
        defaults.entry = entry
        defaults.duration = duration
        defaults.size = size
        return (Int64(track), defaults)
    }
}

/// A wanted track while its fragments are gone through.
struct MP4FragmentTrack {
    /// The values that fragments leave out.
    var defaults = MP4FragmentDefaults()
    /// The decoding time of the next sample if a fragment states none.
    var nextTime: Int64 = 0
    /// The number of samples that may still be returned.
    var room: Int
}

/// The samples of one fragment, `moof`.
///
/// ISO/IEC 14496-12, sections 8.8.4 to 8.8.8.
struct MP4Fragment {
    /// The samples of wanted tracks, each with its track, as the fragment lists them.
    private(set) var samples: [(track: Int64, sample: MP4Sample)] = []
    /// Returns `true` if a track, or the fragment, has more samples than allowed.
    private(set) var isCut = false
    /// The number of samples of each selected track after the end of the file.
    private(set) var missing: [Int64: Int] = [:]

    /// Samples of all its tracks together: fragments last seconds, and their samples are held at once.
    private static let samplesAtMost = 1 << 16

    private let start: UInt64
    private let fileSize: UInt64
    /// The end of the data of the previous track fragment.
    private var previousEnd: UInt64

    /// Reads the content of a `moof` whose header begins at `start`, in a file of `fileSize` bytes.
    init(
        _ content: ArraySlice<UInt8>, at start: UInt64, in fileSize: UInt64,
        tracks: inout [Int64: MP4FragmentTrack]
    ) {
        self.start = start
        self.fileSize = fileSize
        previousEnd = start
        var boxes = MP4MemoryBoxes(content)
        while let (type, content) = boxes.next() {
            if type == "traf" { read(content, &tracks) }
        }
    }

    /// The values of `tfhd`.
    struct Header {
        var track: Int64
        var base: UInt64?
        var isFromStart: Bool
        var entry: UInt32?
        var duration: UInt32?
        var size: UInt32?

        init?(_ content: ArraySlice<UInt8>) {
            var reader = ByteReader(content)
            guard let flags = reader.uint32(), let track = reader.uint32() else { return nil }
            self.track = Int64(track)
            isFromStart = flags & 0x02_0000 != 0
            if flags & 0x01 != 0 { base = reader.uint64() }
            if flags & 0x02 != 0 { entry = reader.uint32() }
            if flags & 0x08 != 0 { duration = reader.uint32() }
            if flags & 0x10 != 0 { size = reader.uint32() }
        }
    }

    private mutating func read(
        _ content: ArraySlice<UInt8>, _ tracks: inout [Int64: MP4FragmentTrack]
    ) {
        var header: Header?
        var time: Int64?
        var runs: [ArraySlice<UInt8>] = []
        var subsamples = MP4Subsamples()
        var boxes = MP4MemoryBoxes(content)
        while let (type, content) = boxes.next() {
            switch type {
            case "tfhd": header = Header(content)
            case "tfdt": time = Self.decodeTime(content)
            case "trun": runs.append(content)
            case "subs": subsamples = MP4Subsamples(content)
            default: break
            }
        }
        guard let header else { return }
        let base = header.base ?? (header.isFromStart ? start : previousEnd)
        // The end of an unwanted track's data matters only if later data are located relative to it.
        var track = tracks[header.track]
        guard track != nil || !header.isFromStart else { return }
        if let time { track?.nextTime = time }
        var place = base
        var number = 0
        for run in runs {
            guard read(run, header, base, &place, &number, subsamples, &track) else { break }
        }
        previousEnd = place
        if let track { tracks[header.track] = track }
    }

    /// `tfdt`: when the first sample is decoded; `nil` if it is damaged.
    static func decodeTime(_ content: ArraySlice<UInt8>) -> Int64? {
        var reader = ByteReader(content)
        guard let version = reader.uint8(), reader.skip(3) else { return nil }
        return version == 1
            ? reader.uint64().flatMap { Int64(exactly: $0) } : reader.uint32().map(Int64.init)
    }

    /// Reads a `trun`; `false` where nothing after it can be found.
    private mutating func read(
        _ content: ArraySlice<UInt8>, _ header: Header, _ base: UInt64, _ place: inout UInt64,
        _ number: inout Int, _ subsamples: MP4Subsamples, _ track: inout MP4FragmentTrack?
    ) -> Bool {
        guard var run = MP4TrackRun(content) else { return false }
        if let offset = run.dataOffset {
            guard let moved = UInt64(exactly: Int128(base) + Int128(offset)) else { return false }
            place = moved
        }
        let defaults = track?.defaults ?? MP4FragmentDefaults()
        let entry = max(0, Int(header.entry ?? defaults.entry) - 1)
        if !run.hasFields, track == nil {
            let length = UInt64(header.size ?? defaults.size) * UInt64(run.count)
            let (end, overflow) = place.addingReportingOverflow(length)
            place = end
            return !overflow
        }
        for index in 0..<run.count {
            guard let sample = run.next() else { return false }
            let duration = sample.duration ?? header.duration ?? defaults.duration
            let size = sample.size ?? header.size ?? defaults.size
            let (end, overflow) = place.addingReportingOverflow(UInt64(size))
            guard !overflow else { return false }
            defer { place = end }
            guard var wanted = track else { continue }
            // A run states its number of samples in a few bytes; the actual data limit the memory.
            guard size == 0 || place < fileSize else {
                missing[header.track, default: 0] += Int(run.count - index)
                return false
            }
            guard wanted.room > 0, samples.count < Self.samplesAtMost else {
                isCut = true
                return false
            }
            let time = wanted.nextTime.addingReportingOverflow(
                Int64(sample.compositionOffset))
            let next = wanted.nextTime.addingReportingOverflow(Int64(duration))
            guard !time.overflow, !next.overflow else { return false }
            // One without a byte only takes its time.
            if size > 0 {
                samples.append(
                    (
                        header.track,
                        MP4Sample(
                            offset: place, size: Int(size), decodeTime: wanted.nextTime,
                            time: time.partialValue, duration: duration > 0 ? Int64(duration) : nil,
                            entry: entry, parts: subsamples.parts[number] ?? [])
                    ))
            }
            number += 1
            wanted.room -= 1
            wanted.nextTime = next.partialValue
            track = wanted
        }
        return true
    }
}
