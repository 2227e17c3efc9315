public import Undertext
public import UndertextCore
public import UndertextPlayback

/// An event of a player: a property that changed, a seek, or a failure.
public enum PlayerEvent: Hashable, Sendable {
    /// The item is another one, or `nil` if there is none; its status, duration and audio are not known yet.
    case item(MediaInput?)
    /// The status of the item changed.
    case status(ItemStatus)
    /// The duration of the item is known, or `nil` if it has none, as live streams.
    case duration(Duration?)
    /// Playback waits for data.
    case waiting
    /// Playback started or continues.
    case playing
    /// Playback was paused.
    case paused
    /// The position was changed to a time on the player's clock.
    case seeked(Timestamp)
    /// The rate changed; 1 is the natural one.
    case rate(Double)
    /// The volume changed; 0 is silence, 1 the volume of the content.
    case volume(Double)
    /// The sound was turned off (`true`) or on.
    case muted(Bool)
    /// Looping was turned on (`true`) or off.
    case looping(Bool)
    /// Other subtitles are selected for a place, or `nil` if they are off.
    case subtitles(SubtitleInfo?, at: SubtitlePlace)
    /// Another audio stream is selected, or `nil` if there is none.
    case audio(MediaStreamInfo?)
    /// Other cues are on screen at a place.
    case cues([Cue], at: SubtitlePlace)
    /// Something failed, and playback continues.
    case failed(UndertextError)
    /// The number of failures that were dropped before the next event, because the consumer was too slow.
    case lost(failures: Int)

    /// The status of an item.
    public enum ItemStatus: Hashable, Sendable {
        /// The item is being opened.
        case loading
        /// The item can be played.
        case ready
        /// The item was played to its end.
        case ended
        /// The item cannot be played.
        case failed(UndertextError)
    }

    /// The kind of an event, by which events are filtered.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case item, status, duration, waiting, playing, paused, seeked, rate, volume, muted, looping
        case subtitles, audio, cues
        /// Failures, also ``PlayerEvent/lost(failures:)``.
        case failed
    }

    /// The kind of the event.
    public var kind: Kind {
        switch self {
        case .item: .item
        case .status: .status
        case .duration: .duration
        case .waiting: .waiting
        case .playing: .playing
        case .paused: .paused
        case .seeked: .seeked
        case .rate: .rate
        case .volume: .volume
        case .muted: .muted
        case .looping: .looping
        case .subtitles: .subtitles
        case .audio: .audio
        case .cues: .cues
        case .failed, .lost: .failed
        }
    }
}

extension PlayerEvent {
    /// The property whose change an event is; a later event of it makes the earlier one obsolete.
    enum Property: Hashable {
        /// Waiting, playing or paused.
        case playback
        /// A property that only events of one kind change.
        case kind(Kind, SubtitlePlace?)
    }

    /// The property that changed, or `nil` for failures, none of which makes another one obsolete.
    var property: Property? {
        switch self {
        case .waiting, .playing, .paused: .playback
        case .subtitles(_, let place), .cues(_, let place): .kind(kind, place)
        case .failed, .lost: nil
        default: .kind(kind, nil)
        }
    }

    /// `true` if the property belongs to the item, so that its value is unknown for the next item.
    var isOfItem: Bool {
        switch kind {
        case .status, .duration, .audio: true
        default: false
        }
    }

    /// `true` if an event after this one is no news.
    func repeats(_ earlier: PlayerEvent) -> Bool {
        switch (self, earlier) {
        // The loading state of subtitles changes more often than the selection.
        case (.subtitles(let info, let place), .subtitles(let other, let otherPlace)):
            info?.id == other?.id && place == otherPlace
        case (.seeked, _): false
        default: self == earlier
        }
    }
}

/// Events that one consumer has not received yet: no more than one for each property, and a few failures.
struct PendingEvents {
    /// The failures that are kept.
    static let mostFailures = 32

    private var events: [PlayerEvent] = []
    private var lost = 0

    var isEmpty: Bool { events.isEmpty }

    mutating func add(_ event: PlayerEvent) {
        if let property = event.property {
            events.removeAll { $0.property == property }
        } else {
            guard !events.contains(event) else { return }
            let failures = events.indices.filter { events[$0].kind == .failed }
            if failures.count >= Self.mostFailures, let oldest = failures.first {
                events.remove(at: oldest)
                lost += 1
            }
        }
        events.append(event)
    }

    /// Removes and returns all events, or only the first one.
    mutating func take(onlyFirst: Bool) -> [PlayerEvent] {
        if lost > 0 {
            events.insert(.lost(failures: lost), at: 0)
            lost = 0
        }
        let taken = onlyFirst ? Array(events.prefix(1)) : events
        events.removeFirst(taken.count)
        return taken
    }
}
