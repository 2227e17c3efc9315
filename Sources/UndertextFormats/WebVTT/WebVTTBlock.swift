internal import UndertextCore

/// The content of a packet of a WebVTT track, without its times.
///
/// Matroska's `S_TEXT/WEBVTT` keeps settings, identifier and preceding comments in a
/// BlockAddition of BlockAddID 1, a line each, and has times within the text count from the
/// block's start. WebM's `D_WEBVTT` and files give settings, identifier and comments as side data,
/// times as they are.
struct WebVTTBlock {
    /// The cue's identifier; empty if there is none.
    var identifier: [UInt8] = []
    /// The cue's settings; empty if there are none.
    var settings: [UInt8] = []
    /// Blocks that precede the cue, lines separated by line feeds; empty if there are none.
    var comments: [UInt8] = []
    /// Blocks that follow the last cue of a file; empty if there are none.
    var trailer: [UInt8] = []
    /// The cue text, escaped for a file.
    var text: [UInt8]

    /// Parses a packet.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - start: its start.
    ///   - hasRelativeTimes: `true` if times within the text are relative to `start`; a packet with a
    ///     BlockAddition states this itself.
    init(_ packet: Packet, start: Timestamp, hasRelativeTimes: Bool) {
        let addition = WebVTTBlockAddition(packet: packet)
        let stored = Array(packet.data.prefix { $0 != 0 })
        text = WebVTTCueEncoder.repaired(
            hasRelativeTimes || addition != nil
                ? WebVTTInlineTimestamps.absolute(stored, from: start) : stored)
        identifier = packet.sideData(.webVTTIdentifier) ?? addition?.identifier ?? []
        settings = packet.sideData(.webVTTSettings) ?? addition?.settings ?? []
        comments = packet.sideData(.webVTTComment) ?? addition?.comment ?? []
        trailer = packet.sideData(.webVTTTrailer) ?? []
    }

    /// Appends the block and the empty line before it; times in milliseconds.
    func append(start: Int64, end: Int64, to output: inout [UInt8]) {
        Self.append(comment: comments, to: &output)
        output.append(Byte.lineFeed)
        if let identifier = WebVTTLine.identifier(identifier) {
            output += identifier
            output.append(Byte.lineFeed)
        }
        WebVTTLine.appendTimes(start: start, end: end, to: &output)
        let settings = replacing("-->", with: "", in: settings.map { max($0, Byte.space) })
        if settings.contains(where: { $0 != Byte.space }) {
            output.append(Byte.space)
            output += settings
        }
        output.append(Byte.lineFeed)
        output += text
        if !text.isEmpty { output.append(Byte.lineFeed) }
        Self.append(comment: trailer, to: &output)
    }

    private static func append(comment: [UInt8], to output: inout [UInt8]) {
        guard !comment.isEmpty else { return }
        let notes = Self.comment(comment)
        guard !notes.isEmpty else { return }
        output.append(Byte.lineFeed)
        output += notes
        output.append(Byte.lineFeed)
    }

    /// Comments without an arrow, which would make a cue of them, and without outer empty lines.
    private static func comment(_ bytes: [UInt8]) -> [UInt8] {
        var lines = replacing("-->", with: "--", in: bytes)[...]
        while lines.first == Byte.lineFeed { lines.removeFirst() }
        while lines.last == Byte.lineFeed { lines.removeLast() }
        return Array(lines)
    }
}
