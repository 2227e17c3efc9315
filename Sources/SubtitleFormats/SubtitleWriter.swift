public import CueModel
public import MediaCore

/// Writes the cues of one track as a file, piece by piece.
///
/// Call ``begin(into:)`` once, ``write(_:into:)`` for each cue in order, ``finish(into:)`` once.
/// Bytes are appended to `output`, which the caller may drain after each call.
public protocol CueWriter {
    /// What the format could not carry so far.
    var losses: LossLedger { get }

    /// Writes what precedes the cues.
    mutating func begin(into output: inout [UInt8])
    /// Writes a cue.
    mutating func write(_ cue: Cue, into output: inout [UInt8])
    /// Writes what was held back and what follows the cues.
    mutating func finish(into output: inout [UInt8])
}

/// Writes the packets of one track as they are stored: the `native` format.
///
/// Some formats are several files: `output` has one buffer for each of ``fileExtensions``.
public protocol PacketWriter {
    /// The extensions of the files it makes, the main one first.
    var fileExtensions: [String] { get }
    /// Number of cues written so far (packets that say "clear" do not count).
    var cueCount: Int { get }

    /// Writes what precedes the packets.
    mutating func begin(into output: inout [[UInt8]])
    /// Writes a packet. Damage costs the packet and leaves a diagnostic.
    mutating func write(_ packet: Packet, into output: inout [[UInt8]])
    /// Writes what was held back and what follows the packets.
    mutating func finish(into output: inout [[UInt8]])
    /// What went wrong since the last call.
    mutating func takeDiagnostics() -> [Diagnostic]
}
