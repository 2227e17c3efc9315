internal import UndertextCore
internal import UndertextIO

/// A set of changes in a ``SubtitleModel``.
public struct SubtitleChanges: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The list of subtitles, or the state of one of its infos.
    public static let infos = SubtitleChanges(rawValue: 1 << 0)
    /// The selection for the first or second place.
    public static let selection = SubtitleChanges(rawValue: 1 << 1)
    /// The visible parts of the first place.
    public static let parts = SubtitleChanges(rawValue: 1 << 2)
    /// The visible parts of the second place.
    public static let secondParts = SubtitleChanges(rawValue: 1 << 3)
    /// The loaded cues, header or fonts of a selected track.
    public static let tracks = SubtitleChanges(rawValue: 1 << 4)
    /// A delay.
    public static let delay = SubtitleChanges(rawValue: 1 << 5)
    /// The errors of sources, or the state of searches.
    public static let sources = SubtitleChanges(rawValue: 1 << 6)
}

/// A mailbox with changes for one consumer; pending changes are merged.
final class ChangeMailbox: Sendable {
    private struct State {
        var pending: SubtitleChanges = []
        var isFinished = false
        var waiting: [CheckedContinuation<SubtitleChanges?, Never>] = []
    }

    private let state = Monitor(State())

    /// Puts changes in.
    func post(_ changes: SubtitleChanges) {
        let waiting = state.with { state -> [CheckedContinuation<SubtitleChanges?, Never>] in
            guard !state.isFinished else { return [] }
            if state.waiting.isEmpty { state.pending.formUnion(changes) }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: changes) }
    }

    /// Nothing comes any more.
    func finish() {
        let waiting = state.with { state -> [CheckedContinuation<SubtitleChanges?, Never>] in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// Waits for changes since the last call and returns them, or `nil` at the end.
    func next() async -> SubtitleChanges? {
        await withCheckedContinuation { continuation in
            let result = state.with { state -> SubtitleChanges?? in
                if !state.pending.isEmpty {
                    defer { state.pending = [] }
                    return .some(state.pending)
                }
                if state.isFinished { return .some(nil) }
                state.waiting.append(continuation)
                return .none
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
