package import UndertextCore

/// Writes the packets of a DVD sub-picture track as a VobSub pair, .idx and .sub.
///
/// The .idx keeps the stored lines (size, palette, …) and lists times and offsets; the .sub contains the units
/// byte for byte in packs of 2048 bytes. One thing is added: if a unit has no stop command and the packet has a
/// duration, the writer adds the command, because a VobSub pair cannot store the duration elsewhere. An
/// existing command is kept, because players use it; `mkvextract` overwrites it if the container's duration
/// differs.
///
/// Other differences from `mkvextract`: `id: --` if the language is unknown, a palette if no header is stored,
/// `langidx: 0` always, and no tracks or times that the stored header may list.
package struct VobSubPacketWriter: PacketWriter {
    /// The index and the packs.
    package let fileExtensions = ["idx", "sub"]
    /// The number of sub-picture units so far.
    package private(set) var cueCount = 0
    private let index: VobSubIndex
    private var subSize: UInt64 = 0
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The end of the part that is written.
    private let end: Timestamp?
    /// With such an end: a unit that may last until the next one.
    private var open: Packet?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - codecPrivate: the lines of an .idx file or MP4's 64 bytes of palette; may be empty.
    ///   - size: the canvas in pixels where `codecPrivate` does not state one.
    ///   - language: the language.
    ///   - streamIndex: the stream, for diagnostics.
    ///   - end: the end of the part that is written; `nil` for the last packet. Content on screen then stops at
    ///     the start of the next unit, which is not written.
    ///   - diagnostics: the sink for skipped content.
    package init(
        codecPrivate: [UInt8], size: PixelSize? = nil, language: LanguageTag? = nil,
        streamIndex: Int = 0, end: Timestamp? = nil, diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        self.end = end
        index = VobSubIndex(codecPrivate: codecPrivate, size: size, language: language)
        if index.lacksPalette {
            diagnostics.report(
                .warning, "missing-palette",
                "the input has no palette: the .idx has shades of gray", streamIndex: streamIndex)
        }
    }

    /// Writes the head of the .idx.
    package mutating func begin(into output: inout [[UInt8]]) {
        guard output.count == fileExtensions.count else { return }
        output[0] += index.bytes
    }

    /// Writes a unit and its line in the index.
    package mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard output.count == fileExtensions.count, let start = diagnostics.start(of: packet) else {
            return
        }
        guard packet.data.count >= 4 else {
            diagnostics.report(
                .error, "truncated-spu",
                "a sub-picture unit of \(packet.data.count) bytes was left out", for: packet)
            return
        }
        guard let end else {
            cueCount += 1
            return append(packet, at: start, into: &output)
        }
        if var last = open {
            open = nil
            if start >= end, let ticks = packet.pts, let begin = last.pts, ticks > begin {
                last.duration = Int64(clamping: Int128(ticks) - Int128(begin))
            }
            if let begin = last.start { append(last, at: begin, into: &output) }
        }
        guard start < end else { return }
        cueCount += 1
        if packet.duration ?? 0 > 0 {
            append(packet, at: start, into: &output)
        } else {
            open = packet
        }
    }

    private mutating func append(
        _ packet: Packet, at start: Timestamp, into output: inout [[UInt8]]
    ) {
        let size = Int(packet.data[0]) << 8 | Int(packet.data[1])
        if size > packet.data.count {
            diagnostics.report(
                .error, "truncated-spu",
                "a sub-picture unit has \(packet.data.count) of \(size) bytes", for: packet)
        }
        var unit = packet.data
        if let duration = packet.duration, duration > 0, packet.statedEnd != nil,
            let span = Duration(ticks: duration, timeBase: packet.timeBase),
            let stopping = SPUDuration.stopping(unit, after: span)
        {
            unit = stopping
        }
        let milliseconds = max(0, start.roundedMilliseconds)
        VobSubIndex.appendLine(milliseconds: milliseconds, place: subSize, to: &output[0])

        let before = output[1].count
        let clock = UInt64(milliseconds) &* 90 & 0x1_FFFF_FFFF
        VobSubPacks.append(unit, clock: clock, to: &output[1])
        subSize += UInt64(output[1].count - before)
    }

    /// Writes the unit that was held back.
    package mutating func finish(into output: inout [[UInt8]]) {
        guard output.count == fileExtensions.count, let last = open, let start = last.start
        else { return }
        open = nil
        append(last, at: start, into: &output)
    }
}
