/// What a target format could not carry: how often, and the first example.
///
/// A loss is not a failure: the conversion did what the target allows and says so.
public struct ConversionLosses: Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing was lost; the raw values are those of reports.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Where a cue stands.
        case position
        /// How its lines are aligned.
        case alignment
        /// The color of letters.
        case color
        /// The color behind letters.
        case background
        /// The font's family.
        case font
        /// The font's size.
        case size
        /// Bold, italic, underline, strike-through, outlines, shadows.
        case style
        /// Times within a cue.
        case karaoke
        /// Vector drawings.
        case drawing
        /// Movement and fades.
        case animation
        /// Rotation and shearing.
        case rotation
        /// Clipping.
        case clip
        /// Ruby text.
        case ruby
        /// Regions.
        case region
        /// Who speaks.
        case voice
        /// Comments, headers, names.
        case metadata
        /// Images.
        case image
        /// When a cue appears.
        case timing
        /// Characters and lines.
        case text
    }

    /// One kind of loss.
    public struct Entry: Hashable, Sendable {
        /// What was lost.
        public var kind: Kind
        /// In how many places.
        public var count: Int
        /// The order of the first cue concerned.
        public var cue: Int
        /// The start of the first cue concerned.
        public var start: Timestamp
    }

    /// The losses in the order in which they first occurred.
    public private(set) var entries: [Entry] = []

    /// An empty ledger.
    public init() {}

    /// The kinds and how often each: `position ×2, ruby ×1`.
    public var description: String {
        entries.map { "\($0.kind.rawValue) ×\($0.count)" }.joined(separator: ", ")
    }

    /// `true` if nothing was lost.
    public var isEmpty: Bool { entries.isEmpty }

    /// Counts one loss in `cue`.
    public mutating func record(_ kind: Kind, in cue: Cue) {
        record(kind, cue: cue.order, start: cue.start)
    }

    /// What both ledgers hold: counts added up, the earlier example kept.
    public func merged(with other: ConversionLosses) -> ConversionLosses {
        var result = self
        for entry in other.entries {
            if let place = result.entries.firstIndex(where: { $0.kind == entry.kind }) {
                let isEarlier = entry.start < result.entries[place].start
                let count = result.entries[place].count + entry.count
                if isEarlier { result.entries[place] = entry }
                result.entries[place].count = count
            } else {
                result.entries.append(entry)
            }
        }
        return result
    }

    /// Counts one loss in the cue of that order and start.
    public mutating func record(_ kind: Kind, cue: Int, start: Timestamp) {
        if let place = entries.firstIndex(where: { $0.kind == kind }) {
            entries[place].count += 1
        } else {
            entries.append(Entry(kind: kind, count: 1, cue: cue, start: start))
        }
    }
}
