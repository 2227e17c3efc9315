package import UndertextCore

/// Reads the units of chosen streams in the order of their times.
package final class VobSubPacketReader: PacketReader {
    private struct Place {
        var track: Int
        var entry: VobSubIndexText.Entry
        /// In ns, to order streams by.
        var time: Int64
    }

    private let tracks: [VobSubTrack]
    private let places: [Place]
    private var next = 0
    private var units: SubPictureUnitReader
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private let size: UInt64?
    /// The number of unit bytes that may still be returned.
    private var room: UInt64

    /// The limit of the bytes of all packets: a multiple of the bytes of the .sub file, and an addition.
    ///
    /// Each unit should be listed once. An .idx file could list one unit a million times, so that a few bytes
    /// would be decoded a million times.
    private static let (repetitions, spare) = (8 as UInt64, 64 << 10 as UInt64)

    init(
        _ entries: [[VobSubIndexText.Entry]], of tracks: [VobSubTrack], byTime: Bool,
        source: any RandomAccessSource, limits: Limits, cancellation: Cancellation?,
        diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics.section(capacity: 1000)
        self.tracks = tracks
        size = source.size
        let (product, overflow) = (source.size ?? .max).multipliedReportingOverflow(
            by: Self.repetitions)
        room = overflow ? .max : product.addingReportingOverflow(Self.spare).partialValue
        units = SubPictureUnitReader(source, limits: limits, cancellation: cancellation)
        var places: [Place] = []
        for (track, list) in zip(tracks.indices, entries) {
            let timeBase = tracks[track].timeBase
            places += list.map { entry in
                let time = Timestamp(ticks: entry.ticks, timeBase: timeBase)
                return Place(track: track, entry: entry, time: time?.nanoseconds ?? .max)
            }
        }
        // Streams keep their own order where times are equal. A clock that was joined together
        // orders nothing: then it is the file that does.
        self.places = places.enumerated().sorted {
            let (left, right) = ($0.element, $1.element)
            return byTime
                ? (left.time, $0.offset) < (right.time, $1.offset)
                : (left.entry.position, $0.offset) < (right.entry.position, $1.offset)
        }.map(\.element)
    }

    /// The next unit, or `nil` after the last one.
    ///
    /// - Throws: `UndertextError`: reading the .sub file failed.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while next < places.count {
            let place = places[next]
            next += 1
            let track = tracks[place.track]
            guard let unit = try units.unit(at: place.entry.position, number: track.number) else {
                let isBehind = size.map { place.entry.position >= $0 } ?? false
                note(
                    .error, "missing-unit",
                    isBehind
                        ? "an offset in the .idx file is beyond the end of the .sub file"
                        : "there is no subtitle at an offset in the .idx file", place)
                continue
            }
            guard UInt64(unit.bytes.count) <= room else {
                note(
                    .error, "limit-exceeded",
                    "the .idx file lists the same subtitles repeatedly; the rest is left out",
                    place)
                next = places.count
                return nil
            }
            room -= UInt64(unit.bytes.count)
            if unit.subPicture != track.number, track.hasUsualNumber {
                note(
                    .warning, "wrong-stream",
                    "an offset in the .idx file points at a subtitle of another stream", place)
            }
            // The decoder reports an incomplete unit.
            return Packet(
                streamIndex: track.index, pts: place.entry.ticks,
                dts: place.entry.ticks, timeBase: track.timeBase,
                position: place.entry.position, data: unit.bytes)
        }
        return nil
    }

    private func note(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ place: Place
    ) {
        diagnostics.report(
            severity, code, message, streamIndex: tracks[place.track].index,
            time: Timestamp(nanoseconds: place.time), byteOffset: place.entry.position)
    }
}
