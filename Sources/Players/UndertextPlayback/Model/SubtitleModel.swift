public import Observation
public import Undertext
public import UndertextCore
package import UndertextIO

/// A model of the subtitles of a playing video: the available, the selected and the visible ones.
///
/// A player adds sources, selects subtitles, and updates the model for every frame:
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
/// Functions do not wait for disks or servers unless documented: the model reads files on its own threads, and
/// ``subtitle(currentTime:)``, `Observation` and ``changes()`` report changes. Observers are notified right after
/// a change, on the thread that made it. All members are safe to use from any thread.
public final class SubtitleModel: Sendable, Observable {
    /// The options of a model.
    public struct Options: Sendable {
        /// The options for reading inputs: limits, charset, a hook that changes text, a rate.
        ///
        /// They apply to all sources that were not created with other options.
        /// A time limit covers the time from opening a file to its last cue, including pauses of the player.
        public var media = Media.Options()
        /// The read-ahead for tracks that are expensive to read (images, and inputs without an index), or `nil` for
        /// no limit.
        public var readAhead: Duration? = .seconds(120)
        /// The maximum memory for the cues of a track in bytes; text files are always kept completely.
        public var memoryLimit = 64 << 20
        /// The maximum memory for the fonts of a track in bytes.
        public var fontLimit = 256 << 20
        /// The maximum number of reading threads.
        public var threads = 6

        /// Creates the default options.
        public init() {}
    }

    /// The options of the model.
    public let options: Options
    let state = Monitor(ModelState())
    let queue: BackgroundQueue
    /// Cancels all work in progress.
    let stop: Cancellation
    private let registrar = ObservationRegistrar()
    private let wakeup = Monitor<(@Sendable () -> Void)?>(nil)

    /// Creates a model without subtitles.
    public convenience init(options: Options = Options()) {
        self.init(options: options, queue: BackgroundQueue(threads: options.threads))
    }

    /// Creates a model that reads on the threads of a queue.
    package init(options: Options, queue: BackgroundQueue) {
        self.options = options
        self.queue = queue
        stop = Cancellation(parent: options.media.cancellation)
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

    /// All available subtitles, in the order in which they were added.
    public var subtitleInfos: [SubtitleInfo] {
        registrar.access(self, keyPath: \.subtitleInfos)
        return state.with { $0.entries.map(\.info) }
    }

    /// A consistent snapshot of all available subtitles with their selection state.
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

    /// The selected subtitles, or `nil` if subtitles are off.
    ///
    /// Subtitles that are not in the list are added to it. Setting this property ends the automatic selection of
    /// `select(preferring:audioLanguage:at:)`.
    public var selectedSubtitleInfo: SubtitleInfo? {
        get {
            registrar.access(self, keyPath: \.selectedSubtitleInfo)
            return state.with { $0.info(at: .first) }
        }
        set { choose(newValue, at: .first) }
    }

    /// The subtitles selected for the second place, such as another language, or `nil` for none.
    public var secondSubtitleInfo: SubtitleInfo? {
        get {
            registrar.access(self, keyPath: \.secondSubtitleInfo)
            return state.with { $0.info(at: .second) }
        }
        set { choose(newValue, at: .second) }
    }

    // MARK: What is shown

    /// The visible parts of the first place, in drawing order.
    public var parts: [DisplayedSubtitle] {
        registrar.access(self, keyPath: \.parts)
        return state.with { $0.slots[0].parts }
    }

    /// The visible parts of the second place, in drawing order.
    public var secondParts: [DisplayedSubtitle] {
        registrar.access(self, keyPath: \.secondParts)
        return state.with { $0.slots[1].parts }
    }

    /// A snapshot of the subtitles of the first place for a renderer, or `nil` if they are off.
    ///
    /// If subtitles are off and forced ones are shown, it contains the forced cues.
    public var loadedTrack: LoadedTrack? {
        registrar.access(self, keyPath: \.loadedTrack)
        return loadedTrack(at: .first)
    }

    /// A snapshot of the subtitles of the second place for a renderer, or `nil` if they are off.
    public var secondLoadedTrack: LoadedTrack? {
        registrar.access(self, keyPath: \.secondLoadedTrack)
        return loadedTrack(at: .second)
    }

    /// The delay of all subtitles; negative shows them earlier.
    ///
    /// Delays of sources and infos are added to it.
    public var subtitleDelay: Duration {
        get {
            registrar.access(self, keyPath: \.subtitleDelay)
            return state.with(\.delay)
        }
        set { changeDelay { $0.delay.replace(with: newValue) } }
    }

    /// The errors of the last requests to sources, by the names of the sources.
    public var sourceErrors: [String: UndertextError] {
        registrar.access(self, keyPath: \.sourceErrors)
        return state.with { $0.listErrors.merging($0.searchErrors) { $1 } }
    }

    /// `true` if a source is searching for subtitles.
    public var isSearching: Bool {
        registrar.access(self, keyPath: \.isSearching)
        return state.with { $0.busy > 0 }
    }

    /// Returns a sequence of future changes for one consumer.
    ///
    /// Changes that the consumer has not received yet are merged. The sequence ends with the model.
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

    /// Calls `observer` after each change, on the thread that made it, until it returns `false`.
    package func observe(_ observer: @escaping @Sendable (SubtitleChanges) -> Bool) {
        state.with { state in
            state.observers[state.nextMailbox] = observer
            state.nextMailbox += 1
        }
    }

    // MARK: Notifications

    /// Notifies all observers; do not call it with the state locked.
    func notify(_ changes: SubtitleChanges) {
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
        for (key, observer) in state.with({ $0.observers }) where !observer(changes) {
            state.with { $0.observers[key] = nil }
        }
        if changes.contains(.selection) { passSelectionOn() }
        wakeup.with { $0?() }
    }

    /// Sets the function that is called after each change, by one thread at a time.
    ///
    /// It must not call functions of the model. When this returns, an earlier function is no longer called.
    package func setWakeup(_ wakeup: (@Sendable () -> Void)?) {
        self.wakeup.with { $0 = wakeup }
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
