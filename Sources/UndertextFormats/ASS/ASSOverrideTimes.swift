package import UndertextCore

/// The times within the text of an event: syllables, fades, movements, animations.
///
/// They count from the start of the event, so that moving it leaves them as they are; only
/// stretching changes them.
package enum ASSOverrideTimes {
    /// The text of an event with its times stretched.
    ///
    /// This changes `\k`, `\K`, `\kf`, `\ko` and `\kt` (hundredths of a second; the sums are rounded, so that
    /// syllables do not drift), and `\fad`, `\fade`, `\move` and `\t` (milliseconds). Arguments that are not
    /// numbers and everything else are kept.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - speed: the factor for times, a positive fraction.
    /// - Returns: the text with changed times.
    package static func stretched(_ text: ArraySlice<UInt8>, by speed: TimeBase) -> [UInt8] {
        guard speed.isValid, text.contains(0x7B) else { return Array(text) }
        var stretcher = Stretcher(retiming: Retiming(speed: speed))
        stretcher.go(through: text)
        return stretcher.result
    }

    /// A packet's event with the times of its text stretched.
    package static func stretched(event: [UInt8], by speed: TimeBase) -> [UInt8] {
        let fields = ASSEvent.fields(of: event[...])
        guard fields.count == 9 else { return event }
        return event[..<fields[8].startIndex] + stretched(fields[8], by: speed)
    }
}

/// The rule of times within scripts: they count from the start of their event.
struct ASSInlineTimes: InlineTimeRule {
    func change(
        of stream: StreamDescription, by change: TimeChange
    ) -> ((Packet) -> Packet)? {
        guard change.retiming.isStretching else { return nil }
        let speed = change.retiming.speed
        return { $0.stretchingScriptTimes(by: speed) }
    }

    /// Syllables, fades and movements come late by what is cut off.
    func isLateIfCut(_ packet: Packet) -> Bool {
        packet.stretchingScriptTimes(by: TimeBase(2, 1)).data != packet.data
    }

    /// An event with its times stretched, or `nil` if they stay.
    static func moved(_ event: String, by change: TimeChange) -> String? {
        guard change.retiming.isStretching else { return nil }
        let stretched = ASSOverrideTimes.stretched(
            event: Array(event.utf8), by: change.retiming.speed)
        return String(decoding: stretched, as: UTF8.self)
    }
}

/// Copies text and changes the times in it.
private struct Stretcher {
    let retiming: Retiming
    var result: [UInt8] = []
    /// The start of the next syllable, hundredths of a second, before and after.
    private var onset: (old: Int64, new: Int64) = (0, 0)

    init(retiming: Retiming) { self.retiming = retiming }

    mutating func go(through text: ArraySlice<UInt8>) {
        result.reserveCapacity(text.count + 16)
        var tokens = ASSTokenizer(text)
        while let token = tokens.next() {
            switch token {
            case .text(let range), .comment(let range): result += text[range]
            case .tag(let tag, let range, let argument):
                result += text[range.lowerBound..<argument.lowerBound]
                switch tag {
                case .k, .upperK, .kf, .ko: appendSyllable(text[argument], isOnset: false)
                case .kt: appendSyllable(text[argument], isOnset: true)
                case .fad, .fade, .move, .t: appendTimes(of: tag, text[argument])
                default: result += text[argument]
                }
            }
        }
    }

    private mutating func appendSyllable(_ argument: ArraySlice<UInt8>, isOnset: Bool) {
        guard let (range, value) = Self.number(in: argument) else {
            result += argument
            return
        }
        // Of a day and more nothing is a time, and sums stay in range.
        let (sum, overflow) = (isOnset ? 0 : onset.old).addingReportingOverflow(value)
        guard !overflow, sum.magnitude < 8_640_000_000 else {
            result += argument
            return
        }
        let new = stretched(sum)
        result += argument[..<range.lowerBound]
        result += String(isOnset ? new : new - onset.new).utf8
        result += argument[range.upperBound...]
        onset = (sum, new)
    }

    /// `(…)` whose times are at positions that depend on the tag and the number of its arguments.
    private mutating func appendTimes(of tag: ASSTagName, _ argument: ArraySlice<UInt8>) {
        guard let open = argument.first(where: { !$0.isSpace }), open == 0x28,
            let start = argument.firstIndex(of: 0x28)
        else {
            result += argument
            return
        }
        result += argument[...start]
        let body = argument[(start + 1)...]
        // The tags of an animation are its last argument and not a number.
        let tags = body.firstIndex(of: 0x5C) ?? body.endIndex
        let close = body[..<tags].firstIndex(of: 0x29) ?? tags
        let parts = body[..<close].split(separator: 0x2C, omittingEmptySubsequences: false)
        let times = Self.times(of: tag, count: parts.count)
        for (place, part) in parts.enumerated() {
            if place > 0 { result.append(0x2C) }
            guard times.contains(place), let (range, value) = Self.number(in: part) else {
                result += part
                continue
            }
            result += part[..<range.lowerBound]
            result += String(stretched(value)).utf8
            result += part[range.upperBound...]
        }
        result += body[close...]
    }

    /// The positions of the arguments that are times.
    private static func times(of tag: ASSTagName, count: Int) -> Range<Int> {
        switch (tag, count) {
        // libass takes either name for either form.
        case (.fad, 2), (.fade, 2): 0..<2
        case (.fad, 7), (.fade, 7): 3..<7
        case (.move, 6): 4..<6
        // Before the tags: two times, two times and an acceleration, or an acceleration alone.
        case (.t, 3), (.t, 4): 0..<2
        default: 0..<0
        }
    }

    /// The whole number that `text` begins with, as players read it; fractions are left alone.
    private static func number(in text: ArraySlice<UInt8>) -> (Range<Int>, Int64)? {
        let body = text.drop { $0.isSpace || $0 == 0x28 }
        let sign = body.first == 0x2D || body.first == 0x2B ? 1 : 0
        let digits = body.dropFirst(sign).prefix(while: \.isDigit)
        let number = body[..<digits.endIndex]
        guard let value = Int64(number.text), value.magnitude < 1 << 40,
            text[digits.endIndex...].first != 0x2E
        else { return nil }
        return (number.indices, value)
    }

    private func stretched(_ value: Int64) -> Int64 {
        // The unit does not matter: it is multiplied.
        retiming.applied(to: Timestamp(nanoseconds: value)).nanoseconds
    }
}
