package import UndertextCore

/// Removes the edit lists from fragmented MP4 and applies their delays to its fragments.
///
/// Browsers that play segments ignore delays in edit lists, so that audio and video that begin at different
/// times are out of sync.
///
/// ISO/IEC 14496-12, sections 8.6.6 (`elst`) and 8.8.12 (`tfdt`).
package struct MP4EditRemoval: Sendable {
    /// Bytes that replace others of a file.
    package struct Patch: Hashable, Sendable {
        /// Their destination.
        package let offset: UInt64
        /// The bytes.
        package let bytes: [UInt8]
    }

    /// The header without edit lists: as long as before.
    package private(set) var initialization: [UInt8]
    /// Ticks by which the fragments of each track begin later.
    private var shifts: [Int64: Int64] = [:]

    /// Bytes of one `moof` at most.
    static let fragmentSize = 64 << 20

    /// Removes the edit lists from an initialization segment.
    ///
    /// - Throws: `UndertextError` with code `notMedia` if it has no tracks.
    package init(initialization: [UInt8]) throws(UndertextError) {
        self.initialization = initialization
        let file = try MP4File(source: MemorySource(initialization))
        // No fragment begins before zero: if a list cuts a beginning off, all begin that much later.
        let earliest = file.tracks.reduce(Timestamp.zero) { earliest, track in
            min(earliest, Timestamp(ticks: track.edits.shift, timeBase: track.timeBase) ?? .zero)
        }
        for track in file.tracks where track.timeBase.isValid {
            guard let delay = earliest.ticks(in: track.timeBase) else { continue }
            shifts[track.id] = Int64(clamping: Int128(track.edits.shift) - Int128(delay))
        }
        var boxes = MP4MemoryBoxes(initialization[...])
        while let (type, content) = boxes.next() {
            guard type == "moov" else { continue }
            var tracks = MP4MemoryBoxes(content)
            while let (type, track) = tracks.next() {
                if type == "trak" { freeEdits(of: track) }
            }
        }
    }

    private mutating func freeEdits(of track: ArraySlice<UInt8>) {
        var boxes = MP4MemoryBoxes(track)
        while let (type, content) = boxes.next() {
            let name = content.startIndex - 4..<content.startIndex
            // The type precedes the content, unless the length is one of 64 bits.
            guard type == "edts", initialization[name].elementsEqual("edts".utf8) else { continue }
            initialization.replaceSubrange(name, with: "free".utf8)
        }
    }

    /// Returns the changes to a segment.
    ///
    /// - Throws: `UndertextError`: `unsupported` where a time does not fit, otherwise what the source throws.
    package func patches(of segment: any RandomAccessSource) throws(UndertextError) -> [Patch] {
        let reader = MP4BoxReader(window: SourceWindow(segment, cancellation: nil))
        var patches: [Patch] = []
        for box in try reader.boxes(in: 0..<(segment.size ?? 0)) {
            switch box.type {
            case "moof":
                let content = try reader.all(
                    of: box.content, limit: Self.fragmentSize, "moof")
                patches += try starts(content, at: box.content.lowerBound, segment.name)
            // Its times refer to the old timeline, and it is optional.
            case "sidx": patches.append(Patch(offset: box.start + 4, bytes: Array("free".utf8)))
            default: break
            }
        }
        return patches
    }

    private func starts(
        _ fragment: [UInt8], at place: UInt64, _ name: String
    ) throws(UndertextError) -> [Patch] {
        var patches: [Patch] = []
        var boxes = MP4MemoryBoxes(fragment[...])
        while let (type, content) = boxes.next() {
            guard type == "traf", let start = FragmentTrackStart(content),
                let shift = shifts[start.track], shift != 0
            else { continue }
            let (time, overflow) = start.decodeTime.addingReportingOverflow(shift)
            guard !overflow, time >= 0, start.isLong || time <= Int64(UInt32.max) else {
                throw UndertextError(
                    .unsupported, "its times do not fit into fragments", path: name)
            }
            let count = start.isLong ? 8 : 4
            patches.append(
                Patch(
                    offset: place + UInt64(start.place),
                    bytes: (0..<count).reversed().map {
                        UInt8(truncatingIfNeeded: time >> ($0 * 8))
                    }))
        }
        return patches
    }
}

/// The decoding and presentation time of the first sample of a `traf` box.
struct FragmentTrackStart {
    /// The track.
    let track: Int64
    /// `tfdt`, in ticks of the track.
    let decodeTime: Int64
    /// `true` if `tfdt` has 64 bits.
    let isLong: Bool
    /// The position of the time of `tfdt` in the bytes that the box was read from.
    let place: Int
    /// The composition offset of the first sample.
    private(set) var compositionOffset: Int64 = 0

    /// Reads the content of `traf`; `nil` where it has no time.
    init?(_ content: ArraySlice<UInt8>) {
        var track: Int64?
        var time: (ticks: Int64, isLong: Bool, place: Int)?
        var run: ArraySlice<UInt8>?
        var boxes = MP4MemoryBoxes(content)
        while let (type, content) = boxes.next() {
            switch type {
            case "tfhd":
                var reader = ByteReader(content)
                if reader.skip(4) { track = reader.uint32().map(Int64.init) }
            case "tfdt":
                guard let ticks = MP4Fragment.decodeTime(content) else { continue }
                time = (ticks, content.first == 1, content.startIndex + 4)
            case "trun": run = run ?? content
            default: break
            }
        }
        guard let track, let time else { return nil }
        self.track = track
        (decodeTime, isLong, place) = time
        if let run, var samples = MP4TrackRun(run), samples.count > 0 {
            compositionOffset = Int64(samples.next()?.compositionOffset ?? 0)
        }
    }
}
