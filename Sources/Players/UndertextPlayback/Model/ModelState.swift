internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// One of the two places for subtitles.
public enum SubtitlePlace: Int, Hashable, Sendable, CaseIterable {
    /// The usual place.
    case first
    /// An additional place, such as for another language.
    case second
}

/// The state of a model, accessed by one thread at a time.
struct ModelState {
    /// An info and who brought it.
    struct Entry {
        var info: SubtitleInfo
        var source: (any SubtitleDataSource)?
        /// `true` if a search found it.
        var isFound = false
    }

    /// The selection for a place.
    struct Slot {
        var id: SubtitleInfo.ID?
        /// `true` if subtitles are off, and only what is forced is shown.
        var isForcedOnly = false
        /// The rule of an automatic selection, or `nil` if it was selected explicitly.
        var rule: Rule?
        var cues: [Cue] = []
        var delay = Duration.zero
        var parts: [DisplayedSubtitle] = []
    }

    /// A rule by which subtitles are chosen.
    struct Rule {
        var preference: SubtitlePreference
        var audioLanguage: LanguageTag?
    }

    var entries: [Entry] = []
    var slots = [Slot(), Slot()]
    var feeds: [SubtitleInfo.ID: TrackLoader] = [:]
    /// Unused loaders, which are ended after the state is unlocked: if the system has no thread left, ending one closes
    /// its file on this thread.
    var dropped: [TrackLoader] = []
    var time = Timestamp.zero
    var delay = Duration.zero
    var sourceDelays: [String: Duration] = [:]
    /// `true` if parts changed since the last update by the player.
    var hasNews = false
    var sources: [any SubtitleDataSource] = []
    /// The errors of listing sources, by their names.
    var listErrors: [String: UndertextError] = [:]
    /// The errors of searching sources, which a later list does not remove.
    var searchErrors: [String: UndertextError] = [:]
    /// Sources that are at work.
    var busy = 0
    /// Sources of ``busy`` that list their subtitles, rather than search for some.
    var listing = 0
    var search: Cancellation?
    /// Cancels pending calls that add sources.
    var adding: Cancellation?
    var mailboxes: [Int: Mailbox] = [:]
    var observers: [Int: @Sendable (SubtitleChanges) -> Bool] = [:]
    var nextMailbox = 0

    /// An observer of changes, which may have been released.
    struct Mailbox {
        weak var box: ChangeMailbox?
    }

    // MARK: Infos

    func index(of id: SubtitleInfo.ID) -> Int? { entries.firstIndex { $0.info.id == id } }

    func info(at place: SubtitlePlace) -> SubtitleInfo? {
        let slot = slots[place.rawValue]
        guard let id = slot.id, !slot.isForcedOnly else { return nil }
        return index(of: id).map { entries[$0].info }
    }

    /// Adds an info, or replaces the one of the same identity.
    mutating func add(_ info: SubtitleInfo, from source: (any SubtitleDataSource)?, isFound: Bool) {
        var info = info
        if !info.isRefused { info.state = .idle }
        info.isEnabled = false
        info.warnings = []
        guard let index = index(of: info.id) else {
            entries.append(Entry(info: info, source: source, isFound: isFound))
            return
        }
        // The viewer's settings remain, and a search does not remove existing subtitles.
        guard !isFound else { return }
        entries[index] = Entry(info: info, source: source ?? entries[index].source)
        dropFeed(of: info.id)
    }

    /// All delays of an info together.
    func delay(of id: SubtitleInfo.ID) -> Duration {
        guard let index = index(of: id) else { return delay }
        let info = entries[index].info
        return delay + info.delay + (sourceDelays[info.source] ?? .zero)
    }

    // MARK: Choosing

    /// Returns the selection of a rule for a place.
    func choice(by rule: Rule, for place: SubtitlePlace) -> (
        id: SubtitleInfo.ID?, isForcedOnly: Bool
    ) {
        let taken = place == .second ? slots[0].id : nil
        let eligible = entries.enumerated().filter { _, entry in
            entry.info.origin.mayBeChosenAutomatically && entry.info.error == nil
                && entry.info.id != taken
        }
        func best(_ preference: SubtitlePreference) -> SubtitleInfo? {
            let candidates = eligible.map { $1.info.candidate(order: $0) }
            let ranked = preference.ranked(candidates, audioLanguage: rule.audioLanguage)
            return ranked.first.map { eligible[$0].element.info }
        }
        if let found = best(rule.preference) {
            return (found.id, rule.preference.languages == nil)
        }
        // Forced cues may be part of a whole track.
        guard rule.preference.languages == nil, rule.preference.showsForcedWhenOff,
            let language = rule.audioLanguage
        else { return (nil, false) }
        var whole = rule.preference
        whole.languages = [language]
        whole.kinds = [.full, .hearingImpaired]
        whole.takesUnknownLanguage = false
        whole.prefersBitmaps = true
        let mixed = best(whole).flatMap { $0.mayHoldForcedCues ? $0 : nil }
        return (mixed?.id, mixed != nil)
    }

    /// Selects an info for a place and returns `true` if the selection changed.
    mutating func choose(_ id: SubtitleInfo.ID?, isForcedOnly: Bool, for place: SubtitlePlace)
        -> Bool
    {
        let slot = slots[place.rawValue]
        guard slot.id != id || slot.isForcedOnly != isForcedOnly else { return false }
        slots[place.rawValue].id = id
        slots[place.rawValue].isForcedOnly = isForcedOnly
        return true
    }

    mutating func dropFeed(of id: SubtitleInfo.ID) {
        if let feed = feeds.removeValue(forKey: id) { dropped.append(feed) }
    }

    /// Drops unused loaders and returns the infos that lack one.
    mutating func settleFeeds() -> [SubtitleInfo.ID] {
        let wanted = Set(slots.compactMap(\.id))
        for id in feeds.keys where !wanted.contains(id) { dropFeed(of: id) }
        for index in entries.indices {
            let isWanted = wanted.contains(entries[index].info.id)
            entries[index].info.isEnabled = isWanted
            if !isWanted, entries[index].info.error == nil { entries[index].info.state = .idle }
        }
        return wanted.filter { feeds[$0] == nil }.sorted()
    }

    // MARK: Showing

    /// Finds out what is on screen now; what has changed.
    mutating func refresh() -> SubtitleChanges {
        var changes: SubtitleChanges = []
        for place in SubtitlePlace.allCases {
            guard refresh(place.rawValue) else { continue }
            changes.insert(place == .first ? .parts : .secondParts)
            hasNews = true
        }
        return changes
    }

    /// `true` if only forced cues are shown of a track that has others, too.
    func leavesOutUnforced(_ slot: Slot) -> Bool {
        guard slot.isForcedOnly, let index = slot.id.flatMap(index(of:)) else { return false }
        return !entries[index].info.disposition.contains(.forced)
    }

    private mutating func refresh(_ slot: Int) -> Bool {
        var cues: [Cue] = []
        var delay = Duration.zero
        if let id = slots[slot].id, let feed = feeds[id] {
            delay = self.delay(of: id)
            cues = feed.cues(at: time.advanced(by: .zero - delay))
            if leavesOutUnforced(slots[slot]) { cues.removeAll { !$0.isForced } }
        }
        guard cues != slots[slot].cues || !cues.isEmpty && delay != slots[slot].delay else {
            return false
        }
        let canvas = slots[slot].id.flatMap { feeds[$0] }?.with(\.header.canvas)
        slots[slot].cues = cues
        slots[slot].delay = delay
        let parts = cues.flatMap { DisplayedSubtitle.parts(of: $0, delay: delay, canvas: canvas) }
        guard parts != slots[slot].parts else { return false }
        slots[slot].parts = parts
        return true
    }
}

extension SubtitleInfo {
    /// `true` if a track that is not forced as a whole may have forced cues.
    fileprivate var mayHoldForcedCues: Bool {
        guard let codec else { return isBitmap }
        return SubtitleFormat(codec: codec)?.forcesSingleCues ?? false
    }
}
