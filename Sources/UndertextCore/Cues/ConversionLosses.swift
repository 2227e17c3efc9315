/// The content that a target format cannot represent, with counts and the first example of each kind.
///
/// A loss is not a failure: the conversion writes what the target allows and reports the rest.
public struct ConversionLosses: Hashable, Sendable, CustomStringConvertible {
    /// The kind of a loss; reports use the raw values.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The position of a cue.
        case position
        /// The alignment of lines.
        case alignment
        /// The color of text.
        case color
        /// The background color of text.
        case background
        /// The font family.
        case font
        /// The font size.
        case size
        /// Bold, italic, underline, strike-through, outlines, shadows.
        case style
        /// Times within a cue.
        case karaoke
        /// Vector drawings.
        case drawing
        /// Movements and fades.
        case animation
        /// Rotation and shearing.
        case rotation
        /// Clipping.
        case clip
        /// Ruby text.
        case ruby
        /// Regions.
        case region
        /// The speaker.
        case voice
        /// Comments, headers, names.
        case metadata
        /// Images.
        case image
        /// The times of a cue.
        case timing
        /// Characters and line breaks.
        case text
    }

    /// The losses of one kind.
    public struct Entry: Hashable, Sendable {
        /// The kind of loss.
        package var kind: Kind
        /// The name of the kind as reports have it, such as `position`.
        public var name: String { kind.rawValue }
        /// The number of losses.
        public var count: Int
        /// The order of the first affected cue.
        package var cue: Int
        /// The start of the first affected cue.
        public var start: Timestamp
    }

    /// The losses in the order in which they first occurred.
    public private(set) var entries: [Entry] = []

    /// Creates a record without losses.
    package init() {}

    /// The kinds with their counts, such as `position ×2, ruby ×1`.
    public var description: String {
        entries.map { "\($0.kind.rawValue) ×\($0.count)" }.joined(separator: ", ")
    }

    /// `true` if nothing was lost.
    public var isEmpty: Bool { entries.isEmpty }

    /// Records one loss in `cue`.
    package mutating func record(_ kind: Kind, in cue: Cue) {
        record(kind, cue: cue.order, start: cue.start)
    }

    /// Returns the losses of both records with added counts and the earlier example of each kind.
    package func merged(with other: ConversionLosses) -> ConversionLosses {
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

    /// Records one loss in the cue with this order and start.
    package mutating func record(_ kind: Kind, cue: Int, start: Timestamp) {
        if let place = entries.firstIndex(where: { $0.kind == kind }) {
            entries[place].count += 1
        } else {
            entries.append(Entry(kind: kind, count: 1, cue: cue, start: start))
        }
    }
}
