internal import UndertextCore

/// Rows of a screen that follow one another, as a cue shows them.
struct CEA608Block: Hashable {
    var text: StyledText
    var layout: CueLayout
}

extension CEA608Screen {
    /// The part of the video that rows and columns divide.
    static let grid = CaptionGrid(rowCount: rowCount, columnCount: columnCount)

    /// `true` if no row shows a character.
    var isBlank: Bool { !rows.contains { $0.contains(where: \.hasInk) } }

    /// The screen with one of its rows.
    func keeping(row: Int) -> CEA608Screen {
        var screen = self
        screen.clear(except: row...row)
        return screen
    }

    /// The columns between the first and the last character of a row; `nil` without one.
    private func extent(of row: Int) -> ClosedRange<Int>? {
        guard let first = rows[row].firstIndex(where: \.hasInk),
            let last = rows[row].lastIndex(where: \.hasInk)
        else { return nil }
        return first...last
    }

    /// The blocks from the top.
    ///
    /// Rows that are known as a whole, as `isComplete` says, may be centered; rows that grow stay where they begin.
    func blocks(isComplete: Bool) -> [CEA608Block] {
        var blocks: [CEA608Block] = []
        var top = 0
        while top < Self.rowCount {
            var extents: [ClosedRange<Int>] = []
            while top + extents.count < Self.rowCount, let found = extent(of: top + extents.count) {
                extents.append(found)
            }
            if !extents.isEmpty { blocks.append(block(top, extents, isComplete)) }
            top += extents.count + 1
        }
        return blocks
    }

    private func block(
        _ top: Int, _ extents: [ClosedRange<Int>], _ isComplete: Bool
    ) -> CEA608Block {
        let (layout, indents) = Self.grid.layout(
            of: extents, top: top, mayCenter: isComplete)
        var builder = StyledTextBuilder()
        for (index, extent) in extents.enumerated() {
            let cells = rows[top + index][extent]
            if index > 0 {
                if indents[index] > 0 || cells.first?.pen.style != builder.style {
                    builder.setStyle(TextStyle())
                }
                builder.append(0x0A)
            }
            // Players drop ordinary spaces at the beginning of a line.
            builder.append(String(repeating: "\u{A0}", count: indents[index]))
            for cell in cells { Self.append(cell, to: &builder) }
        }
        return CEA608Block(text: builder.finish(), layout: layout)
    }

    private static func append(_ cell: Cell, to builder: inout StyledTextBuilder) {
        let style = cell.pen.style
        // Only lines and backgrounds show in a space. A transparent one does not change them, as
        // 47 CFR 79.101 (h) (1) says of all attributes.
        let isSeen =
            cell.hasInk
            || cell.character != nil
                && (style.isUnderlined != builder.style.isUnderlined
                    || style.background != builder.style.background)
        if isSeen { builder.setStyle(style) }
        builder.append(String(cell.character ?? " "))
    }
}

extension CEA608Pen {
    /// The look; white letters on black are what players show by default.
    var style: TextStyle {
        var style = TextStyle()
        style.isItalic = isItalic
        style.isUnderlined = isUnderlined
        if color != .white { style.color = color.value }
        if background != .black || opacity != .opaque {
            style.background = background.value(opacity)
        }
        if isFlashing { style.classes = ["blink"] }
        return style
    }
}

extension CEA608Pen.Color {
    /// The color.
    var value: RGBA { value(.opaque) }

    /// The color as a background.
    func value(_ opacity: CEA608Pen.Opacity) -> RGBA {
        let alpha: UInt8 =
            switch opacity {
            case .opaque: 255
            case .semiTransparent: 128
            case .transparent: 0
            }
        let (red, green, blue): (UInt8, UInt8, UInt8) =
            switch self {
            case .white: (255, 255, 255)
            case .green: (0, 255, 0)
            case .blue: (0, 0, 255)
            case .cyan: (0, 255, 255)
            case .red: (255, 0, 0)
            case .yellow: (255, 255, 0)
            case .magenta: (255, 0, 255)
            case .black: (0, 0, 0)
            }
        return RGBA(red: red, green: green, blue: blue, alpha: alpha)
    }
}
