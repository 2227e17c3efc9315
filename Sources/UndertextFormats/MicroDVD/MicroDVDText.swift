internal import UndertextCore

/// The text of a MicroDVD cue: lines between `|`, each with codes in braces before it.
///
/// A code in upper case holds for all lines of the cue, one in lower case for its own line. As in
/// libavcodec, sizes count on a screen of 288 lines.
struct MicroDVDText {
    /// The style of the codes before all lines: those of `{DEFAULT}{}`.
    private let defaults: Look

    private struct Look {
        var style = TextStyle()
        var isAtTop = false
    }

    /// `codes` hold for every cue.
    init(defaultCodes codes: [UInt8]) {
        var all = Look()
        var own = Look()
        var ignored: String?
        _ = Self.readCodes(codes[...], all: &all, own: &own, &ignored)
        defaults = own
    }

    func parse(_ bytes: [UInt8]) -> PlainTextDecoder.Parsed {
        var builder = StyledTextBuilder()
        var all = defaults
        var isAtTop = false
        var ignored: String?
        let lines = bytes.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if number > 0 { builder.append(0x0A) }
            var own = all
            let words = Self.readCodes(line, all: &all, own: &own, &ignored)
            isAtTop = isAtTop || own.isAtTop
            builder.setStyle(own.style)
            builder.append(words)
        }
        let layout = isAtTop ? NumpadAlignment(numpad: 8)?.layout() : nil
        return .init(
            text: builder.finish(), layout: layout ?? CueLayout(), ignoredCode: ignored)
    }

    /// Consumes the codes before a line; the rest is the line's text.
    private static func readCodes(
        _ line: ArraySlice<UInt8>, all: inout Look, own: inout Look, _ ignored: inout String?
    ) -> ArraySlice<UInt8> {
        var rest = line
        while rest.first == UInt8(ascii: "{"), rest.count > 3,
            rest[rest.startIndex + 2] == UInt8(ascii: ":"),
            let end = rest.prefix(longestCode).dropFirst(3).firstIndex(of: UInt8(ascii: "}"))
        {
            let letter = rest[rest.startIndex + 1]
            let value = rest[(rest.startIndex + 3)..<end]
            // Text in braces that is no code is text.
            guard let isUsed = apply(letter.lowercased, value, to: &own) else { break }
            if letter != letter.lowercased { _ = apply(letter.lowercased, value, to: &all) }
            if !isUsed { ignored = ignored ?? rest[...end].text }
            rest = rest[(end + 1)...]
        }
        return rest
    }

    /// More bytes than any code has.
    private static let longestCode = 256

    /// Applies a code; returns `true` if it is supported, `nil` if it is not a code.
    private static func apply(
        _ letter: UInt8, _ value: ArraySlice<UInt8>, to look: inout Look
    ) -> Bool? {
        switch letter {
        case UInt8(ascii: "y"):
            for mark in value {
                switch mark.lowercased {
                case UInt8(ascii: "b"): look.style.isBold = true
                case UInt8(ascii: "i"): look.style.isItalic = true
                case UInt8(ascii: "u"): look.style.isUnderlined = true
                case UInt8(ascii: "s"): look.style.isStruckThrough = true
                default: break
                }
            }
        case UInt8(ascii: "c"):
            guard value.first == UInt8(ascii: "$"), (2...7).contains(value.count) else {
                return false
            }
            var color: UInt32 = 0
            for byte in value.dropFirst() {
                guard let digit = byte.hexValue else { return false }
                color = color << 4 | UInt32(digit)
            }
            // Blue is first.
            look.style.color = RGBA(
                red: UInt8(truncatingIfNeeded: color), green: UInt8(truncatingIfNeeded: color >> 8),
                blue: UInt8(truncatingIfNeeded: color >> 16))
        case UInt8(ascii: "f"):
            guard !value.isEmpty else { return false }
            look.style.font = value.text
        case UInt8(ascii: "s"):
            guard let size = value.leadingInteger, (1...288).contains(size) else { return false }
            look.style.fontSize = .ofHeight((size * 100_000 + 144) / 288)
        case UInt8(ascii: "p"): look.isAtTop = value.elementsEqual("0".utf8)
        // A position in pixels of an unknown canvas, and a charset.
        case UInt8(ascii: "o"), UInt8(ascii: "h"): return false
        default: return nil
        }
        return true
    }
}
