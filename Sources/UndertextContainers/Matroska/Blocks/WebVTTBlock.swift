/// A block of a `D_WEBVTT` track: identifier, settings and text on lines of their own.
///
/// The WebM container guidelines' form, which FFmpeg writes; split as libavformat splits it.
struct WebVTTBlock: Hashable, Sendable {
    var identifier: ArraySlice<UInt8>
    var settings: ArraySlice<UInt8>
    var text: ArraySlice<UInt8>

    /// Splits a frame; `nil` if a line end is missing or there is no text.
    init?(_ frame: ArraySlice<UInt8>) {
        var rest = frame
        guard let identifier = Self.line(&rest), let settings = Self.line(&rest) else {
            return nil
        }
        while let last = rest.last, last == 0x0A || last == 0x0D { rest.removeLast() }
        guard !rest.isEmpty else { return nil }
        self.identifier = identifier
        self.settings = settings
        text = rest
    }

    /// Removes and returns a line that ends with LF or CR LF.
    private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
        let line = rest[..<end]
        let feed = rest[end] == 0x0D ? end + 1 : end
        guard feed < rest.endIndex, rest[feed] == 0x0A else { return nil }
        rest = rest[(feed + 1)...]
        return line
    }
}
