internal import MediaCore

/// What a packet of a WebVTT track says besides its times.
///
/// Matroska's `S_TEXT/WEBVTT` keeps settings, identifier and preceding comments in a
/// BlockAddition of BlockAddID 1, a line each, and has times within the text count from the
/// block's start. WebM's `D_WEBVTT` gives settings and identifier as side data, times as they are.
struct WebVTTBlock {
    /// The cue's identifier; empty if there is none.
    var identifier: [UInt8] = []
    /// The cue's settings; empty if there are none.
    var settings: [UInt8] = []
    /// Blocks that precede the cue, lines separated by line feeds; empty if there are none.
    var comments: [UInt8] = []
    /// The cue text, safe to stand in a file.
    var text: [UInt8]

    /// Takes a packet apart.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - shift: milliseconds to add to times within the text.
    init(_ packet: Packet, shift: Int64) {
        text = WebVTTCueText.repaired(packet.data.prefix { $0 != 0 })
        if shift != 0 { text = Self.shifted(text, by: shift) }
        identifier = packet.sideData(.webVTTIdentifier) ?? []
        settings = packet.sideData(.webVTTSettings) ?? []
        if let addition = packet.sideData(.blockAdditional), addition.count > 8,
            addition[..<8].elementsEqual([0, 0, 0, 0, 0, 0, 0, 1])
        {
            let lines = unifiedLineEnds(addition[8...].prefix { $0 != 0 }).split(
                separator: Byte.lineFeed, maxSplits: 2, omittingEmptySubsequences: false)
            settings = Array(lines[0])
            identifier = lines.count > 1 ? Array(lines[1]) : []
            comments = lines.count > 2 ? Array(lines[2]) : []
        }
    }

    /// Appends the block and the empty line before it; times in milliseconds.
    func append(start: Int64, end: Int64, to output: inout [UInt8]) {
        let notes = Self.comment(comments)
        if !notes.isEmpty {
            output.append(Byte.lineFeed)
            output += notes
            output.append(Byte.lineFeed)
        }
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
    }

    /// Comments without an arrow, which would make a cue of them, and without outer empty lines.
    private static func comment(_ bytes: [UInt8]) -> [UInt8] {
        var lines = replacing("-->", with: "--", in: bytes)[...]
        while lines.first == Byte.lineFeed { lines.removeFirst() }
        while lines.last == Byte.lineFeed { lines.removeLast() }
        return Array(lines)
    }

    /// Adds `shift` milliseconds to every time tag.
    static func shifted(_ text: [UInt8], by shift: Int64) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: Byte.less) {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: Byte.greater) else {
                rest = rest[open...]
                break
            }
            let tag = rest[rest.index(after: open)..<close]
            if let time = milliseconds(tag) {
                result.append(Byte.less)
                result.appendClock(milliseconds: time &+ shift, separator: Byte.period)
                result.append(Byte.greater)
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// The time of a tag, `[h…:]mm:ss.mmm`; `nil` if it is no time.
    ///
    /// W3C WebVTT, section 6.1 (collect a timestamp).
    private static func milliseconds(_ tag: ArraySlice<UInt8>) -> Int64? {
        guard tag.count <= 24 else { return nil }
        let parts = tag.split(separator: Byte.colon, omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let seconds = parts[parts.count - 1].split(
            separator: Byte.period, omittingEmptySubsequences: false)
        guard seconds.count == 2, let second = number(seconds[0], digits: 2...2), second < 60,
            let fraction = number(seconds[1], digits: 3...3),
            let minute = number(parts[parts.count - 2], digits: 2...2), minute < 60
        else { return nil }
        var hour: Int64 = 0
        if parts.count == 3 {
            guard let value = number(parts[0], digits: 1...10) else { return nil }
            hour = value
        }
        return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
