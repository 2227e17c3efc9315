internal import UndertextCore

/// A style property with its value.
///
/// TTML2, section 10.2; IMSC 1.1, section 8.4; EBU-TT-D, section 3.4.
enum TTMLStyleProperty: Hashable {
    case color(RGBA)
    case background(RGBA)
    case italic(Bool)
    case bold(Bool)
    /// Underlined and struck through; `nil` leaves it as it is.
    case decoration(underline: Bool?, lineThrough: Bool?)
    case font(String)
    case fontSize(TTMLLength)
    case textAlign(TTMLTextAlign)
    case rightToLeft(Bool)
    case display(Bool)
    case visible(Bool)
    case opacity(Double)
    case ruby(TTMLRuby)
    case forced(Bool)
    case displayAlign(TTMLDisplayAlign)
    case writingMode(TTMLWritingMode)
    /// `nil` = auto.
    case origin(TTMLPair?)
    /// `nil` = auto.
    case extent(TTMLPair?)
    case position(TTMLPosition)
    /// Before, end, after, start.
    case padding([TTMLLength])
    case image(String)
    /// `nil` = none.
    case textOutline(TTMLOutline?)
    case textShadow([TTMLShadow])
    /// `nil` = normal.
    case lineHeight(TTMLLength?)
    case wraps(Bool)
    case showsBackgroundAlways(Bool)

    /// The property without its value.
    var property: UInt8 {
        switch self {
        case .color: 0
        case .background: 1
        case .italic: 2
        case .bold: 3
        case .decoration: 4
        case .font: 5
        case .fontSize: 6
        case .textAlign: 7
        case .rightToLeft: 8
        case .display: 9
        case .visible: 10
        case .opacity: 11
        case .ruby: 12
        case .forced: 13
        case .displayAlign: 14
        case .writingMode: 15
        case .origin: 16
        case .extent: 17
        case .position: 18
        case .padding: 19
        case .image: 20
        case .textOutline: 21
        case .textShadow: 22
        case .lineHeight: 23
        case .wraps: 24
        case .showsBackgroundAlways: 25
        }
    }
}

/// `tts:textAlign`.
enum TTMLTextAlign: Hashable {
    case start
    case center
    case end
    case left
    case right
}

/// `tts:displayAlign`.
enum TTMLDisplayAlign: Hashable {
    case before
    case center
    case after
}

/// `tts:writingMode`.
enum TTMLWritingMode: Hashable {
    case leftToRight
    case rightToLeft
    /// Vertical, lines grow to the left.
    case verticalLeftwards
    /// Vertical, lines grow to the right.
    case verticalRightwards
}

/// `tts:ruby`: what a span is in ruby text.
enum TTMLRuby: Hashable {
    case none
    case container
    case base
    case baseContainer
    case text
    case textContainer
    case delimiter
}

/// Two lengths: horizontal, vertical.
struct TTMLPair: Hashable {
    var x: TTMLLength
    var y: TTMLLength
}

/// `tts:position`: where a region lies, by the edge that an offset counts from.
struct TTMLPosition: Hashable {
    var x = TTMLLength(50, .percent)
    var countsFromRight = false
    var y = TTMLLength(50, .percent)
    var countsFromBottom = false
}

/// `tts:textOutline`.
struct TTMLOutline: Hashable {
    /// The color; `nil` for the text color.
    var color: RGBA?
    var width: TTMLLength
    var blur: TTMLLength?
}

/// A shadow of `tts:textShadow`.
struct TTMLShadow: Hashable {
    /// The color; `nil` for the text color.
    var color: RGBA?
    var x: TTMLLength
    var y: TTMLLength
    var blur: TTMLLength?
}

/// Settings of one element or style, at most one for each property.
struct TTMLStyle: Hashable {
    private(set) var settings: [TTMLStyleProperty] = []

    /// Sets a property and replaces its earlier value.
    mutating func set(_ setting: TTMLStyleProperty) {
        if let place = settings.firstIndex(where: { $0.property == setting.property }) {
            settings[place] = setting
        } else {
            settings.append(setting)
        }
    }

    /// Sets everything that `other` sets.
    mutating func merge(_ other: TTMLStyle) {
        if settings.isEmpty {
            settings = other.settings
        } else {
            for setting in other.settings { set(setting) }
        }
    }

    /// Sets what `other` sets and this does not.
    func filled(with other: TTMLStyle) -> TTMLStyle {
        var result = other
        result.merge(self)
        return result
    }

    var isEmpty: Bool { settings.isEmpty }
}
