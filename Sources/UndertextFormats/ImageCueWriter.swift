package import UndertextCore

/// Writes the images of one track as one or a few binary files, piece by piece.
///
/// Call ``write(_:into:)`` for each cue by start, ``finish(into:)`` once. `output` has one buffer for
/// each of ``fileExtensions``, to which bytes are appended and which the caller may drain after each
/// call. Nothing throws: what the format cannot carry is counted in ``losses``, and a cue of which
/// nothing is left is a diagnostic besides. What is held is what is on screen, however long the track.
package protocol ImageCueWriter {
    /// The extensions of the files it makes, the main one first.
    var fileExtensions: [String] { get }
    /// The sink of diagnostics: lost cues.
    var diagnostics: DiagnosticSink { get }
    /// The losses so far.
    var losses: ConversionLosses { get }
    /// Screens written so far; without any there is nothing that a file could be made of.
    var screenCount: Int { get }

    /// Writes what is known by the start of `cue`; cues of text are passed over.
    mutating func write(_ cue: Cue, into output: inout [[UInt8]])
    /// Writes what was held back and what follows the cues.
    mutating func finish(into output: inout [[UInt8]])
}
