internal import UndertextCore

extension MP4Describer {
    /// The most chapters whose titles are read from samples.
    private static let chaptersAtMost = 1000
    /// The longest sample with a title.
    private static let titleSize = 4096

    /// Reads the chapters of a track of text, or those of `chpl` if there is none.
    ///
    /// - Parameters:
    ///   - movie: The headers.
    ///   - listed: The chapters of `chpl`.
    ///   - start: The start of the file in microseconds.
    ///   - duration: The duration of the file in microseconds.
    /// - Returns: The chapters, or `nil` if they are in doubt.
    /// - Throws: `UndertextError` of the source.
    func chapters(
        of movie: MP4MovieHeader, _ listed: [(start: Int64, title: String)], start: Int64,
        duration: Int64
    ) throws(UndertextError) -> [Chapter]? {
        guard duration < 1 << 55, start < 1 << 55,
            var chapters = Self.chapters(listed, until: start + duration)
        else { return nil }
        for id in movie.tracks.lazy.map(\.chapterTracks).first(where: { !$0.isEmpty }) ?? [] {
            guard let track = movie.tracks.first(where: { $0.id == id }),
                let found = try self.chapters(in: track, movie.timeBase)
            else { return nil }
            // A mix of both has ends that depend on their order in time.
            guard chapters.count <= found.count else { return nil }
            chapters = found
        }
        return chapters
    }

    /// The chapters of `chpl`, each of which lasts until the next one begins.
    private static func chapters(
        _ listed: [(start: Int64, title: String)], until end: Int64
    ) -> [Chapter]? {
        let base = TimeBase(1, 10_000_000)
        guard let last = rescale(end, from: .microseconds, to: base) else { return nil }
        return listed.enumerated().map { number, chapter in
            var end = last
            if number + 1 < listed.count {
                let next = listed[number + 1].start
                if next > chapter.start, next < end { end = next }
            }
            return Chapter(
                id: Int64(number), timeBase: base, start: chapter.start,
                end: max(end, chapter.start), tags: [MetadataTag("title", chapter.title)])
        }
    }

    /// The chapters that the samples of a track name.
    private func chapters(
        in track: MP4TrackHeader, _ movie: TimeBase
    ) throws(UndertextError) -> [Chapter]? {
        guard track.samples <= Self.chaptersAtMost, !track.hasOffsets else { return nil }
        var table = try MP4SampleTable(
            track.tables.mapValues(\.content), boxes, limits: file.limits)
        var samples: [MP4Sample] = []
        while let sample = table.next() { samples.append(sample) }
        guard samples.count == Int(track.samples), let last = samples.last else { return nil }
        var end = min(track.mediaDuration, track.duration)
        if let edits = track.edits {
            // An edit list that shows all samples at their own times.
            guard edits.delay == 0, edits.mediaStart == 0,
                let length = rescale(edits.length, from: movie, to: track.timeBase),
                length > last.decodeTime
            else { return nil }
            end = min(end, length)
        }
        guard end >= last.decodeTime else { return nil }
        var chapters: [Chapter] = []
        for (number, sample) in samples.enumerated() {
            let next = number + 1 < samples.count ? samples[number + 1].decodeTime : end
            guard let title = try title(in: sample) else { return nil }
            chapters.append(
                Chapter(
                    id: Int64(number), timeBase: track.timeBase, start: sample.decodeTime,
                    end: next, tags: [MetadataTag("title", title)]))
        }
        return chapters
    }

    /// The text of a sample of QuickTime text; `nil` unless it is UTF-8.
    private func title(in sample: MP4Sample) throws(UndertextError) -> String? {
        guard (2...Self.titleSize).contains(sample.size), sample.offset < size,
            size - sample.offset >= UInt64(sample.size)
        else { return nil }
        var reader = ByteReader(
            try boxes.window.bytes(at: sample.offset, count: sample.size, ahead: Self.titleSize))
        guard let length = reader.uint16(), let text = reader.slice(Int(length)),
            !text.starts(with: [0xFE, 0xFF]), !text.starts(with: [0xFF, 0xFE])
        else { return nil }
        return MP4Tags.text(text)
    }
}
