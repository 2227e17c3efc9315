package import UndertextCore

/// A WebVTT timing line: start, arrow, end, settings.
///
/// W3C WebVTT, section 6.3, "collect WebVTT cue timings and settings".
package struct WebVTTTimingLine: Hashable, Sendable {
    /// The start of the cue.
    package var start: Timestamp
    /// The end of the cue as written; it may be before ``start``.
    package var end: Timestamp
    /// The settings, not parsed.
    package var settings: ArraySlice<UInt8>

    /// Parses a line; `nil` if it is not a timing line.
    package init?(_ line: ArraySlice<UInt8>) {
        var position = line.startIndex
        self.init(line, &position)
    }

    /// The index in `line` of what keeps it from being a timing line; its end if nothing does.
    package static func fault(in line: ArraySlice<UInt8>) -> Int {
        var position = line.startIndex
        return WebVTTTimingLine(line, &position) == nil ? position : line.endIndex
    }

    private init?(_ line: ArraySlice<UInt8>, _ position: inout Int) {
        func skipSpace(_ position: inout Int) {
            while position < line.endIndex, line[position].isSpace { position += 1 }
        }
        skipSpace(&position)
        guard let start = WebVTTTimestamp.collect(line, &position) else { return nil }
        skipSpace(&position)
        guard line[position...].hasPrefix("-->") else { return nil }
        position += 3
        skipSpace(&position)
        guard let end = WebVTTTimestamp.collect(line, &position) else { return nil }
        self.start = start
        self.end = end
        settings = line[position...]
    }
}
