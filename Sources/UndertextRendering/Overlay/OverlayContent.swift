public import UndertextCore

/// The content to draw: the cues of a track with its header and fonts.
///
/// For ASS and SSA, the header's `codecPrivate` is the script of the cues; regions and style sheets are those of
/// WebVTT. The header's canvas applies to images that state none.
public struct OverlayContent: Hashable, Sendable {
    /// The properties of the whole track.
    public var header: SubtitleHeader
    /// The cues known so far, in any order.
    public var cues: [Cue]
    /// The fonts attached to the track.
    public var fonts: [AttachedFont]

    /// Creates content.
    public init(
        header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = [], fonts: [AttachedFont] = []
    ) {
        self.header = header
        self.cues = cues
        self.fonts = fonts
    }

    /// Creates content from a document.
    public init(_ document: SubtitleDocument, fonts: [AttachedFont] = []) {
        self.init(header: document.header, cues: document.cues, fonts: fonts)
    }
}

/// One of two contents that are drawn together.
public enum OverlaySlot: Hashable, Sendable, CaseIterable {
    /// The main content.
    case first
    /// The additional content at the top.
    case second
}
