package import UndertextCore
internal import UndertextIO

/// The selection of an input, which several open media of it and a player model may share.
package final class ContentSelection: Sendable {
    /// Gets the content before and after a change, on the thread that made it; returns `false` to get no more.
    package typealias Observer = @Sendable (_ old: ContentInfo, _ new: ContentInfo) -> Bool

    private struct State {
        var content: ContentInfo?
        /// The text that was selected before the content was known.
        var text = StreamChoice.unchanged
        var observers: [Int: Observer] = [:]
        var nextObserver = 0
    }

    private let state = Monitor(State())

    package init() {}

    /// The content with the selection, or `nil` if the input was not described yet.
    package var content: ContentInfo? { state.with { $0.content } }

    /// The selected text, or `unchanged` if the content is not known and nothing was selected.
    package var text: StreamChoice {
        state.with { state in
            guard let content = state.content else { return state.text }
            return content.currentTextStreamID.map(StreamChoice.stream) ?? .off
        }
    }

    /// Returns the content; it is `described`, with what was selected before, unless it is known already.
    func begin(with described: ContentInfo) -> ContentInfo {
        state.with { state in
            if let content = state.content { return content }
            var content = described
            try? content.select(text: state.text)
            state.content = content
            return content
        }
    }

    /// Changes the content if it is known, and reports the change to the observers.
    func change(
        _ work: (inout ContentInfo) throws(UndertextError) -> Void
    ) throws(UndertextError) {
        typealias Change = (old: ContentInfo, new: ContentInfo, observers: [Int: Observer])
        let change = try state.with { state in
            Result { () throws(UndertextError) -> Change? in
                guard let old = state.content else { return nil }
                var new = old
                try work(&new)
                state.content = new
                return new == old ? nil : (old, new, state.observers)
            }
        }.get()
        guard let change else { return }
        let gone = change.observers.filter { !$0.value(change.old, change.new) }
        guard !gone.isEmpty else { return }
        state.with { state in
            for key in gone.keys { state.observers[key] = nil }
        }
    }

    /// Selects text, now or as soon as the content is known; none if it has no such stream.
    package func select(text: StreamChoice) {
        state.with { if $0.content == nil { $0.text = text } }
        try? change { (content) throws(UndertextError) in
            do throws(UndertextError) {
                try content.select(text: text)
            } catch {
                try content.select(text: .off)
            }
        }
    }

    /// Reports all changes from now on.
    package func observe(_ observer: @escaping Observer) {
        state.with { state in
            state.observers[state.nextObserver] = observer
            state.nextObserver += 1
        }
    }
}
