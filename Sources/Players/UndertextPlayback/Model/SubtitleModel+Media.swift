internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The selection that a model shares with media: see ``EmbeddedSubtitles/init(of:name:)``.
extension SubtitleModel {
    /// Joins the selections of the model and of the media of a source; from now on each follows the other.
    ///
    /// If the model has selected subtitles already, or has a rule for them, the media follow it; otherwise the model
    /// follows the media.
    func joinSelection(of source: any SubtitleDataSource) {
        guard let source = source as? EmbeddedSubtitles, let selection = source.selection else {
            return
        }
        selection.observe { [weak self, weak source] old, new in
            guard let self, let source, self.has(source) else { return false }
            self.follow(source, from: old, to: new)
            return true
        }
        if state.with({ $0.slots[0].id != nil || $0.slots[0].rule != nil }) {
            passSelectionOn()
        } else {
            change { $0.choose(selection.text, of: source) }
        }
    }

    private func has(_ source: EmbeddedSubtitles) -> Bool {
        state.with { state in state.sources.contains { $0 === source } }
    }

    /// Applies a change of the selection of media.
    private func follow(
        _ source: EmbeddedSubtitles, from old: ContentInfo, to new: ContentInfo
    ) {
        let before = Dictionary(old.streams.map { ($0.id, $0.currentTrackID) }) { first, _ in first
        }
        let replaced = new.streams.filter {
            $0.type == .text && before[$0.id] ?? nil != $0.currentTrackID
        }.map(\.id)
        change { state in
            // Another rendition of the same subtitles is read in place of the one that was.
            for entry in state.entries where entry.source === source {
                guard case .embedded(_, let stream) = entry.info.origin, replaced.contains(stream)
                else { continue }
                state.dropFeed(of: entry.info.id)
            }
            guard old.currentTextStreamID != new.currentTextStreamID else { return }
            state.choose(new.currentTextStreamID.map(StreamChoice.stream) ?? .off, of: source)
        }
    }

    /// Has the media of all sources select what the first place shows; of other subtitles they select none.
    func passSelectionOn() {
        let choices = state.with { state in
            let info = state.info(at: .first)
            let owner = info.flatMap { state.index(of: $0.id) }.flatMap { state.entries[$0].source }
            return state.sources.compactMap { source -> (ContentSelection, StreamChoice)? in
                guard let selection = (source as? EmbeddedSubtitles)?.selection else { return nil }
                guard source === owner, case .embedded(_, let stream) = info?.origin else {
                    return (selection, .off)
                }
                return (selection, .stream(stream))
            }
        }
        for (selection, choice) in choices { selection.select(text: choice) }
    }
}

extension ModelState {
    /// Selects for the first place what media have selected, unless it is selected already.
    fileprivate mutating func choose(_ choice: StreamChoice, of source: EmbeddedSubtitles) {
        let current = info(at: .first)?.id
        switch choice {
        case .stream(let id):
            let entry = entries.first { entry in
                guard entry.source === source, case .embedded(_, let stream) = entry.info.origin
                else { return false }
                return stream == id
            }
            if let entry, entry.info.id != current { chooseByHand(entry.info.id, for: .first) }
        case .off:
            // Subtitles of other sources stay.
            let owner = current.flatMap(index(of:)).flatMap { entries[$0].source }
            if owner === source { chooseByHand(nil, for: .first) }
        case .unchanged, .language: break
        }
    }
}
