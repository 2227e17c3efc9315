internal import CUndertext
internal import Undertext
internal import UndertextIO
internal import UndertextPlayback

/// A model with what C asks of it beside.
final class ModelHandle: Sendable {
    let model: SubtitleModel
    /// Bytes that may be read of a subtitle file behind an address.
    let addressSizeLimit: UInt64
    private let seen = Monitor(Seen())

    /// What a list showed last, to tell when it would look different.
    private struct Seen {
        var generation: UInt64 = 0
        var entries: [SubtitleEntry] = []
    }

    /// A model that reads with options, and of files behind addresses no more than a number of bytes.
    init(_ options: SubtitleModel.Options, addressSizeLimit: UInt64) {
        model = SubtitleModel(options: options)
        self.addressSizeLimit = addressSizeLimit
    }

    /// A number that changes when a list would look different.
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

    /// The cues that are shown at a place, with the player's times.
    func cues(at place: SubtitlePlace) -> [Cue] {
        let parts = place == .first ? model.parts : model.secondParts
        var cues: [Cue] = []
        for part in parts {
            var cue = part.cue
            cue.start = part.start
            cue.end = part.end
            // A cue of several images comes as as many parts.
            if cues.last != cue { cues.append(cue) }
        }
        return cues
    }

    deinit {
        model.removeAll()
    }
}

/// The model behind a handle.
func modelHandle(_ model: OpaquePointer?) throws(Failure) -> ModelHandle {
    guard let handle = unsafe object(model, ModelHandle.self) else {
        throw .argument("the model handle is NULL")
    }
    return handle
}

extension SubtitlePlace {
    /// The place that C names; `nil` if it is none.
    init?(_ place: undertext_place) {
        switch place {
        case UNDERTEXT_FIRST: self = .first
        case UNDERTEXT_SECOND: self = .second
        default: return nil
        }
    }
}
