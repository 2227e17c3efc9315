internal import UndertextCore

/// The lines of an .idx file: which units a .sub file holds, and when they are shown.
struct VobSubIndexText {
    /// A subtitle stream.
    struct Stream {
        /// The number after `index:`; its units have the substream number 0x20 + it.
        var number: Int
        /// The word after `id:`.
        var identifier: String
        /// The value of `alt:` before the first time; `nil` if there is none.
        var name: String?
        /// The times of units and their offsets in the .sub file.
        var entries: [Entry] = []
    }

    /// A line `timestamp:`.
    struct Entry {
        /// The time: milliseconds, or 90 kHz where it was found in the packs.
        var ticks: Int64
        var position: UInt64
    }

    /// The streams with at least one time, in the order of their first one.
    private(set) var streams: [Stream] = []
    /// The lines before the first stream, without comments, as tracks of other containers keep
    /// them.
    private(set) var header: [UInt8] = []
    /// The place of the stream that is shown by default.
    private(set) var defaultStream = 0
    /// The canvas.
    private(set) var size: PixelSize?
    private(set) var diagnostics: [Diagnostic] = []

    private let limits: Limits
    private var open = Stream(number: 0, identifier: "und")
    private var isListed = false
    private var hasStream = false
    /// The sum of the `delay:` lines of the stream, milliseconds.
    private var delay: Int64 = 0
    /// The sum of `time offset:` values in milliseconds, which is added to all times.
    private var offset: Int64 = 0
    private var badLines = 0
    private var leftOut = 0

    /// `true` if a file that begins with `bytes` is an .idx file.
    static func matches(_ bytes: [UInt8]) -> Bool {
        bytes[...].withoutByteOrderMark.starts(with: "# VobSub index file".utf8)
    }

    /// Reads all lines; what is wrong in one costs that line.
    init(_ bytes: [UInt8], limits: Limits) {
        self.limits = limits
        for line in bytes[...].withoutByteOrderMark.split(whereSeparator: {
            $0 == 0x0A || $0 == 0x0D
        }) {
            read(line)
        }
        for index in streams.indices {
            // Players show units by time, regardless of their order.
            streams[index].entries.sort {
                ($0.ticks, $0.position) < ($1.ticks, $1.position)
            }
        }
        note(badLines, "bad-line", "unreadable and left out")
        note(leftOut, "limit-exceeded", "beyond what is allowed and left out")
    }

    private mutating func note(_ count: Int, _ code: String, _ message: String) {
        guard count > 0 else { return }
        let lines =
            count == 1 ? "1 line of the .idx file is" : "\(count) lines of the .idx file are"
        diagnostics.append(Diagnostic(.error, code, "\(lines) \(message)"))
    }

    private mutating func read(_ line: ArraySlice<UInt8>) {
        guard let first = line.first, first != UInt8(ascii: "#") else { return }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return keep(line) }
        let value = line[(colon + 1)...]
        switch String(decoding: line[..<colon].prefix(16), as: UTF8.self).lowercased() {
        case "id": begin(value)
        case "timestamp": add(value)
        case "alt": open.name = VobSubLine.text(value)
        case "delay":
            guard let time = VobSubLine.clock(value) else {
                badLines += 1
                return
            }
            delay = delay.addingReportingOverflow(time).partialValue
        case "langidx":
            let digits = value.drop { $0 == 0x20 }.prefix(6)
            let number = VobSubLine.number(digits.prefix(while: \.isDigit))
            defaultStream = number ?? defaultStream
        case "time offset":
            if let time = VobSubLine.clock(value) { offset = time } else { badLines += 1 }
            keep(line)
        case "size":
            if !hasStream { size = VobSubLine.size(value) ?? size }
            keep(line)
        default: keep(line)
        }
    }

    /// Keeps a line of the header.
    private mutating func keep(_ line: ArraySlice<UInt8>) {
        guard !hasStream, line.count < 2048, header.count < 1 << 16 else { return }
        header += line
        header.append(0x0A)
    }

    /// `id: en, index: 0`; what cannot be read is the stream 0 of an unknown language.
    private mutating func begin(_ value: ArraySlice<UInt8>) {
        hasStream = true
        delay = 0
        let parts = value.split(separator: UInt8(ascii: ","), maxSplits: 1)
        let words = parts.last.map(VobSubLine.text)?.lowercased() ?? ""
        let digits = words.utf8.drop { !$0.isDigit }
        if parts.count == 2, words.hasPrefix("index:"),
            let number = VobSubLine.number(digits.prefix(while: \.isDigit))
        {
            open = continued(number, VobSubLine.text(parts[0]))
        } else {
            badLines += 1
            open = continued(0, "und")
        }
    }

    /// Continues the last stream if it has that number.
    private mutating func continued(_ number: Int, _ identifier: String) -> Stream {
        if let last = streams.last, last.number == number {
            isListed = true
            // Without its entries, or the next one would copy all of them.
            return Stream(number: number, identifier: last.identifier, name: last.name)
        }
        isListed = false
        return Stream(number: number, identifier: identifier)
    }

    /// Adds a time and a place: `timestamp: 00:00:01:000, filepos: 000000000`.
    private mutating func add(_ value: ArraySlice<UInt8>) {
        hasStream = true
        let parts = value.split(separator: UInt8(ascii: ","), maxSplits: 1)
        guard parts.count == 2, let time = VobSubLine.clock(parts[0]),
            let place = VobSubLine.position(parts[1])
        else {
            badLines += 1
            return
        }
        if !isListed {
            guard streams.count < limits.streams else {
                leftOut += 1
                return
            }
            streams.append(open)
            isListed = true
        }
        guard let current = streams.indices.last, streams[current].entries.count < limits.cues
        else {
            leftOut += 1
            return
        }
        var shown = time &+ delay
        // A negative delay moves no entry before the previous line.
        if delay < 0, let before = streams[current].entries.last, shown &+ offset < before.ticks {
            delay = before.ticks &- offset &- time
            shown = before.ticks &- offset
        }
        streams[current].entries.append(
            Entry(ticks: shown &+ offset, position: place))
    }
}
