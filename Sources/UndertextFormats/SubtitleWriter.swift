package import UndertextCore

/// Writes the cues of one track as a file, piece by piece.
///
/// Call ``begin(into:)`` once, ``write(_:into:)`` for each cue by start and order,
/// ``finish(into:)`` once. Bytes are appended to `output`, which the caller may drain after each
/// call. Nothing throws: what a format cannot carry is counted in ``losses``.
package protocol CueWriter {
    /// The losses so far.
    var losses: ConversionLosses { get }
    /// Number of cues written so far.
    var cueCount: Int { get }
    /// Number of cues left out because one equal to them was written.
    var mergedCount: Int { get }

    /// `true` if ``update(_:)`` has an effect: style sheets and regions are not written yet.
    var takesLateStyles: Bool { get }

    /// Adds style sheets and regions that the reader found after the beginning.
    mutating func update(_ header: SubtitleHeader)
    /// Writes what precedes the cues.
    mutating func begin(into output: inout [UInt8])
    /// Writes a cue, or holds it back until ``finish(into:)``.
    ///
    /// Records what its target cannot carry in ``losses``, ``SourceLosses`` included.
    mutating func write(_ cue: Cue, into output: inout [UInt8])
    /// Writes plain cues; the result equals writing each of them with ``write(_:into:)``.
    ///
    /// - Parameters:
    ///   - cues: cues that begin after all cues written so far, and before all later ones.
    ///   - firstOrder: the position of the first among the cues of the track.
    ///   - output: the buffer to append to.
    mutating func write(_ cues: PlainCues, firstOrder: Int, into output: inout [UInt8])
    /// Writes what was held back and what follows the cues.
    mutating func finish(into output: inout [UInt8])
}

/// The most bytes that a writer holds back until all styles are known.
///
/// No real track reaches the limit, but a compressed one may inflate to any size.
let heldAtMost = 64 << 20

extension CueWriter {
    /// `false`: cues are written as they come.
    package var takesLateStyles: Bool { false }

    /// Nothing, where cues are written as they come.
    package mutating func update(_ header: SubtitleHeader) {}

    /// None: equal events are written as often as they come.
    package var mergedCount: Int { 0 }

    /// Writes them one by one.
    package mutating func write(_ cues: PlainCues, firstOrder: Int, into output: inout [UInt8]) {
        for (index, entry) in cues.entries.enumerated() {
            write(cues.cue(of: entry, order: firstOrder + index), into: &output)
        }
    }
}

/// Writes the packets of one track as they are stored: the `native` format.
///
/// Call ``begin(into:)`` once, ``write(_:into:)`` for each packet in the order of the container,
/// ``finish(into:)`` once. Some formats are several files: `output` has one buffer for each of
/// ``fileExtensions``, to which bytes are appended and which the caller may drain after each call.
/// Packet bytes are untrusted: damage costs the packet, or less, and leaves a diagnostic in the sink that
/// the writer was given.
package protocol PacketWriter {
    /// The extensions of the files it makes, the main one first.
    var fileExtensions: [String] { get }
    /// The sink of diagnostics: lost, repaired or doubtful content.
    var diagnostics: DiagnosticSink { get }
    /// Number of cues accepted so far (packets that say "clear" do not count).
    var cueCount: Int { get }

    /// Writes what precedes the packets.
    mutating func begin(into output: inout [[UInt8]])
    /// Writes a packet, or holds it back.
    ///
    /// Damage costs the packet and leaves a diagnostic.
    mutating func write(_ packet: Packet, into output: inout [[UInt8]])
    /// Writes what was held back and what follows the packets.
    mutating func finish(into output: inout [[UInt8]])
    /// The display times of the cues that were accepted since the last call.
    ///
    /// `nil` if each cue is on screen for the duration of its packet.
    mutating func takeSpans() -> [PacketSpan]?
}

/// The result of writing a packet.
package struct WrittenPacket {
    /// The number of cues that were accepted, and that of all so far.
    package var cues: (new: Int, total: Int)
    /// The display times of cues; `nil` if each new cue is on screen for the duration of the packet.
    package var spans: [PacketSpan]?
}

extension PacketWriter {
    /// Writes a packet and returns the result: one dynamic call instead of four.
    package mutating func add(_ packet: Packet, into output: inout [[UInt8]]) -> WrittenPacket {
        let before = cueCount
        write(packet, into: &output)
        let total = cueCount
        return WrittenPacket(cues: (total - before, total), spans: takeSpans())
    }

    /// Packets say it.
    package mutating func takeSpans() -> [PacketSpan]? { nil }
}

/// The display time of a cue in a packet.
package struct PacketSpan: Hashable, Sendable {
    /// The start.
    package var start: Timestamp
    /// The end.
    package var end: Timestamp

    /// Creates a span.
    package init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = end
    }
}
