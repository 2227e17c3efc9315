import TestSupport
import Testing
import UndertextCore
import UndertextStreaming

@Suite struct PlaylistTextTests {
    @Test(
        .requiresCorpus(),
        arguments: [
            "androidx-media/hls/standalone-webvtt/media_playlist.m3u8",
            "androidx-media/hls/standalone-webvtt/multivariant_playlist.m3u8",
            "androidx-media/hls/standalone-webvtt/playlist_vtt.m3u8",
            "shaka-player/hls-text-no-discontinuity/av.m3u8",
            "shaka-player/hls-text-no-discontinuity/index.m3u8",
            "shaka-player/hls-text-no-discontinuity/text.m3u8",
        ])
    func realPlaylistsAreWrittenAsTheyAre(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let bytes = try #require(fileBytes(path))
        #expect(try PlaylistText(bytes).bytes == bytes)
        _ = try HLSPlaylist(bytes)
    }

    @Test func generatedPlaylistsAreWrittenAsTheyAre() throws {
        for seed in 0..<150 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let bytes = PlaylistSamples.random(&generator)
            #expect(try PlaylistText(bytes).bytes == bytes)
        }
    }

    @Test func otherDocumentsAreIdentified() throws {
        for text in ["", "<html>", "#EXTM3", "#EXTM3U8", "\n#EXTM3U", "WEBVTT"] {
            #expect(throws: UndertextError.self) { try PlaylistText(Array(text.utf8)) }
        }
        let error = #expect(throws: UndertextError.self) {
            try PlaylistText(Array("<html>\u{1b}".utf8))
        }
        #expect(error?.code == .notMedia)
        #expect(error?.underlying == "<html>\\u{1B}")
    }

    @Test func limitsHold() throws {
        var limits = StreamingLimits()
        limits.playlistSize = 100
        #expect(throws: UndertextError.self) {
            try PlaylistText(
                Array("#EXTM3U\n".utf8) + [UInt8](repeating: 10, count: 93), limits: limits)
        }
        limits = StreamingLimits()
        limits.lineLength = 10
        #expect(throws: UndertextError.self) {
            try PlaylistText(Array("#EXTM3U\n12345678901".utf8), limits: limits)
        }
        #expect(
            try PlaylistText(Array("#EXTM3U\n1234567890".utf8), limits: limits).lines.count == 2)
        limits.lines = 2
        #expect(throws: UndertextError.self) {
            try PlaylistText(Array("#EXTM3U\n1\n2".utf8), limits: limits)
        }
    }

    @Test func damageNeitherTrapsNorChangesWhatIsWritten() {
        for sample in [PlaylistSamples.master, PlaylistSamples.media] {
            let bytes = Array(sample.utf8)
            for damaged in Array(truncations(of: bytes, step: 5))
                + Array(bitFlips(of: bytes, count: 100))
            {
                guard let text = try? PlaylistText(damaged) else { continue }
                #expect(text.bytes == damaged)
                _ = try? HLSPlaylist(damaged, url: "http://a/b?c=d")
                if let master = try? MasterPlaylist(text, url: "http://a/b?c=d") {
                    _ = ContentInfo(hls: master).multiLineDescription
                    _ = master.movable()
                    _ = master.adding([SubtitleAddition(name: "x", uri: "y")])
                }
            }
        }
    }
}

@Suite struct PlaylistAttributesTests {
    private func list(_ text: String) -> PlaylistAttributes { PlaylistAttributes(Array(text.utf8)) }

    @Test func attributesAreTakenApart() {
        let attributes = list("A=1,B=\"x, y=2\", C = z ,EMPTY=\"\",D=\"é\"")
        #expect(attributes.list.map(\.name) == ["A", "B", "C", "EMPTY", "D"])
        #expect(attributes.list.map(\.value) == ["1", "x, y=2", "z", "", "é"])
        #expect(attributes.list.map(\.isQuoted) == [false, true, false, true, true])
        #expect(!attributes.isDamaged)
        #expect(attributes["B"] == "x, y=2")
        #expect(attributes["X"] == nil)
    }

    @Test func damageIsReportedAndCostsLittle() {
        #expect(list("A=1,junk,B=2").list.map(\.value) == ["1", "2"])
        #expect(list("A=1,junk,B=2").isDamaged)
        #expect(list("A=\"open,B=2")["A"] == "open,B=2")
        #expect(list("A=\"open,B=2").isDamaged)
        #expect(list("=1,B=2")["B"] == "2")
        #expect(list("=1,B=2").isDamaged)
        #expect(!list("A=1,,B=2,").isDamaged)
        #expect(list("A=1,A=2")["A"] == "1")
    }

    @Test func settingChangesOneProperty() {
        var attributes = list("A=1, B=\"x,y\",C=3 ")
        attributes.set("B", to: .quoted("new"))
        #expect(attributes.bytes == Array("A=1, B=\"new\",C=3 ".utf8))
        attributes.set("D", to: .plain("4"))
        #expect(attributes.bytes == Array("A=1, B=\"new\",C=3,D=4 ".utf8))
        attributes.set("C", to: .plain("30"))
        #expect(attributes.bytes == Array("A=1, B=\"new\",C=30,D=4 ".utf8))
        #expect(attributes["D"] == "4")
        var damaged = list("A=\"open,B=2")
        damaged.set("D", to: .plain("4"))
        #expect(damaged["D"] == "4")
        #expect(damaged["A"] == "open,B=2")
        var empty = list("")
        empty.set("A", to: .quoted("a\"b\r\nc{$d}"))
        #expect(empty.bytes == Array("A=\"a'b  c{ $d}\"".utf8))
    }
}
