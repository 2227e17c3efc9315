package import UndertextCore

/// The presentation times of segments of fragmented MP4.
///
/// ISO/IEC 14496-12, sections 8.8.3 (`trex`), 8.8.7 (`tfhd`), 8.8.8 (`trun`), 8.8.12 (`tfdt`) and 8.6.6 (`elst`).
package struct MP4SegmentSpans: Sendable {
    private struct Track {
        var timeBase: TimeBase
        /// The shift of the edit list in its ticks.
        var shift: Int64
        /// The default duration of samples.
        var duration: UInt32
    }

    private var tracks: [Int64: Track] = [:]

    /// Reads what the header says of the tracks.
    ///
    /// - Throws: `UndertextError` with code `notMedia` where it has no tracks.
    package init(initialization: [UInt8]) throws(UndertextError) {
        let file = try MP4File(source: MemorySource(initialization))
        for track in file.tracks where track.timeBase.isValid {
            tracks[track.id] = Track(
                timeBase: track.timeBase, shift: track.edits.shift,
                duration: file.defaults[track.id]?.duration ?? 0)
        }
    }

    /// From when the first sample of any track is shown until the last one of any track ends.
    ///
    /// - Returns: the span; `nil` where the segment has no fragment of a known track.
    /// - Throws: `UndertextError`: what the source throws, `limit` for a fragment that is too large.
    package func span(of segment: any RandomAccessSource) throws(UndertextError) -> Range<
        Timestamp
    >? {
        let reader = MP4BoxReader(window: SourceWindow(segment, cancellation: nil))
        var span: Range<Timestamp>?
        for box in try reader.boxes(in: 0..<(segment.size ?? 0)) where box.type == "moof" {
            let fragment = try reader.all(
                of: box.content, limit: MP4EditRemoval.fragmentSize, "moof")
            var boxes = MP4MemoryBoxes(fragment[...])
            while let (type, content) = boxes.next() {
                guard type == "traf", let part = self.span(ofTrack: content) else { continue }
                let known = span ?? part
                span =
                    min(known.lowerBound, part.lowerBound)..<max(known.upperBound, part.upperBound)
            }
        }
        return span
    }

    private func span(ofTrack content: ArraySlice<UInt8>) -> Range<Timestamp>? {
        guard let start = FragmentTrackStart(content), let track = tracks[start.track] else {
            return nil
        }
        let decoded = Int128(start.decodeTime) + Int128(track.shift)
        let first = decoded + Int128(start.compositionOffset)
        let last = Self.end(of: content, from: decoded, usual: track.duration) ?? first
        guard let lower = Self.time(first, track), let upper = Self.time(last, track),
            lower <= upper
        else { return nil }
        return lower..<upper
    }

    private static func time(_ ticks: Int128, _ track: Track) -> Timestamp? {
        Int64(exactly: ticks).flatMap { Timestamp(ticks: $0, timeBase: track.timeBase) }
    }

    /// The presentation end of the last sample, in ticks; `nil` if there is no sample.
    private static func end(
        of content: ArraySlice<UInt8>, from start: Int128, usual: UInt32
    ) -> Int128? {
        var (usual, time, end) = (usual, start, Int128?.none)
        var boxes = MP4MemoryBoxes(content)
        while let (type, content) = boxes.next() {
            switch type {
            case "tfhd": usual = MP4Fragment.Header(content)?.duration ?? usual
            case "trun": read(content, usual, &time, &end)
            default: break
            }
        }
        return end
    }

    private static func read(
        _ run: ArraySlice<UInt8>, _ usual: UInt32, _ time: inout Int128, _ end: inout Int128?
    ) {
        guard var run = MP4TrackRun(run), run.count > 0 else { return }
        guard run.hasFields else {
            time += Int128(usual) * Int128(run.count)
            end = max(end ?? time, time)
            return
        }
        for _ in 0..<run.count {
            guard let sample = run.next() else { return }
            time += Int128(sample.duration ?? usual)
            let shown = time + Int128(sample.compositionOffset)
            end = max(end ?? shown, shown)
        }
    }
}
