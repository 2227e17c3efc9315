package import UndertextCore

/// Writes the images of one track as one or a few binary files, incrementally.
///
/// Call ``write(_:into:)`` for each cue in order of start, then ``finish(into:)`` once. `output` has one buffer
/// for each of ``fileExtensions``; bytes are appended to it, and the caller may drain it after each call.
/// Nothing throws: content that the format cannot represent is counted in ``losses``, and a cue that is not
/// written at all is also a diagnostic. Only cues on screen are kept in memory.
package protocol ImageCueWriter {
    /// The extensions of the files it makes, the main one first.
    var fileExtensions: [String] { get }
    /// The sink of diagnostics: lost cues.
    var diagnostics: DiagnosticSink { get }
    /// The losses so far.
    var losses: ConversionLosses { get }
    /// Screens written so far; without any there is nothing that a file could be made of.
    var screenCount: Int { get }

    /// Writes everything that is final at the start of `cue`; ignores text cues.
    mutating func write(_ cue: Cue, into output: inout [[UInt8]])
    /// Writes what was held back and what follows the cues.
    mutating func finish(into output: inout [[UInt8]])
}
