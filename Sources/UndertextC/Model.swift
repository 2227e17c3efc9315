internal import CUndertext
internal import Undertext
internal import UndertextIO
internal import UndertextPlayback

/// The object of an `undertext_model`.
final class ModelHandle: Sendable {
    let model: SubtitleModel
    /// The maximum size in bytes of a subtitle file that is read from a URL.
    let addressSizeLimit: UInt64
    private let seen = Monitor(Seen())

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

    deinit {
        model.removeAll()
    }
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
        case UNDERTEXT_FIRST: self = .first
        case UNDERTEXT_SECOND: self = .second
        default: return nil
        }
    }
}
