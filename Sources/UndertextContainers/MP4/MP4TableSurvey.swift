package import UndertextCore

/// The number of samples that the tables of an MP4 file define with few bytes.
///
/// libavformat makes an entry of 24 bytes or more for each sample before it reads the first one. Most tables have a
/// number for each of them, so that the file is as large; a common size, numbers of a few bits and chunks that lie on
/// each other let one byte represent thousands, and so do runs of a fragment without fields. This goes through boxes as
/// libavformat does, wherever they lie, and reads no more of tables than that takes.
package struct MP4TableSurvey: Hashable, Sendable {
    /// The samples of all tracks, if their number does not fit 32 bits.
    package private(set) var samples: UInt64 = 0
    /// The most edits of a track.
    package private(set) var edits: UInt64 = 0
    /// Samples of that kind that the file may have.
    package let samplesAtMost: UInt64

    /// The number of such samples that any file may have: 24 MB of entries.
    private static let leastSamples: UInt64 = 1 << 20
    /// Bytes that such a sample has at least in a larger file.
    ///
    /// Only uncompressed sound has less, of which libavformat joins a thousand.
    private static let bytesOfSample: UInt64 = 16
    /// Edits up to which libavformat may apply them: it goes over the samples once for each.
    private static let editsAtMost: UInt64 = 1000
    /// The limit of libavformat.
    private static let nesting = 10

    /// Reads the part of a file that libavformat reads to describe it; `nil` if it is no MP4 file.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - allFragments: `true` to look at the headers of all fragments, as a scan does.
    ///   - limits: the largest table that is read.
    ///   - cancellation: stops it.
    /// - Throws: `UndertextError`: what the source throws.
    package init?(
        source: any RandomAccessSource, allFragments: Bool = false, limits: Limits = Limits(),
        cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        guard let size = source.size else { return nil }
        // Each has eight bytes at least, so that work grows with the file.
        let boxes = MP4BoxReader(
            window: SourceWindow(source, cancellation: cancellation),
            boxesAtMost: Int(clamping: size / 8))
        guard let first = try boxes.box(at: 0, before: size),
            MP4Header.firstTypes.contains(first.type)
        else { return nil }
        samplesAtMost = max(Self.leastSamples, size / Self.bytesOfSample)
        var hasMovie = false
        var offset: UInt64 = 0
        while let box = try boxes.box(at: offset, before: size) {
            offset = box.end
            var track = Track()
            switch box.type {
            case "moov" where !hasMovie:
                hasMovie = true
                try walk(box.content, boxes, limits, &track, depth: 0)
                try count(track, boxes, limits)
            case "moof": try walk(box.content, boxes, limits, &track, depth: 0)
            case "mdat" where hasMovie && !allFragments && !box.content.isEmpty: return
            default: break
            }
        }
    }

    /// The reason why the file must not be passed to libavformat; `nil` if it may.
    package var excess: String? {
        guard samples > samplesAtMost else { return nil }
        return
            "its tables make \(samples) samples of a few numbers, more than the \(samplesAtMost) "
            + "that a file of its size may have"
    }

    /// `true` if there are more edits than libavformat should apply.
    package var hasManyEdits: Bool { edits > Self.editsAtMost }

    /// The results for a track.
    private struct Track {
        var isSound = false
        /// Samples without a number of their own.
        var count: UInt64 = 0
        var runs: Range<UInt64>?
        var chunks: UInt64 = 0
        /// `true` if each sample lasts one tick, as in uncompressed sound.
        var isOfTicks = false
    }

    private mutating func walk(
        _ range: Range<UInt64>, _ boxes: MP4BoxReader, _ limits: Limits, _ track: inout Track,
        depth: Int
    ) throws(UndertextError) {
        guard depth < Self.nesting else { return }
        for box in try boxes.boxes(in: range) {
            switch box.type {
            case "trak":
                try count(track, boxes, limits)
                track = Track()
                try walk(box.content, boxes, limits, &track, depth: depth + 1)
            case "mdia", "minf", "stbl", "edts", "moov", "udta", "dinf", "mvex", "traf":
                try walk(box.content, boxes, limits, &track, depth: depth + 1)
            case "hdlr":
                var reader = try boxes.head(of: box, 12)
                track.isSound =
                    reader.skip(8) && reader.slice(4).map(Array.init) == Array("soun".utf8)
            case "stsz", "stz2": track.count = try Self.samples(in: box, boxes)
            case "stsc": track.runs = box.content
            case "stco", "co64": track.chunks = try Self.rows(in: box, boxes, width: 4).count
            case "stts":
                var row = try Self.rows(in: box, boxes, width: 8)
                track.isOfTicks = row.count == 1 && row.first.skip(4) && row.first.uint32() == 1
            case "elst": edits = max(edits, try Self.rows(in: box, boxes, width: 12).count)
            case "trun":
                var reader = try boxes.head(of: box, 8)
                // With fields the samples have bytes of their own.
                guard let flags = reader.uint32(), flags & 0xF00 == 0, let count = reader.uint32()
                else { continue }
                add(UInt64(count))
            default: break
            }
        }
    }

    private mutating func add(_ more: UInt64) {
        samples = samples.addingReportingOverflow(more).overflow ? .max : samples + more
    }

    /// Adds up what a track makes libavformat do.
    private mutating func count(
        _ track: Track, _ boxes: MP4BoxReader, _ limits: Limits
    ) throws(UndertextError) {
        guard track.count > 0, let runs = track.runs else { return }
        let inChunks = try Self.samples(ofRuns: runs, chunks: track.chunks, boxes, limits)
        let isJoined = track.isSound && track.isOfTicks
        // Of sound it joins 160 samples at least.
        let made = isJoined ? inChunks / 160 : min(track.count, inChunks)
        add(made)
    }

    /// Samples that a box gives no number of 32 bits.
    private static func samples(in box: MP4Box, _ boxes: MP4BoxReader) throws(UndertextError)
        -> UInt64
    {
        var reader = try boxes.head(of: box, 12)
        guard reader.skip(4), let word = reader.uint32(), let count = reader.uint32() else {
            return 0
        }
        if box.type == "stsz" { return word == 0 ? 0 : UInt64(count) }
        let room = (box.end - box.content.lowerBound) * 8 / UInt64(max(1, word & 0xFF))
        return min(UInt64(count), room)
    }

    /// The number of rows that a table states and has room for, and the first row.
    private static func rows(
        in box: MP4Box, _ boxes: MP4BoxReader, width: UInt64
    ) throws(UndertextError) -> (count: UInt64, first: ByteReader) {
        var reader = try boxes.head(of: box, 16)
        guard reader.skip(4), let count = reader.uint32() else { return (0, reader) }
        return (min(UInt64(count), (box.end - box.content.lowerBound) / width), reader)
    }

    /// Samples of all chunks by `stsc`.
    private static func samples(
        ofRuns range: Range<UInt64>, chunks: UInt64, _ boxes: MP4BoxReader, _ limits: Limits
    ) throws(UndertextError) -> UInt64 {
        var reader = ByteReader(try boxes.all(of: range, limit: limits.headerSize, "stsc"))
        guard reader.skip(4), let count = reader.uint32() else { return 0 }
        var total: UInt64 = 0
        var last: (chunk: UInt64, samples: UInt64)?
        for _ in 0..<count {
            guard let chunk = reader.uint32(), let samples = reader.uint32(), reader.skip(4) else {
                break
            }
            add(last, until: UInt64(chunk), to: &total)
            last = (UInt64(chunk), UInt64(samples))
        }
        add(last, until: chunks + 1, to: &total)
        return total
    }

    private static func add(
        _ run: (chunk: UInt64, samples: UInt64)?, until next: UInt64, to total: inout UInt64
    ) {
        guard let run, next > run.chunk else { return }
        // Both have 32 bits.
        let samples = (next - run.chunk) * run.samples
        total = total.addingReportingOverflow(samples).overflow ? .max : total + samples
    }
}
