internal import UndertextCore
internal import UndertextIO

/// Playlists that grow.
extension HLSPlan {
    /// A stream whose playlist is loaded again, none for the media, and why that is not allowed.
    private typealias Reload = (stream: Int?, refusal: UndertextError?)

    private func followed(_ stream: Int?) -> FollowedPlaylist? {
        stream.map { playlists[$0] } ?? media
    }

    func update(
        _ streams: Set<Int>
    ) throws(UndertextError) -> (pieces: [TextPiece], wait: Duration?) {
        // The media first, whose clock the others go by.
        let due = ([nil] + streams.sorted()).filter { followed($0)?.mayChange ?? false }
        guard !due.isEmpty else { return ([], nil) }
        var rest = due[...]
        let fetching = OrderedFetching<Reload>(
            fetcher, parallel: min(fetcher.options.parallel, due.count)
        ) {
            guard let stream = rest.popFirst(), let url = self.followed(stream)?.media.url else {
                return nil
            }
            do throws(UndertextError) {
                // Reload from the URL that responded, as after any redirect.
                let resource = try self.fetcher.resource(url, in: url)
                return .init(
                    resource, limit: self.limits.playlistSize, for: .playlist, tag: (stream, nil))
            } catch {
                return .init(nil, tag: (stream, error))
            }
        }
        var fresh: [TextPiece] = []
        let carrier = streams.first(where: isVideo)
        while let outcome = fetching.nextOutcome() { fresh += try take(outcome, carrier) }
        // Without subtitles that may grow nothing more is to be seen.
        let pauses = due.compactMap { $0.flatMap { playlists[$0]?.pause } }
        return (fresh, (pauses + (carrier.flatMap { _ in media?.pause }.map { [$0] } ?? [])).min())
    }

    /// Applies a reloaded playlist; returns the new pieces of its stream, those of the media for `carrier`.
    private func take(
        _ outcome: OrderedFetching<Reload>.Outcome, _ carrier: Int?
    ) throws(UndertextError) -> [TextPiece] {
        let (stream, refusal) = outcome.tag
        guard let followed = followed(stream) else { return [] }
        let newer: MediaPlaylist
        do throws(UndertextError) {
            if let refusal { throw refusal }
            guard let answer = try outcome.result?.get() else { return [] }
            newer = try playlist(answer, for: stream, imports: master?.variables ?? [:])
            followed.failures = 0
        } catch {
            if error.code == .cancelled { throw error }
            followed.failures += 1
            followed.hasChanged = false
            guard let stream = stream ?? carrier else { return [] }
            notes.report(
                .error, "lost-playlist", "the playlist cannot be read again: \(error)",
                streamIndex: stream)
            return []
        }
        let growth = followed.update(newer)
        followed.hasChanged = !growth.segments.isEmpty
        if stream == nil { clocks.add(growth.segments, of: newer) }
        guard let stream = stream ?? carrier else { return [] }
        reportLosses(of: growth, stream: stream)
        return pieces(growth.segments, of: newer, stream: stream)
    }

    /// Reports what a playlist lost between two requests.
    private func reportLosses(of growth: FollowedPlaylist.Growth, stream: Int) {
        if growth.hasRestarted {
            var note = Diagnostic.restarted
            note.streamIndex = stream
            note.time = growth.segments.first?.start
            notes.report(note)
        }
        guard growth.lost > 0 else { return }
        notes.report(
            .error, "lost-segments",
            "\(growth.lost) \(growth.lost == 1 ? "segment" : "segments") went from the "
                + "playlist before they were fetched", streamIndex: stream,
            time: growth.segments.first?.start)
    }
}
