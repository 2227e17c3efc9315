public import MediaCore

/// A WebVTT timing line: start, arrow, end, settings.
///
/// W3C WebVTT, section 6.3, "collect WebVTT cue timings and settings".
public struct WebVTTTimingLine: Hashable, Sendable {
    /// When the cue appears.
    public var start: Timestamp
    /// When it disappears, as written: it may lie before ``start``.
    public var end: Timestamp
    /// The settings, not parsed.
    public var settings: ArraySlice<UInt8>

    /// Parses a line; `nil` if it is not a timing line.
    public init?(_ line: ArraySlice<UInt8>) {
        var position = line.startIndex
        func skipSpace() {
            while position < line.endIndex, line[position].isSpace { position += 1 }
        }
        skipSpace()
        guard let start = WebVTTTimestamp.collect(line, &position) else { return nil }
        skipSpace()
        guard line[position...].hasPrefix("-->") else { return nil }
        position += 3
        skipSpace()
        guard let end = WebVTTTimestamp.collect(line, &position) else { return nil }
        self.start = start
        self.end = end
        settings = line[position...]
    }
}
