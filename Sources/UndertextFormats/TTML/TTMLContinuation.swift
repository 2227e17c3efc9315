internal import UndertextCore

/// Joins cues that were cut where one packet ends and the next one begins.
struct TTMLContinuation {
    /// The cues from the first one that may continue, by start.
    private var held: [Cue] = []
    /// The end of their packet.
    private var border: Timestamp?

    /// More than any real packet shows when it ends.
    private static let heldAtMost = 4096

    /// Adds the cues of a packet and returns those that no later packet can extend, by start.
    mutating func add(_ cues: [Cue], window: Range<Timestamp>?) -> [Cue] {
        guard let window else {
            let earlier = take()
            return earlier.isEmpty ? cues : earlier + cues
        }
        var rest = cues
        if border == window.lowerBound { join(&rest, at: window.lowerBound) }
        // The cues that were held begin earlier than all others.
        var all = rest
        var finished: [Cue] = []
        if border == window.lowerBound {
            all = held + rest
        } else {
            finished = held
        }
        held = []
        border = window.upperBound
        guard let first = all.firstIndex(where: { $0.end == window.upperBound }),
            all.count - first <= Self.heldAtMost
        else { return finished + all }
        finished += all[..<first]
        held = Array(all[first...])
        return finished
    }

    /// Extends held cues by cues that begin at `time` with equal content.
    private mutating func join(_ cues: inout [Cue], at time: Timestamp) {
        var places: [Key: [Int]] = [:]
        for (place, cue) in held.enumerated() where cue.end == time {
            places[Key(cue.content), default: []].append(place)
        }
        guard !places.isEmpty else { return }
        cues.removeAll { cue in
            guard cue.start == time else { return false }
            let key = Key(cue.content)
            guard let candidates = places[key],
                let place = candidates.first(where: { continues(cue, held[$0]) })
            else { return false }
            held[place].end = cue.end
            held[place].endSource = cue.endSource
            // Two equal cues of the next packet prolong two of this one.
            places[key] = candidates.filter { $0 != place }
            return true
        }
    }

    private func continues(_ cue: Cue, _ earlier: Cue) -> Bool {
        cue.layout == earlier.layout && cue.isForced == earlier.isForced
            && cue.content == earlier.content
    }

    /// A hash key of contents; without the pixels of images, which are many.
    private enum Key: Hashable {
        case text(StyledText)
        case images([Rectangle])

        init(_ content: CueContent) {
            switch content {
            case .text(let text): self = .text(text)
            case .images(let images):
                self = .images(
                    images.images.map {
                        Rectangle(
                            x: $0.x, y: $0.y, width: $0.bitmap.width, height: $0.bitmap.height)
                    })
            }
        }
    }

    private struct Rectangle: Hashable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// Returns the held cues, which nothing prolongs.
    mutating func take() -> [Cue] {
        defer {
            held = []
            border = nil
        }
        return held
    }
}
