package import UndertextCore

/// DVD subtitles in a pair of files: an .idx file of lines, a .sub file of units in packs.
///
/// Without an .idx file the streams and times are found in the packs of the .sub file itself.
package final class VobSubFile {
    /// The container and its streams, in libavformat's words and order.
    package let description: ContainerDescription
    /// The diagnostics of the .idx file, and of a .sub file that had to be scanned.
    package let diagnostics: [Diagnostic]

    private let source: any RandomAccessSource
    private let tracks: [VobSubTrack]
    /// `true` if times come from an .idx file, which may list units in any order.
    private let isListed: Bool
    private let limits: Limits
    private let cancellation: Cancellation?

    /// Larger .idx files are none.
    private static let indexSize = 64 << 20

    /// `true` if an input that begins with `bytes` is an .idx file.
    package static func isIndex(_ bytes: [UInt8]) -> Bool { VobSubIndexText.matches(bytes) }

    /// `true` if an input that begins with `bytes` may be a .sub file: an MPEG program stream.
    package static func isProgramStream(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0, 0, 1, 0xBA])
    }

    /// Opens the file that lists units, together with the one that contains them.
    ///
    /// - Parameters:
    ///   - index: the .idx file.
    ///   - units: the .sub file.
    ///   - limits: limits for memory and work.
    ///   - cancellation: cancels reading.
    /// - Throws: `UndertextError` with code `not-media` if `index` is not an .idx file, or errors of the
    ///   sources.
    package init(
        index: any RandomAccessSource, units: any RandomAccessSource, limits: Limits = Limits(),
        cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        let text = try Self.text(of: index, limits)
        source = units
        self.limits = limits
        self.cancellation = cancellation
        isListed = true
        tracks = text.streams.enumerated().map { place, stream in
            VobSubTrack(index: place, stream, timeBase: .milliseconds)
        }
        diagnostics = text.diagnostics
        description = ContainerDescription(
            formatName: "vobsub", formatLongName: "VobSub subtitle format", probeScore: 100,
            size: index.size,
            streams: zip(tracks, text.streams).map { track, stream in
                Self.description(of: stream, at: track.index, in: text)
            })
    }

    /// Opens a .sub file alone, with the lines of its .idx file if there is one.
    ///
    /// Streams are those of the .sub file in order of appearance. The .idx file supplies their times,
    /// languages, names and colors.
    ///
    /// - Throws: `UndertextError` with code `not-media` if `units` contains video or audio, or no sub-pictures.
    package init(
        units: any RandomAccessSource, index: (any RandomAccessSource)? = nil,
        limits: Limits = Limits(),
        cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        let scan = try SubFileScan(units, limits: limits, cancellation: cancellation)
        guard !scan.holdsOthers, !scan.streams.isEmpty else {
            throw UndertextError(
                .notMedia, "it contains no DVD subtitles, or other streams, too", path: units.name)
        }
        var text: VobSubIndexText?
        var notes = scan.diagnostics
        if let index {
            do throws(UndertextError) {
                text = try Self.text(of: index, limits)
            } catch {
                notes.append(try Self.diagnostic(ofIndex: error))
            }
        }
        source = units
        self.limits = limits
        self.cancellation = cancellation
        let first = scan.streams.compactMap { $0.entries.map(\.ticks).min() }.min()
        var tracks: [VobSubTrack] = []
        var streams: [StreamDescription] = []
        for (place, stream) in scan.streams.enumerated() {
            let listed = text?.streams.first { $0.number == stream.number }
            tracks.append(
                VobSubTrack(index: place, listed?.inClockTicks ?? stream, timeBase: .mpeg))
            streams.append(
                StreamDescription(
                    index: place, kind: .bitmap, codec: .dvd, id: Int64(0x20 + stream.number),
                    timeBase: .mpeg,
                    language: listed.flatMap { VobSubLine.language($0.identifier) },
                    title: listed?.name, codecPrivate: text?.header ?? [], size: text?.size))
        }
        self.tracks = tracks
        isListed = text != nil
        diagnostics = notes + (text.map { $0.diagnostics + Self.disagreements($0, scan) } ?? [])
        description = ContainerDescription(
            formatName: "mpeg", formatLongName: "MPEG-PS (MPEG-2 Program Stream)",
            startTime: first.flatMap { rescale($0, from: .mpeg, to: .microseconds) },
            size: units.size, streams: streams)
    }

    /// The diagnostic for a .sub file that is read without its .idx file.
    ///
    /// - Parameter error: the reason why the .idx file cannot be read.
    /// - Returns: the diagnostic `damaged-index`.
    /// - Throws: `error` if reading was cancelled.
    package static func diagnostic(ofIndex error: UndertextError) throws(UndertextError)
        -> Diagnostic
    {
        if error.code == .cancelled { throw error }
        return Diagnostic(
            .warning, "damaged-index",
            "the .idx file is not used: \(error.message); its times, colors, languages and names are lost"
        )
    }

    /// The differences between an .idx file and its .sub file.
    private static func disagreements(
        _ text: VobSubIndexText, _ scan: SubFileScan
    ) -> [Diagnostic] {
        func note(_ message: String) -> Diagnostic {
            Diagnostic(
                .warning, "index-mismatch", "the .idx and the .sub file disagree: " + message)
        }
        var notes: [Diagnostic] = []
        for stream in scan.streams {
            let found = stream.entries.count
            guard let listed = text.streams.first(where: { $0.number == stream.number }) else {
                notes.append(
                    note(
                        "stream \(stream.number) is not listed; it is read with the times of its "
                            + "packets"))
                continue
            }
            guard listed.entries.count != found else { continue }
            notes.append(
                note(
                    "of stream \(stream.number) \(listed.entries.count) subtitles are listed and "
                        + "\(found) are there; those that are listed are read"))
        }
        for stream in text.streams
        where !scan.streams.contains(where: { $0.number == stream.number }) {
            notes.append(note("stream \(stream.number) is listed and not there"))
        }
        return notes
    }

    /// A reader for the units of `streams`, by their times.
    ///
    /// - Parameters:
    ///   - streams: indices as ``description`` has them.
    ///   - window: only units that may be on screen in this part, and the first one after it.
    ///   - diagnostics: gets the damage that the reader finds.
    /// - Returns: the reader.
    package func packetReader(
        for streams: Set<Int>, window: TimeWindow = .all, diagnostics: DiagnosticSink = .init()
    ) -> VobSubPacketReader {
        let chosen = tracks.filter { streams.contains($0.index) }
        return VobSubPacketReader(
            chosen.map { $0.entries(in: window) }, of: chosen, byTime: isListed, source: source,
            limits: limits, cancellation: cancellation, diagnostics: diagnostics)
    }

    private static func text(
        of index: any RandomAccessSource, _ limits: Limits
    ) throws(UndertextError) -> VobSubIndexText {
        let atMost = min(indexSize, limits.headerSize)
        let size = index.size ?? UInt64(atMost)
        guard size <= UInt64(atMost) else {
            throw UndertextError(
                .limit, "an .idx file of \(size) bytes is larger than allowed", path: index.name)
        }
        let bytes = try index.read(at: 0, count: Int(size))
        guard VobSubIndexText.matches(bytes) else {
            throw UndertextError(.notMedia, "is not a VobSub .idx file", path: index.name)
        }
        return VobSubIndexText(bytes, limits: limits)
    }

    private static func description(
        of stream: VobSubIndexText.Stream, at place: Int, in text: VobSubIndexText
    ) -> StreamDescription {
        var tags = [MetadataTag("language", stream.identifier)]
        if let name = stream.name { tags.append(MetadataTag("title", name)) }
        return StreamDescription(
            index: place, kind: .bitmap, codec: .dvd, id: Int64(stream.number),
            timeBase: .milliseconds, language: VobSubLine.language(stream.identifier),
            title: stream.name, disposition: place == text.defaultStream ? .default : [],
            codecPrivate: text.header, size: text.size, packetCount: stream.entries.count,
            tags: tags,
            details: StreamDetails(
                codecType: "subtitle", codecName: CodecID.dvd.rawValue, codecTag: 0,
                codecTagString: "[0][0][0][0]", showsID: true, extradataSize: text.header.count))
    }
}
