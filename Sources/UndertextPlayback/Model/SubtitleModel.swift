public import Observation
public import Undertext
internal import UndertextIO

/// The subtitles of a playing video: what there is, what is chosen, what is on screen now.
///
/// A player adds sources, chooses, and asks with every frame:
///
/// ```swift
/// let model = SubtitleModel()
/// model.addSubtitle(dataSource: EmbeddedSubtitles(of: video))
/// model.addSubtitle(dataSource: DirectorySubtitles(of: video))
/// model.select(language: "en")
/// // with every frame, from any thread:
/// if model.subtitle(currentTime: clock) { draw(model.parts) }
/// ```
///
/// Nothing that it does waits for a disk or a server but what says so: files are read on threads of
/// its own, and ``subtitle(currentTime:)``, `Observation` and ``changes()`` tell what has come. Whoever
/// observes is told right after a change, on the thread that made it. Safe from any thread.
public final class SubtitleModel: Sendable, Observable {
    /// How a model works.
    public struct Options: Sendable {
        /// How inputs are read: limits, charset, a hook that changes text, a rate.
        ///
        /// It holds for all sources but those that were created with options of their own.
        /// A time limit counts from opening a file to its last cue, however long a player pauses.
        public var media = Media.Options()
        /// How far ahead of the player tracks are read that cost much to read: images, and whatever has
        /// no index; `nil` = to the end.
        public var readAhead: Duration? = .seconds(120)
        /// Memory that the cues of one track may hold, in bytes; a text file is always held whole.
        public var memoryLimit = 64 << 20
        /// Memory that the fonts of one track may hold, in bytes.
        public var fontLimit = 256 << 20
        /// Threads that read at most.
        public var threads = 6

        /// The defaults.
        public init() {}
    }

    /// How it works.
    public let options: Options
    let state = Monitor(ModelState())
    let queue: BackgroundQueue
    /// Ends all that is under way.
    let stop: Cancellation
    private let registrar = ObservationRegistrar()

    /// Creates a model without subtitles.
    public init(options: Options = Options()) {
        self.options = options
        stop = Cancellation(parent: options.media.cancellation)
        queue = BackgroundQueue(threads: options.threads)
    }

    deinit {
        stop.cancel()
        let (boxes, feeds) = state.with { state in
            (state.mailboxes.values.compactMap(\.box), Array(state.feeds.values))
        }
        for feed in feeds { feed.end() }
        for box in boxes { box.finish() }
    }

    // MARK: What there is

    /// All subtitles that can be chosen, in the order in which they were added.
    public var subtitleInfos: [SubtitleInfo] {
        registrar.access(self, keyPath: \.subtitleInfos)
        return state.with { $0.entries.map(\.info) }
    }

    /// All subtitles that can be chosen with the places that they are chosen for, as they are at one
    /// moment, whatever other threads do.
    public var subtitleEntries: [SubtitleEntry] {
        registrar.access(self, keyPath: \.subtitleInfos)
        registrar.access(self, keyPath: \.selectedSubtitleInfo)
        registrar.access(self, keyPath: \.secondSubtitleInfo)
        return state.with { state in
            let chosen = SubtitlePlace.allCases.map { ($0, state.info(at: $0)?.id) }
            return state.entries.map { entry in
                let places = chosen.filter { $0.1 == entry.info.id }.map(\.0)
                return SubtitleEntry(
                    info: entry.info, place: places.first, isSecond: places.contains(.second))
            }
        }
    }

    /// What is chosen; `nil` = off.
    ///
    /// Something that is not in the list is added to it. Setting it ends the rule of
    /// ``select(preferring:audioLanguage:at:)``.
    public var selectedSubtitleInfo: SubtitleInfo? {
        get {
            registrar.access(self, keyPath: \.selectedSubtitleInfo)
            return state.with { $0.info(at: .first) }
        }
        set { select(newValue, at: .first) }
    }

    /// What is shown besides, such as a second language; `nil` = nothing.
    public var secondSubtitleInfo: SubtitleInfo? {
        get {
            registrar.access(self, keyPath: \.secondSubtitleInfo)
            return state.with { $0.info(at: .second) }
        }
        set { select(newValue, at: .second) }
    }

    // MARK: What is shown

    /// What is on screen now of the first choice, in drawing order.
    public var parts: [DisplayedSubtitle] {
        registrar.access(self, keyPath: \.parts)
        return state.with { $0.slots[0].parts }
    }

    /// What is on screen now of the second choice, in drawing order.
    public var secondParts: [DisplayedSubtitle] {
        registrar.access(self, keyPath: \.secondParts)
        return state.with { $0.slots[1].parts }
    }

    /// What a renderer needs of the first choice, as far as it is loaded; `nil` while it is off.
    ///
    /// While subtitles are off and forced ones are shown, it holds the forced cues.
    public var loadedTrack: LoadedTrack? {
        registrar.access(self, keyPath: \.loadedTrack)
        return loadedTrack(at: .first)
    }

    /// What a renderer needs of the second choice.
    public var secondLoadedTrack: LoadedTrack? {
        registrar.access(self, keyPath: \.secondLoadedTrack)
        return loadedTrack(at: .second)
    }

    /// How much later than stored all subtitles are shown; negative = earlier.
    ///
    /// Delays of a source and of an info come on top.
    public var subtitleDelay: Duration {
        get {
            registrar.access(self, keyPath: \.subtitleDelay)
            return state.with(\.delay)
        }
        set { changeDelay { $0.delay = newValue } }
    }

    /// What sources could not do, by their names, since they were asked last.
    public var sourceErrors: [String: UndertextError] {
        registrar.access(self, keyPath: \.sourceErrors)
        return state.with { $0.listErrors.merging($0.searchErrors) { $1 } }
    }

    /// `true` if a source is looking for subtitles.
    public var isSearching: Bool {
        registrar.access(self, keyPath: \.isSearching)
        return state.with { $0.busy > 0 }
    }

    /// What changes from now on: a sequence for one reader, who gets changes that it did not take in
    /// time as one.
    ///
    /// It ends with the model.
    public func changes() -> AsyncStream<SubtitleChanges> {
        let box = ChangeMailbox()
        state.with { state in
            state.mailboxes = state.mailboxes.filter { $0.value.box != nil }
            state.mailboxes[state.nextMailbox] = ModelState.Mailbox(box: box)
            state.nextMailbox += 1
        }
        return AsyncStream {
            await box.next()
        } onCancel: {
            box.finish()
        }
    }

    // MARK: Telling

    /// Tells everybody who wants to know; not to be called with the state locked.
    func tell(_ changes: SubtitleChanges) {
        guard !changes.isEmpty else { return }
        if changes.contains(.infos) { touch(\.subtitleInfos) }
        if !changes.isDisjoint(with: [.selection, .infos]) {
            touch(\.selectedSubtitleInfo)
            touch(\.secondSubtitleInfo)
        }
        if changes.contains(.parts) { touch(\.parts) }
        if changes.contains(.secondParts) { touch(\.secondParts) }
        if !changes.isDisjoint(with: [.tracks, .selection, .delay]) {
            touch(\.loadedTrack)
            touch(\.secondLoadedTrack)
        }
        if changes.contains(.delay) { touch(\.subtitleDelay) }
        if changes.contains(.sources) {
            touch(\.sourceErrors)
            touch(\.isSearching)
        }
        for box in state.with({ $0.mailboxes.values.compactMap(\.box) }) { box.post(changes) }
        state.wakeAll(.consumers)
    }

    private func touch<Value>(_ property: KeyPath<SubtitleModel, Value>) {
        registrar.withMutation(of: self, keyPath: property) {}
    }

    /// Memory that all loaded cues and fonts hold, roughly, in bytes.
    var heldBytes: Int {
        state.with { state in
            state.feeds.values.reduce(0) { sum, feed in
                feed.with { shared in
                    sum + shared.stretches.bytes
                        + shared.fonts.reduce(0) { $0 + $1.bytes.count }
                }
            }
        }
    }

    private func loadedTrack(at place: SubtitlePlace) -> LoadedTrack? {
        state.with { state in
            let slot = state.slots[place.rawValue]
            guard let id = slot.id, let feed = state.feeds[id], let index = state.index(of: id)
            else { return nil }
            let info = state.entries[index].info
            let delay = state.delay(of: id)
            let isFiltered = state.leavesOutUnforced(slot)
            return feed.with { shared in
                let cues = shared.stretches.cues
                return LoadedTrack(
                    info: info, header: shared.header,
                    cues: isFiltered ? cues.filter(\.isForced) : cues,
                    generation: shared.stretches.generation, epoch: shared.stretches.epoch,
                    fonts: shared.fonts, delay: delay, isComplete: shared.stretches.isComplete,
                    diagnostics: shared.diagnostics)
            }
        }
    }
}
