import TestSupport
import Testing
import UndertextCore
import UndertextStreaming

/// RFC 8216, sections 4.3.4.1, 4.3.4.1.1, 4.3.4.2 and 4.3.4.3.
@Suite struct AddingSubtitlesTests {
    private static let plain = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001f,mp4a.40.2" , X="a,b"
        1.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2
        2.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"

        """
    private static let german = SubtitleAddition(
        name: "Deutsch", language: LanguageTag("de"), uri: "subs/de.m3u8")

    private func added(
        _ text: String, _ additions: SubtitleAddition...
    ) throws -> (text: String, master: MasterPlaylist, codes: [String]) {
        let (result, diagnostics) = try PlaylistSamples.master(text).adding(additions)
        return (
            String(decoding: result.bytes, as: UTF8.self), try MasterPlaylist(result),
            diagnostics.map(\.code)
        )
    }

    @Test func aNewGroupIsAddedToEveryVariantAndTheRestStays() throws {
        let (text, _, codes) = try added(Self.plain, Self.german)
        #expect(
            text == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="subs/de.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001f,mp4a.40.2" , X="a,b",SUBTITLES="subs"
                1.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES="subs"
                2.m3u8
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"

                """)
        #expect(codes.isEmpty)
    }

    @Test(arguments: ["a\tb", "a\u{FFFD}b"])
    func groupsThatCannotBeWrittenAreReported(_ name: String) throws {
        let text = Self.plain.replacing("BANDWIDTH=2", with: "BANDWIDTH=2,SUBTITLES=\"\(name)\"")
        let (result, _, codes) = try added(text, Self.german)
        #expect(codes == ["group-not-extended"])
        #expect(result.contains("BANDWIDTH=2,SUBTITLES=\"\(name)\"\n2.m3u8"))
        #expect(result.contains("GROUP-ID=\"subs\""))
        #expect(result.contains(", X=\"a,b\",SUBTITLES=\"subs\"\n1.m3u8"))
        #expect(result.split(separator: "\n").count { $0.hasPrefix("#EXT-X-MEDIA:") } == 1)
    }

    @Test func linesEndAsTheOthersDo() throws {
        let text = Self.plain.replacing("\n", with: "\r\n")
        let result = try added(text, Self.german).text
        #expect(
            result.unicodeScalars.count { $0 == "\n" } == result.unicodeScalars.count { $0 == "\r" }
        )
        let open = "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\""
        #expect(try added(open, Self.german).master.renditions.count == 2)
    }

    @Test func existingGroupsAreExtendedAllAlike() throws {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="x",NAME="English",LANGUAGE="en",URI="x.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="y",NAME="English",LANGUAGE="en",URI="y.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="y"
            1
            #EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES="z"
            2
            #EXT-X-STREAM-INF:BANDWIDTH=3
            3
            """
        let master = try added(text, Self.german).master
        let subtitles = master.renditions.filter { $0.kind == .subtitles }
        // An undefined group that a variant names also gets the additions.
        #expect(Set(subtitles.filter { $0.name == "Deutsch" }.map(\.groupID)) == ["x", "y", "z"])
        #expect(subtitles.count == 5)
        #expect(master.variants.map { $0.group(.subtitles) } == ["y", "z", "y"])
        // They are among the others of their type, before the first variant.
        #expect(subtitles.map(\.line) == [1, 2, 3, 4, 5])
        #expect(master.variants[0].line == 7)
    }

    @Test func namesAreUniqueInAGroup() throws {
        let result = try added(
            PlaylistSamples.master,
            SubtitleAddition(name: "Forced", language: LanguageTag("fr"), uri: "1"),
            SubtitleAddition(name: "Forced", language: LanguageTag("it"), uri: "2"),
            SubtitleAddition(name: "", uri: "3"))
        let names = result.master.renditions.filter { $0.kind == .subtitles }.map(\.name)
        #expect(names == ["English, SDH", "Forced", "Forced (2)", "Forced (3)", "Subtitles"])
        #expect(result.codes == ["renamed", "renamed", "renamed"])
    }

    @Test func aGroupHasOneDefaultAtMost() throws {
        let first = SubtitleAddition(
            name: "1", language: LanguageTag("it"), uri: "1", isDefault: true)
        let second = SubtitleAddition(
            name: "2", language: LanguageTag("fr"), uri: "2", isDefault: true)
        let fresh = try added(Self.plain, first, second)
        #expect(fresh.master.renditions.map(\.isDefault) == [true, false])
        #expect(fresh.codes == ["not-default"])
        let taken = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="x",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="x.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="x"
            1
            """
        let result = try added(taken, first)
        #expect(result.master.renditions.map(\.isDefault) == [true, false])
        #expect(result.text.contains("NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,URI"))
    }

    @Test func aDefaultMayBeChosenBySettings() throws {
        let result = try added(
            Self.plain, SubtitleAddition(name: "1", uri: "1", isDefault: true))
        #expect(result.text.contains("DEFAULT=YES,AUTOSELECT=YES"))
    }

    @Test func autoselectedRenditionsDiffer() throws {
        // The same language and kind as what exists, though spelled otherwise.
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="x",NAME="Deutsch",LANGUAGE="DE",AUTOSELECT=YES,FORCED=NO,URI="x.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="x"
            1
            """
        let same = SubtitleAddition(
            name: "Neu", language: LanguageTag("de"), uri: "1", isDefault: true)
        let result = try added(text, same)
        #expect(
            result.text.contains("NAME=\"Neu\",LANGUAGE=\"de\",DEFAULT=NO,AUTOSELECT=NO,FORCED=NO"))
        #expect(result.codes == ["not-autoselect", "not-default"])
        // Forced and SDH make a difference.
        var forced = same
        forced.isForced = true
        var sdh = same
        sdh.isSDH = true
        #expect(try added(text, forced).text.contains("DEFAULT=YES,AUTOSELECT=YES,FORCED=YES"))
        let accessible = try added(text, sdh)
        #expect(
            accessible.master.renditions[1].characteristics == [
                "public.accessibility.transcribes-spoken-dialog",
                "public.accessibility.describes-music-and-sound",
            ])
        #expect(accessible.master.renditions[1].isAutoselect)
        // Two additions of the same kind: the first.
        let two = try added(
            Self.plain, Self.german,
            SubtitleAddition(
                name: "Deutsch 2", language: LanguageTag("de"), uri: "2"))
        #expect(two.master.renditions.map(\.isAutoselect) == [true, false])
    }

    @Test func requiredAttributesAreThere() throws {
        let rendition = try #require(
            try added(
                Self.plain, SubtitleAddition(name: "a\"b\n", uri: "x{$y}\"z")
            ).master.renditions.first)
        #expect(
            rendition.attributes.list.map(\.name) == [
                "TYPE", "GROUP-ID", "NAME", "DEFAULT", "AUTOSELECT", "FORCED", "URI",
            ])
        #expect(rendition.name == "a'b ")
        #expect(rendition.uri == "x%7B$y}'z")
        #expect(rendition.language == nil)
    }

    @Test func nothingIsAddedToNothing() throws {
        let (text, _, _) = try added(Self.plain)
        #expect(text == Self.plain)
    }

    @Test(.requiresCorpus("shaka-player/hls-text-no-discontinuity/index.m3u8"))
    func aRealPlaylistKeepsTheRest() throws {
        let path = try #require(corpusPath("shaka-player/hls-text-no-discontinuity/index.m3u8"))
        let bytes = try #require(fileBytes(path))
        let master = try MasterPlaylist(PlaylistText(bytes))
        let (text, _) = master.adding([Self.german])
        // The language exists, but players must not select the addition automatically.
        #expect(text.lines.count == master.text.lines.count + 1)
        #expect(text.lines.filter { !master.text.lines.contains($0) }.count == 1)
        #expect(try MasterPlaylist(text).renditions.map(\.isAutoselect) == [false, true])
    }

    @Test func addressesBecomeAbsolute() throws {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:QUERYPARAM="id"
            #EXT-X-DEFINE:NAME="p",VALUE="x/{$id}"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="../a.m3u8"
            #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="k"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            {$p}/1.m3u8?{$id}
            #EXT-X-STREAM-INF:BANDWIDTH=2
            https://other.example/2.m3u8
            """
        let master = try PlaylistSamples.master(text, url: "http://h/d/e/m.m3u8?id=42")
        let moved = String(decoding: master.movable().bytes, as: UTF8.self)
        #expect(
            moved == """
                #EXTM3U
                #EXT-X-DEFINE:NAME="id",VALUE="42"
                #EXT-X-DEFINE:NAME="p",VALUE="x/{$id}"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="http://h/d/a.m3u8"
                #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="k"
                #EXT-X-STREAM-INF:BANDWIDTH=1
                http://h/d/e/x/42/1.m3u8?42
                #EXT-X-STREAM-INF:BANDWIDTH=2
                https://other.example/2.m3u8
                """)
    }

    @Test func referencesOfUnknownTagsAreMovedCredentialsAreNot() throws {
        let text = """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,RESOLUTION=64x64,URI="thumbs/img.m3u8"
            #EXT-X-OTHER:some text with URI="x"
            #EXT-X-OWN:URI=plain
            ## URI="comment"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            v.m3u8
            """
        let master = try PlaylistSamples.master(text, url: "http://user:secret@h/d/m.m3u8")
        let moved = String(decoding: master.movable().bytes, as: UTF8.self)
        #expect(
            moved
                == text.replacing("thumbs/", with: "http://h/d/thumbs/")
                .replacing("v.m3u8", with: "http://h/d/v.m3u8"))
    }

    @Test func aMediaPlaylistGetsAMaster() throws {
        let text = MasterPlaylist.text(
            for: .init(
                uri: "v.m3u8", bandwidth: 1_000_000, codecs: ["avc1.64001f", "mp4a.40.2"],
                resolution: PixelSize(width: 640, height: 360)))
        let master = try MasterPlaylist(text)
        #expect(master.variants[0].uri == "v.m3u8")
        #expect(master.variants[0].bandwidth == 1_000_000)
        #expect(master.variants[0].codecs == ["avc1.64001f", "mp4a.40.2"])
        #expect(master.variants[0].resolution == PixelSize(width: 640, height: 360))
    }

    @Test(arguments: [
        (TimeBase(24000, 1001), "FRAME-RATE=23.976"),
        (TimeBase(25, 1), "FRAME-RATE=25.000"),
        (TimeBase(1, 3), "FRAME-RATE=0.333"),
        (TimeBase(2_000_000, 1), nil), (nil, nil),
    ])
    func frameRates(_ rate: TimeBase?, _ expected: String?) {
        let text = MasterPlaylist.text(
            for: .init(uri: "a.m3u8", bandwidth: 1, codecs: ["avc1"], frameRate: rate))
        let line = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")[1]
        #expect(
            line.split(separator: ",").first { $0.hasPrefix("FRAME") }.map(String.init) == expected)
    }
}
