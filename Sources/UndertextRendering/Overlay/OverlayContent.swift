public import UndertextCore

/// What is drawn: the cues of a track, and what they need beside themselves.
///
/// The header's `codecPrivate` of an ASS or SSA track is the script that its cues are drawn with; regions and
/// style sheets are those of WebVTT. The header's canvas counts for images that state none.
public struct OverlayContent: Hashable, Sendable {
    /// What belongs to the whole track.
    public var header: SubtitleHeader
    /// The cues that are known so far, in any order.
    public var cues: [Cue]
    /// Fonts that came with the track.
    public var fonts: [AttachedFont]

    /// Creates content.
    public init(
        header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = [], fonts: [AttachedFont] = []
    ) {
        self.header = header
        self.cues = cues
        self.fonts = fonts
    }

    /// The content of a document.
    public init(_ document: SubtitleDocument, fonts: [AttachedFont] = []) {
        self.init(header: document.header, cues: document.cues, fonts: fonts)
    }
}

/// Which of two contents that are drawn together is meant.
public enum OverlaySlot: Hashable, Sendable, CaseIterable {
    /// The main one.
    case primary
    /// The other one, which stands at the top.
    case secondary
}
