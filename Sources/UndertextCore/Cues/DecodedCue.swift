/// A cue as a decoder makes it: without its order, and with an end only if the decoder knows it.
///
/// The engine ends it and makes the ``Cue``.
package struct DecodedCue: Hashable, Sendable {
    /// The time at which the cue appears.
    package var start: Timestamp
    /// The end of the cue with its origin, or `nil` if the cue is open until something replaces it.
    package var end: KnownEnd?
    /// The end to take if nothing ends it earlier: what the container says of an image whose
    /// format leaves the end to the next display set.
    package var fallbackEnd: KnownEnd?
    /// `true` if its appearance ends what the track showed before: images do, text does not.
    package var replacesEarlier: Bool
    /// `true` if its object or sample is shown even when subtitles are off.
    package var isForced: Bool
    /// The content: text or images.
    package var content: CueContent
    /// `true` if nothing that comes can change its end any more; the engine keeps it.
    package var isFinal = false
    var extras: CopyOnWriteBox<Cue.Extras>

    /// A definite end.
    package struct KnownEnd: Hashable, Sendable {
        /// The time at which the cue disappears.
        package var time: Timestamp
        /// The origin of the time.
        package var source: EndSource

        /// Creates an end.
        package init(time: Timestamp, source: EndSource) {
            self.time = time
            self.source = source
        }
    }

    /// Creates a cue.
    package init(
        identifier: String = "", start: Timestamp, end: KnownEnd?, fallbackEnd: KnownEnd? = nil,
        replacesEarlier: Bool = false, isForced: Bool = false, layer: Int = 0,
        layout: CueLayout = CueLayout(), content: CueContent, source: CueSource? = nil
    ) {
        self.start = start
        self.end = end
        self.fallbackEnd = fallbackEnd
        self.replacesEarlier = replacesEarlier
        self.isForced = isForced
        self.content = content
        extras = CopyOnWriteBox(
            Cue.Extras(
                identifier: identifier, layer: layer, layout: layout, source: source))
    }

    /// Creates a decoded cue from a text cue with a definite end.
    package init(_ cue: Cue) {
        start = cue.start
        end = KnownEnd(time: cue.end, source: cue.endSource)
        replacesEarlier = false
        isForced = cue.isForced
        content = cue.content
        extras = cue.extras
    }

    /// The layout of text on the video.
    package var layout: CueLayout { extras.part(CueLayout()) { $0.layout } }

    /// The stored form, for writers of the same format.
    package var source: CueSource? {
        get { extras.part(nil) { $0.source } }
        set { extras.value.source = newValue }
    }

    /// The cue with its own end; its start while that is open.
    package func cue(order: Int = 0) -> Cue {
        Cue(self, order: order, end: end ?? KnownEnd(time: start, source: .endOfStream))
    }
}

extension Cue {
    /// Makes the cue of a decoded one.
    package init(_ decoded: DecodedCue, order: Int, end: DecodedCue.KnownEnd) {
        self.order = order
        start = decoded.start
        self.end = end.time
        endSource = end.source
        isForced = decoded.isForced
        content = decoded.content
        extras = decoded.extras
    }
}
