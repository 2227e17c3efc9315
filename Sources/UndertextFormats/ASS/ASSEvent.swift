package import UndertextCore

/// An event of an ASS track in Matroska's form, its fields apart.
///
/// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`. SSA has `Marked` where ASS
/// has the layer.
package struct ASSEvent: Hashable, Sendable {
    /// The position in the script.
    package var readOrder: Int
    /// The layer; higher ones are drawn on top.
    package var layer: Int
    /// The style's name.
    package var style: String
    /// The speaker, or a note of the author.
    package var name: ArraySlice<UInt8>
    /// Script pixels; 0 = that of the style.
    package var marginLeft: Int
    /// Script pixels; 0 = that of the style.
    package var marginRight: Int
    /// Script pixels; 0 = that of the style.
    package var marginVertical: Int
    /// A transition.
    package var effect: ArraySlice<UInt8>
    /// The text with its override tags.
    package var text: ArraySlice<UInt8>

    /// Splits a line into its fields, nine if it is complete: only the text, the last one, may hold commas.
    package static func fields(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        fields.reserveCapacity(9)
        var rest = line
        while fields.count < 8, let comma = rest.firstIndex(of: Byte.comma) {
            fields.append(rest[..<comma])
            rest = rest[(comma + 1)...]
        }
        fields.append(rest)
        return fields
    }

    /// Parses a line; `nil` if it has too few fields.
    package init?(_ line: [UInt8]) {
        // There are many events: an array of fields for each would take its time.
        var starts = InlineArray<9, Int>(repeating: 0)
        var count = 1
        let span = line.span
        for index in span.indices where span[index] == Byte.comma {
            starts[count] = index + 1
            count += 1
            if count == 9 { break }
        }
        guard count == 9 else { return nil }
        func field(_ index: Int) -> ArraySlice<UInt8> {
            line[starts[index]..<(starts[index + 1] - 1)]
        }
        readOrder = field(0).leadingInteger ?? 0
        layer = Self.clamp(field(1).leadingInteger ?? 0)
        style = field(2).trimmed.text
        name = field(3).trimmed
        marginLeft = ASSStyle.margin(field(4))
        marginRight = ASSStyle.margin(field(5))
        marginVertical = ASSStyle.margin(field(6))
        effect = field(7).trimmed
        text = line[starts[8]...]
    }

    /// The features of a line's event that a neutral cue cannot express.
    ///
    /// `line` is that of `CueSource.ass`; a line that is no event uses nothing.
    package static func features(of line: String) -> ASSFeatures {
        guard let event = ASSEvent(Array(line.utf8)) else { return [] }
        return event.features
    }

    /// The features of a text with override tags that a neutral cue cannot express; SubRip has them, too.
    package static func features(ofText text: String) -> ASSFeatures {
        features(ofText: Array(text.utf8)[...])
    }

    private static func features(ofText text: ArraySlice<UInt8>) -> ASSFeatures {
        var features: ASSFeatures = []
        var tokens = ASSTokenizer(text)
        while let token = tokens.next() {
            guard case .tag(let name, _, let argument) = token else { continue }
            features.formUnion(ASSOverride(name, text[argument]).features)
        }
        return features
    }

    /// The features of the event that a neutral cue cannot express.
    package var features: ASSFeatures { effectFeatures.union(Self.features(ofText: text)) }

    /// `true` if the appearance of the event may change over time.
    ///
    /// Effects, `\t`, `\move`, `\fad`, `\fade` and `\k` with its variants.
    package var isAnimated: Bool {
        guard effect.isEmpty else { return true }
        var tokens = ASSTokenizer(text, splitsArguments: true)
        while let token = tokens.next() {
            guard case .tag(let name, _, _) = token else { continue }
            switch name {
            case .t, .move, .fad, .fade, .k, .kf, .ko, .kt, .upperK: return true
            default: break
            }
        }
        return false
    }

    private var effectFeatures: ASSFeatures {
        guard !effect.isEmpty else { return [] }
        let name = effect.prefix { $0 != 0x3B }.trimmed
        if name.equalsIgnoringCase("karaoke") { return .karaoke }
        if name.equalsIgnoringCase("banner") || name.equalsIgnoringCase("scroll up")
            || name.equalsIgnoringCase("scroll down")
        {
            return .animation
        }
        return .metadata
    }

    private static func clamp(_ layer: Int) -> Int { min(max(layer, -1 << 31), 1 << 31 - 1) }
}

/// Features of ASS events that a neutral cue cannot express.
///
/// Writers of other formats call ``ASSEvent/features(of:)`` and record ``lossKinds``.
package struct ASSFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt16
    /// A set of bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A vector drawing: `\p1`.
    package static let drawing = ASSFeatures(rawValue: 1 << 0)
    /// Syllable times: `\k`, `\kf`, `\ko`, `\K`, `\kt`, the effect `Karaoke`.
    package static let karaoke = ASSFeatures(rawValue: 1 << 1)
    /// Movement and fades: `\t`, `\move`, `\fad`, `\fade`, the effects `Banner` and `Scroll`.
    package static let animation = ASSFeatures(rawValue: 1 << 2)
    /// Rotation and shearing: `\frx`, `\fry`, `\frz`, `\fax`, `\fay`, `\org`.
    package static let rotation = ASSFeatures(rawValue: 1 << 3)
    /// Clipping: `\clip`, `\iclip`.
    package static let clip = ASSFeatures(rawValue: 1 << 4)
    /// Outlines, shadows, blur, spacing, their colors: `\bord`, `\shad`, `\blur`, `\3c`.
    package static let decoration = ASSFeatures(rawValue: 1 << 5)
    /// Scaling of text: `\fscx`, `\fscy`.
    package static let scaling = ASSFeatures(rawValue: 1 << 6)
    /// An effect that is none of the known ones, an encoding: `\fe`.
    package static let metadata = ASSFeatures(rawValue: 1 << 7)

    /// The kinds of loss these are when a target has no equivalent at all.
    package var lossKinds: [ConversionLosses.Kind] {
        var kinds: [ConversionLosses.Kind] = []
        if contains(.drawing) { kinds.append(.drawing) }
        if contains(.karaoke) { kinds.append(.karaoke) }
        if contains(.animation) { kinds.append(.animation) }
        if contains(.rotation) { kinds.append(.rotation) }
        if contains(.clip) { kinds.append(.clip) }
        if contains(.decoration) { kinds.append(.style) }
        if contains(.scaling) { kinds.append(.size) }
        if contains(.metadata) { kinds.append(.metadata) }
        return kinds
    }
}
