internal import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextPlayback

/// The object of an `undertext_model`.
final class ModelHandle: Sendable {
    let model: SubtitleModel
    /// The maximum size in bytes of a subtitle file that is read from a URL.
    let addressSizeLimit: UInt64
    private let seen = Monitor(Seen())
    private let waking = Monitor(Waking())

    /// The receivers of wake-ups.
    private struct Waking {
        var wakeup: Wakeup?
        var descriptor: EventDescriptor?
    }

    /// The last known entries, to detect changes.
    private struct Seen {
        var generation: UInt64 = 0
        var entries: [SubtitleEntry] = []
    }

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - options: The options for reading.
    ///   - addressSizeLimit: The maximum size in bytes of a subtitle file that is read from a URL.
    init(_ options: SubtitleModel.Options, addressSizeLimit: UInt64) {
        model = SubtitleModel(options: options)
        self.addressSizeLimit = addressSizeLimit
    }

    /// A counter that changes if the entries of a list would differ from those of the last call.
    var generation: UInt64 {
        seen.with { seen in
            let now = model.subtitleEntries
            if now != seen.entries {
                seen.entries = now
                seen.generation &+= 1
            }
            return seen.generation
        }
    }

    /// Returns the cues that are shown at a place, with times on the player's clock.
    func cues(at place: SubtitlePlace) -> [Cue] {
        let parts = place == .first ? model.parts : model.secondParts
        var cues: [Cue] = []
        for part in parts {
            var cue = part.cue
            cue.start = part.start
            cue.end = part.end
            // A cue with several images has one part per image.
            if cues.last != cue { cues.append(cue) }
        }
        return cues
    }

    /// Sets or removes the function that is called after each change.
    func setWakeup(_ wakeup: Wakeup?) {
        waking.with { waking in
            waking.wakeup = wakeup
            connect(waking)
        }
    }

    /// The descriptor that becomes readable after each change, or -1 if the system has none left.
    var wakeupDescriptor: Int32 {
        waking.with { waking in
            if waking.descriptor == nil {
                waking.descriptor = EventDescriptor()
                connect(waking)
            }
            return waking.descriptor?.number ?? -1
        }
    }

    private func connect(_ waking: Waking) {
        guard waking.wakeup != nil || waking.descriptor != nil else {
            model.setWakeup(nil)
            return
        }
        model.setWakeup { [wakeup = waking.wakeup, descriptor = waking.descriptor] in
            descriptor?.signal()
            wakeup?()
        }
    }

    deinit {
        model.setWakeup(nil)
        model.removeAll()
    }
}

/// A function of the caller with its context.
@safe struct Wakeup: @unchecked Sendable {
    private let callback: undertext_wakeup
    private let context: UnsafeMutableRawPointer?

    init(callback: @escaping undertext_wakeup, context: UnsafeMutableRawPointer?) {
        unsafe self.callback = unsafe callback
        unsafe self.context = unsafe context
    }

    func callAsFunction() { unsafe callback(context) }
}

/// Returns the model of a handle.
func modelHandle(_ model: OpaquePointer?) throws(Failure) -> ModelHandle {
    guard let handle = unsafe object(model, ModelHandle.self) else {
        throw .argument("the model handle is NULL")
    }
    return handle
}

extension SubtitlePlace {
    /// Creates a place from its C value, or `nil` for an unknown value.
    init?(_ place: undertext_place) {
        switch place {
        case UNDERTEXT_PLACE_FIRST: self = .first
        case UNDERTEXT_PLACE_SECOND: self = .second
        default: return nil
        }
    }
}
