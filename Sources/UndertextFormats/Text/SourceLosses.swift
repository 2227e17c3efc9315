internal import UndertextCore

/// Counts the content of stored cue forms that neither their neutral forms nor a target can represent.
struct SourceLosses {
    /// The content that a target can represent beyond the neutral form of a cue.
    struct Carried: OptionSet {
        let rawValue: UInt8

        /// Single cues that are forced.
        static let forcedCues = Carried(rawValue: 1)
        /// The times of syllables.
        static let karaoke = Carried(rawValue: 2)
        /// Empty lines after the text, which lift it.
        static let trailingLines = Carried(rawValue: 4)
        /// Centered text that begins or ends at its position.
        static let anchors = Carried(rawValue: 8)
        /// Codes of SubRip files.
        static let subRipCodes = Carried(rawValue: 16)
    }

    private let carried: Carried
    /// The properties of a script's styles that cues cannot represent; only styles that have some.
    private var styles: [String: ASSFeatures] = [:]
    private let trackIsForced: Bool

    /// `header` is that of the track.
    init(_ carried: Carried, header: SubtitleHeader) {
        self.carried = carried
        trackIsForced = header.isForced
        guard header.codec.isScript else { return }
        for style in ASSScriptHeader(header.codecPrivate).styles where !style.features.isEmpty {
            styles[style.name] = style.features
        }
    }

    /// Returns the losses of `cue` beyond its neutral form.
    ///
    /// The times of syllables are part of the neutral form: WebVTT carries them.
    func losses(of cue: Cue) -> LossKinds {
        var kinds = storedLosses(of: cue)
        if losesForced(cue) { kinds.insert(.metadata) }
        return kinds
    }

    /// `true` for a forced cue of a track that is not forced, if the target has no forced cues.
    func losesForced(_ cue: Cue) -> Bool {
        cue.isForced && !trackIsForced && !carried.contains(.forcedCues)
    }

    private func storedLosses(of cue: Cue) -> LossKinds {
        if !carried.contains(.subRipCodes), case .subRip(let text) = cue.source {
            return LossKinds(ASSEvent.features(ofText: text).lossKinds)
        }
        guard case .ass(let line) = cue.source else { return [] }
        let event = ASSEvent(Array(line.utf8))
        var features = event?.features ?? []
        if !styles.isEmpty, let event {
            features.formUnion(styles[ASSStyle.cleanName(event.style)] ?? [])
        }
        var kinds = LossKinds(features.lossKinds)
        if carried.contains(.karaoke) { kinds.remove(.karaoke) }
        if !carried.contains(.trailingLines) && Self.isLifted(cue)
            || !carried.contains(.anchors) && Self.isMovedFromEdge(cue)
        {
            kinds.insert(.position)
        }
        return kinds
    }

    /// Returns `true` if a text whose middle is near an edge begins or ends there instead.
    ///
    /// Elsewhere the position in the layout is that of its alignment.
    private static func isMovedFromEdge(_ cue: Cue) -> Bool {
        cue.layout.position != nil && cue.layout.textAlignment == .center
            && (cue.layout.positionAlignment == .lineLeft
                || cue.layout.positionAlignment == .lineRight)
    }

    /// `true` if empty lines below the text lift it, as in scripts; only TTML keeps them.
    private static func isLifted(_ cue: Cue) -> Bool {
        guard case .text(let text) = cue.content else { return false }
        var hasBreak = false
        for run in text.runs.reversed() {
            for byte in run.text.utf8.reversed() {
                // Text without visible characters cannot be lifted.
                guard byte <= Byte.space else { return hasBreak }
                if byte == Byte.lineFeed { hasBreak = true }
            }
        }
        return false
    }
}

extension ConversionLosses {
    /// Counts the losses of `cue`: `kinds`, and the content that only its stored form has.
    mutating func record(_ kinds: LossKinds, of cue: Cue, sources: SourceLosses) {
        if kinds.isEmpty, cue.isPlain, !cue.isForced { return }
        let stored = sources.losses(of: cue)
        if kinds.isEmpty, stored.isEmpty { return }
        for kind in stored.union(kinds) { record(kind, in: cue) }
    }
}

extension LossKinds {
    /// The losses of a cue in a format of times and plain text, apart from its stored form.
    init(ofPlainText cue: Cue) {
        self.init()
        if cue.layout.region != nil || cue.layout.background != nil { insert(.region) }
        if !cue.layout.isDefault { insert(.position) }
        guard case .text(let text) = cue.content else {
            insert(.image)
            return
        }
        guard text.unstyled == nil else { return }
        for run in text.runs {
            if run.appearsAt != nil { insert(.karaoke) }
            if run.ruby != nil { insert(.ruby) }
            formUnion(LossKinds(run.style))
        }
    }

    /// The losses of a style in plain text.
    init(_ style: TextStyle) {
        self.init()
        if style.color != nil { insert(.color) }
        if style.background != nil { insert(.background) }
        if style.font != nil { insert(.font) }
        if let size = style.fontSize, size != .usual { insert(.size) }
        if style.isBold || style.isItalic || style.isUnderlined || style.isStruckThrough
            || !style.classes.isEmpty || style.hasEffects
        {
            insert(.style)
        }
        if style.voice != nil { insert(.voice) }
        if style.language != nil { insert(.metadata) }
    }
}
