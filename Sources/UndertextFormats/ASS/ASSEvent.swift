internal import UndertextCore

/// An event of an ASS track in Matroska's form, its fields apart.
///
/// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`. SSA has `Marked` where ASS
/// has the layer.
public struct ASSEvent: Hashable, Sendable {
    /// The position in the script.
    public var readOrder: Int
    /// The layer; higher ones lie on top.
    public var layer: Int
    /// The style's name.
    public var style: String
    /// Who speaks, or what the author noted there.
    public var name: ArraySlice<UInt8>
    /// Script pixels; 0 = that of the style.
    public var marginLeft: Int
    /// Script pixels; 0 = that of the style.
    public var marginRight: Int
    /// Script pixels; 0 = that of the style.
    public var marginVertical: Int
    /// A transition.
    public var effect: ArraySlice<UInt8>
    /// The text with its override tags.
    public var text: ArraySlice<UInt8>

    /// Splits a line into its nine fields; `nil` if it has too few of them.
    ///
    /// The text comes last and may hold commas.
    package static func fields(of line: [UInt8]) -> [ArraySlice<UInt8>]? {
        var fields: [ArraySlice<UInt8>] = []
        fields.reserveCapacity(9)
        var start = 0
        while fields.count < 8 {
            guard let comma = line[start...].firstIndex(of: 0x2C) else { return nil }
            fields.append(line[start..<comma])
            start = comma + 1
        }
        fields.append(line[start...])
        return fields
    }

    /// Takes a line apart; `nil` if it has too few fields.
    public init?(_ line: [UInt8]) {
        guard let fields = Self.fields(of: line) else { return nil }
        readOrder = fields[0].leadingInteger ?? 0
        layer = Self.clamp(fields[1].leadingInteger ?? 0)
        style = fields[2].trimmed.text
        name = fields[3].trimmed
        marginLeft = ASSStyle.margin(fields[4])
        marginRight = ASSStyle.margin(fields[5])
        marginVertical = ASSStyle.margin(fields[6])
        effect = fields[7].trimmed
        text = fields[8]
    }

    /// What the event of a line uses that a neutral cue cannot express.
    ///
    /// `line` is that of `CueSource.ass`; a line that is no event uses nothing.
    public static func features(of line: String) -> ASSFeatures {
        guard let event = ASSEvent(Array(line.utf8)) else { return [] }
        return event.features
    }

    /// What a text with override tags uses that a neutral cue cannot express; SubRip has them, too.
    public static func features(ofText text: String) -> ASSFeatures {
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

    /// What the event uses that a neutral cue cannot express.
    public var features: ASSFeatures { effectFeatures.union(Self.features(ofText: text)) }

    /// `true` if the event may look different from one time to the next.
    ///
    /// Effects, `\t`, `\move`, `\fad`, `\fade` and `\k` with its kin.
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
