package import UndertextCore
internal import UndertextFormats

extension SubtitleDocument {
    /// The document with the times of its cues changed, and with those within them; each cue moves as a whole.
    package func moved(by retiming: Retiming) -> SubtitleDocument {
        guard !retiming.isNone else { return self }
        let moved = cues.map { cue in
            let move = { retiming.applied(to: $0, inEventAt: cue.start) }
            var moved = cue
            moved.start = move(cue.start)
            moved.end = max(move(cue.end), moved.start.advanced(by: .milliseconds(1)))
            guard case .text(let text) = cue.content else { return moved }
            moved.content = .text(text.movingTimes(move))
            let change = TimeChange(map: move, retiming: retiming, isIdentity: false)
            if let source = cue.source?.following(change) { moved.source = source }
            return moved
        }
        return SubtitleDocument(header: header, cues: moved.inOrder)
    }
}
