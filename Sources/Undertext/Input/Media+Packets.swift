internal import UndertextFormats

extension Media {
    /// Opens a reader for the packets of `streams`, by the cheapest path that misses none of them.
    ///
    /// The index if there is a proof that it names every block, else the walk over the headers of all
    /// blocks or transport packets, else a scan.
    ///
    /// - Parameters:
    ///   - streams: the streams' indices, as probe prints them.
    ///   - window: only packets that are needed to show what is on screen in this part, on the clock
    ///     of ``Options/timeline``. Those that began before and last into it come too, and of
    ///     display sets that build on each other (PGS, DVB) those from the last entry point on.
    /// - Returns: the reader.
    /// - Throws: `UndertextError`; where ``Options/io`` asks for one path, also when that cannot be
    ///   taken.
    public func packets(
        of streams: Set<Int>, in window: TimeWindow = .all
    ) throws(UndertextError) -> TrackPacketReader {
        let window = timeline.stored(window)
        let reader = try demuxer.packets(of: streams, in: window)
        // Of a text file only the packets of the window come.
        let isComplete = window.isAll || demuxer.isTextFile
        return TrackPacketReader(
            reader,
            window: isComplete
                ? nil
                : PacketWindow(
                    window, streams: description.streams.filter { streams.contains($0.index) },
                    limit: options.limits.packetSize),
            streams: description.streams, preparation: preparation,
            isOrdered: !demuxer.isTextFile)
    }

    /// Brings the text of packets into the characters and words that the caller asked for.
    private var preparation: PacketTextPreparation? {
        // The text of a file has been prepared as a whole.
        guard !demuxer.isTextFile else { return nil }
        let charset = options.charset ?? demuxer.charset?.name
        return PacketTextPreparation(
            charset: demuxer.hasUnicodeText ? nil : charset, hook: options.textHook,
            streams: description.streams)
    }
}
