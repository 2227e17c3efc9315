import TestSupport
import Testing
import UndertextCore

@testable import UndertextStreaming

/// The limit for all playlists of one presentation together.
@Suite struct PlaylistBudgetTests {
    private func presentation(
        _ count: Int, _ change: (inout StreamingLimits) -> Void
    ) throws -> (Presentation, ScriptedFetcher) {
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("master.m3u8") {
                return SamplePresentation.answer(SamplePresentation.master(count), to: request)
            }
            return request.url.hasSuffix("m3u8")
                ? SamplePresentation.answer(SamplePresentation.list(10), to: request)
                : SamplePresentation.answer("WEBVTT\n", to: request)
        }
        var limits = StreamingLimits()
        change(&limits)
        return (
            try Presentation(
                SamplePresentation.fetcher(client, parallel: 1), streamingLimits: limits), client
        )
    }

    @Test func segmentsOfAllPlaylistsAreBounded() throws {
        let (presentation, client) = try presentation(50) { $0.allSegments = 45 }
        // The media's and those of three streams.
        let refused = (1...50).filter { presentation.refusal(ofStream: $0)?.code == .limit }
        #expect(refused == Array(4...50))
        #expect(presentation.diagnostics.map(\.code) == ["playlists-too-long"])
        #expect(presentation.diagnostics.first?.message.states("47") == true)
        let (all, _) = try self.presentation(50) { $0.allSegments = 510 }
        #expect(all.diagnostics.isEmpty)
        #expect(client.requests.count > 4)
    }

    @Test func bytesOfAllPlaylistsAreBounded() throws {
        let size = SamplePresentation.list(10).utf8.count
        let (presentation, client) = try presentation(50) { $0.playlistsSize = size * 9 / 2 }
        #expect((1...3).allSatisfy { presentation.refusal(ofStream: $0) == nil })
        #expect((4...50).allSatisfy { presentation.refusal(ofStream: $0)?.code == .limit })
        // Playlists beyond the limit are not requested, except for those that were already in progress.
        #expect(client.requests.count { $0.url.hasSuffix("m3u8") } <= 1 + 4 + 3)
    }
}
