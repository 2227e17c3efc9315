package import UndertextCore

/// The sample description of a `tx3g` track: defaults for its samples.
///
/// 3GPP TS 26.245, section 5.16, `TextSampleEntry` from its display flags on, as libavformat gives
/// it in `extradata`.
package struct TX3GSampleDescription: Hashable, Sendable {
    /// The display flags.
    package var displayFlags: UInt32 = 0
    /// 0 left, 1 center, -1 right.
    package var horizontalJustification: Int8 = 1
    /// 0 top, 1 middle, -1 bottom.
    package var verticalJustification: Int8 = -1
    /// The background color of the box.
    package var background = RGBA.clear
    /// The position of text within the track's area in pixels.
    package var box = TX3GBox()
    /// The style of text that no style record covers.
    package var style = TX3GStyle()
    /// The names of fonts by their number.
    package var fonts: [UInt16: String] = [:]

    /// The description of a track that has none.
    package init() {}

    /// Parses a description; what is cut off keeps its default.
    package init(_ bytes: [UInt8]) {
        self.init()
        var reader = ByteReader(bytes)
        guard bytes.count >= 30, let flags = reader.uint32(), let horizontal = reader.uint8(),
            let vertical = reader.uint8(), let color = reader.uint32(),
            let box = TX3GBox(&reader), let record = TX3GStyle.Record(&reader)
        else { return }
        displayFlags = flags
        horizontalJustification = Int8(bitPattern: horizontal)
        verticalJustification = Int8(bitPattern: vertical)
        background = RGBA(rawValue: color)
        self.box = box
        style = record.style
        while let (type, content) = readBox(&reader) {
            if type == .fontTable { readFonts(content) }
        }
    }

    /// `true` if all samples are forced.
    package var isForced: Bool { displayFlags & 0x8000_0000 != 0 }

    /// `true` if lines run from top to bottom.
    package var isVertical: Bool { displayFlags & 0x0002_0000 != 0 }

    /// `true` if text scrolls in or out.
    package var scrolls: Bool { displayFlags & 0x0000_0060 != 0 }

    /// The position of the track's text if the track's area on the screen is unknown.
    package var layout: CueLayout { TX3GPlacement(description: self, area: nil).layout(in: nil) }

    private mutating func readFonts(_ content: ArraySlice<UInt8>) {
        var reader = ByteReader(content)
        guard let count = reader.uint16() else { return }
        for _ in 0..<count {
            guard let id = reader.uint16(), let length = reader.uint8(),
                let name = reader.slice(Int(length))
            else { return }
            fonts[id] = String(decoding: name, as: UTF8.self)
        }
    }
}

/// A rectangle within a text track's area, in pixels.
package struct TX3GBox: Hashable, Sendable {
    /// Top edge.
    package var top: Int16 = 0
    /// Left edge.
    package var left: Int16 = 0
    /// Bottom edge.
    package var bottom: Int16 = 0
    /// Right edge.
    package var right: Int16 = 0

    /// An empty rectangle.
    package init() {}

    init?(_ reader: inout ByteReader) {
        guard let top = reader.uint16(), let left = reader.uint16(), let bottom = reader.uint16(),
            let right = reader.uint16()
        else { return nil }
        self.top = Int16(bitPattern: top)
        self.left = Int16(bitPattern: left)
        self.bottom = Int16(bitPattern: bottom)
        self.right = Int16(bitPattern: right)
    }
}

/// The style of a range of text in a `tx3g` track.
package struct TX3GStyle: Hashable, Sendable {
    /// The font's number in the font table.
    package var font: UInt16 = 1
    /// 1 bold, 2 italic, 4 underlined.
    package var face: UInt8 = 0
    /// Nominal size in pixels of the track's area.
    package var size: UInt8 = 18
    /// The text color.
    package var color = RGBA.white

    /// Plain white text.
    package init() {}

    /// A style and the characters it holds for: `StyleRecord`.
    struct Record: Hashable {
        var start: Int
        var end: Int
        var style: TX3GStyle

        init?(_ reader: inout ByteReader) {
            guard let start = reader.uint16(), let end = reader.uint16(),
                let font = reader.uint16(), let face = reader.uint8(), let size = reader.uint8(),
                let color = reader.uint32()
            else { return nil }
            self.start = Int(start)
            self.end = Int(end)
            style = TX3GStyle()
            style.font = font
            style.face = face
            style.size = size
            style.color = RGBA(rawValue: color)
        }
    }
}
