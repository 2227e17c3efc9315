internal import UndertextCore

/// The header of an .idx file.
struct VobSubIndex {
    /// The header up to the line of the language, that line included.
    let bytes: [UInt8]
    /// `true` if the colors had to be made up.
    let lacksPalette: Bool

    /// Makes a header.
    ///
    /// - Parameters:
    ///   - codecPrivate: the lines of an .idx file (Matroska, libavformat), or 16 colors as four
    ///     bytes 0, Y, Cr, Cb (MP4); may be empty.
    ///   - size: the canvas where `codecPrivate` does not state one.
    ///   - language: the language.
    init(codecPrivate: [UInt8], size: PixelSize?, language: LanguageTag?) {
        var text = Array("# VobSub index file, v7 (do not modify this line!)\n".utf8)
        var hasSize = false
        var hasPalette = false
        if let palette = SubPicturePalette(yCrCb: codecPrivate) {
            text += "palette: \(palette.indexText)\n".utf8
            hasPalette = true
        } else {
            for line in Self.lines(codecPrivate) {
                let key = line.prefix { $0 != Byte.colon }.map { $0 | 0x20 }
                let name = String(decoding: key, as: UTF8.self)
                hasSize = hasSize || name == "size"
                hasPalette = hasPalette || name == "palette"
                text += line
                text.append(Byte.lineFeed)
            }
        }
        if !hasSize {
            let canvas = size ?? PixelSize(width: 720, height: 576)
            text += "size: \(canvas.width)x\(canvas.height)\n".utf8
        }
        // Only where nothing is known: players guess better from an existing header without one.
        lacksPalette = !hasPalette && codecPrivate.isEmpty
        if lacksPalette { text += "palette: \(SubPicturePalette.grays.indexText)\n".utf8 }
        let name = language?.rawValue.prefix { $0 != "-" } ?? "--"
        text += "langidx: 0\n\nid: \(name), index: 0\n".utf8
        bytes = text
    }

    /// Appends the line of a unit: its time, and where its packs begin in the .sub file.
    static func appendLine(milliseconds: Int64, place: UInt64, to output: inout [UInt8]) {
        output += "timestamp: ".utf8
        output.appendClock(milliseconds: milliseconds, separator: Byte.colon)
        output += ", filepos: \(zeroPadded(place, to: 9, radix: 16))".utf8
        output.append(Byte.lineFeed)
    }

    /// The lines that a header keeps: those of tracks and times are written again.
    private static func lines(_ codecPrivate: [UInt8]) -> [ArraySlice<UInt8>] {
        let stored = codecPrivate.prefix { $0 != 0 }.withoutByteOrderMark
        let ours = ["# vobsub index file", "langidx:", "id:", "timestamp:", "delay:", "alt:"]
        return unifiedLineEnds(stored).split(separator: Byte.lineFeed).filter { line in
            let start = line.drop { $0 <= Byte.space }
            guard !start.isEmpty else { return false }
            return !ours.contains { word in
                start.prefix(word.utf8.count).equalsIgnoringCase(word)
            }
        }
    }
}
