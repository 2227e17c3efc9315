public import UndertextCore
internal import UndertextFormats

/// Joins the WebVTT segments of a rendition to the packets of one track.
///
/// Times become those of the presentation; a cue that is in several segments comes out once, at
/// its first. Segments have to come in order.
public struct WebVTTJoiner {
    /// A segment as it was fetched.
    public struct Segment: Hashable, Sendable {
        /// The file.
        public var bytes: [UInt8]
        /// The start in its playlist.
        public var start: Timestamp
        /// The clock of its media; `nil` if unknown: then its times are presentation times.
        public var clock: MediaClock?
        /// The offset of its times if neither clock nor time map applies, as in DASH.
        var offset: Duration?

        /// Creates a segment.
        public init(_ bytes: [UInt8], start: Timestamp, clock: MediaClock?) {
            self.bytes = bytes
            self.start = start
            self.clock = clock
        }
    }

    /// The identity of a cue; times are in milliseconds.
    private struct Identity: Hashable {
        var start: Int64
        var end: Int64
        var text: [UInt8]
        var name: [UInt8]
        var settings: [UInt8]
    }

    private let streamIndex: Int
    private let limits: Limits
    private var notes = StreamingNotes(StreamingLimits())
    /// The number of occurrences of each cue in one segment, for cues that may be repeated.
    private var seen: [Identity: Int] = [:]
    /// The size of ``seen`` at which old entries are removed.
    private var enough = Self.leastForgotten
    private static let leastForgotten = 1024
    /// The number of comparisons, for tests.
    private(set) var looks = 0
    private var cueCount = 0
    private var blocks: Set<[UInt8]> = []
    private var number = 0
    /// Of all segments together: each cue would cost as much again.
    private static let mostBlocks = 1000

    /// The header of the track: signature and the styles and regions of all segments so far.
    public private(set) var header = Array("WEBVTT".utf8)

    /// The time after its end for which a cue is remembered; segments may be longer than stated.
    private static let memory = Duration.seconds(60)

    /// Creates a joiner.
    ///
    /// - Parameters:
    ///   - streamIndex: the stream of its packets.
    ///   - header: the styles and regions that are known before the first segment.
    ///   - limits: limits for segments.
    public init(streamIndex: Int = 0, header: [UInt8] = [], limits: Limits = Limits()) {
        self.streamIndex = streamIndex
        self.limits = limits
        takeHeader(header)
    }

    /// The packets of the cues that no segment before had, by start.
    ///
    /// Times are nanoseconds. Unreadable cues are skipped and reported.
    public mutating func packets(of segment: Segment) -> [Packet] {
        number += 1
        let text = repaired(segment.bytes)
        if let refusal = WebVTTFileReader.refusal(of: text[...]) {
            note(.error, "no-signature", segment, "it is not WebVTT: \(refusal)")
            return []
        }
        let reader = WebVTTFileReader(text, limits: limits)
        let stored =
            segment.offset != nil ? nil : TimestampMap(header: reader.stream.codecPrivate)
        if stored == nil, segment.offset == nil,
            TimestampMap.isNamed(in: reader.stream.codecPrivate)
        {
            note(.error, "bad-timestamp-map", segment, "its time map cannot be read")
        }
        takeHeader(reader.stream.codecPrivate)
        forget(before: segment.start.advanced(by: .zero - Self.memory).roundedMilliseconds)
        var here: [Identity: Int] = [:]
        var packets: [Packet] = []
        while let packet = try? reader.nextPacket() {
            guard let (placed, found) = place(packet, segment, stored ?? .absent) else { continue }
            let identity = known(found)
            let count = here[identity, default: 0] + 1
            here[identity] = count
            guard count > seen[identity, default: 0] else { continue }
            guard cueCount < limits.cues else {
                note(
                    .error, "too-many-cues", segment,
                    "more than \(limits.cues) cues: it is left out")
                break
            }
            cueCount += 1
            packets.append(placed)
        }
        for (identity, count) in here { seen[identity] = max(count, seen[identity] ?? 0) }
        for diagnostic in reader.diagnostics.take() where diagnostic.severity != .info {
            note(diagnostic.severity, diagnostic.code, segment, diagnostic.message)
        }
        return packets.enumerated().sorted { left, right in
            (left.element.pts ?? 0, left.offset) < (right.element.pts ?? 0, right.offset)
        }.map(\.element)
    }

    /// Forgets cues that no segment repeats any more, once they are half of those that are known: looking at
    /// all for each segment would take the longer the shorter segments are.
    private mutating func forget(before end: Int64) {
        guard seen.count >= enough else { return }
        seen = seen.filter { $0.key.end >= end }
        looks += enough
        enough = max(Self.leastForgotten, 2 * seen.count)
    }

    /// The diagnostics since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] { notes.take() }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, _ segment: Segment, _ message: String
    ) {
        notes.add(severity, code, time: segment.start, "segment \(number): \(message)")
    }

    /// The packet with times of the presentation; `nil` for a cue that ends before its beginning.
    private mutating func place(
        _ packet: Packet, _ segment: Segment, _ map: TimestampMap
    ) -> (Packet, Identity)? {
        guard var start = packet.start, var end = packet.end else { return nil }
        var text = packet.data
        let moved =
            segment.offset.map { start.advanced(by: $0) }
            ?? segment.clock?.time(of: start, map: map, near: segment.start)
        if let shown = moved {
            let length = start.duration(to: end)
            let shift = start.duration(to: shown)
            if shift != .zero {
                text = WebVTTInlineTimestamps.moved(text) { $0.advanced(by: shift) }
            }
            start = shown
            end = start.advanced(by: length)
        }
        let identity = Identity(
            start: start.roundedMilliseconds, end: end.roundedMilliseconds, text: text,
            name: packet.sideData(.webVTTIdentifier) ?? [],
            settings: packet.sideData(.webVTTSettings) ?? [])
        guard end > .zero else {
            note(
                .warning, "before-start", segment, "a cue ends before the presentation begins")
            return nil
        }
        var placed = packet
        placed.streamIndex = streamIndex
        placed.data = text
        placed.timeBase = .nanoseconds
        placed.pts = max(0, start.nanoseconds)
        placed.duration = end.nanoseconds - max(0, start.nanoseconds)
        return (placed, identity)
    }

    /// The cue that a segment before had, whose times may differ by a millisecond: each segment
    /// has a map of its own, which is rounded.
    private func known(_ identity: Identity) -> Identity {
        for (start, end) in [
            (0, 0), (0, 1), (0, -1), (1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1),
        ] {
            var other = identity
            other.start += Int64(start)
            other.end += Int64(end)
            if seen[other] != nil { return other }
        }
        return identity
    }

    /// Keeps STYLE and REGION blocks that no segment before had.
    private mutating func takeHeader(_ bytes: [UInt8]) {
        var block: [UInt8] = []
        func keep(_ block: [UInt8], _ blocks: inout Set<[UInt8]>, _ header: inout [UInt8]) {
            let isUseful = block.starts(with: "STYLE".utf8) || block.starts(with: "REGION".utf8)
            guard isUseful, !blocks.contains(block) else { return }
            guard header.count + block.count < limits.lineLength, blocks.count < Self.mostBlocks
            else {
                notes.add(
                    .warning, "too-many-styles",
                    "segment \(number): its styles or regions are more than are kept, and are left out"
                )
                return
            }
            blocks.insert(block)
            header += [0x0A, 0x0A] + block
        }
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.isEmpty {
                keep(block, &blocks, &header)
                block = []
            } else {
                block += (block.isEmpty ? [] : [0x0A]) + line
            }
        }
        keep(block, &blocks, &header)
    }

    /// The text as valid UTF-8 without a byte order mark.
    private mutating func repaired(_ bytes: [UInt8]) -> [UInt8] {
        let text = Array(bytes[...].withoutByteOrderMark)
        if String(validating: text, as: UTF8.self) != nil { return text }
        notes.add(
            .error, "invalid-utf8",
            "segment \(number): invalid UTF-8 became U+FFFD")
        return Array(String(decoding: text, as: UTF8.self).utf8)
    }
}
