internal import UndertextCore

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

    /// The blocks from the top.
    ///
    /// Rows that are known as a whole, as `isComplete` says, may be centered; rows that grow stay where they begin.
    func blocks(isComplete: Bool) -> [CaptionBlock] {
        CaptionBlock.blocks(of: rows, in: Self.grid, .byColumns(isComplete: isComplete))
    }
}

extension CEA608Screen.Cell: CaptionCell {
    var style: TextStyle { pen.style }
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
