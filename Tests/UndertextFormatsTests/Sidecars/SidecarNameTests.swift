import Testing
import UndertextCore
import UndertextFormats

/// The expected properties of a name.
struct SidecarRow: CustomTestStringConvertible, Sendable {
    var name: String
    var video = "Movie.mkv"
    var folder = SidecarFolder.beside
    var match = SidecarMatch.exact
    var language: String?
    /// `f` forced, `s` hearing impaired, `d` default, `c` commentary.
    var flags = ""
    var number: Int?
    var title: String?

    var testDescription: String { name }

    init(
        _ name: String, _ language: String? = nil, _ flags: String = "", number: Int? = nil,
        title: String? = nil, match: SidecarMatch = .exact, video: String = "Movie.mkv",
        folder: SidecarFolder = .beside
    ) {
        self.name = name
        self.language = language
        self.flags = flags
        self.number = number
        self.title = title
        self.match = match
        self.video = video
        self.folder = folder
    }

    func check() {
        guard let parsed = SidecarName(name, of: video, in: folder) else {
            Issue.record("\(name) is no sidecar")
            return
        }
        #expect(parsed.match == match)
        #expect(parsed.language?.rawValue == language)
        var found = ""
        if parsed.isForced { found += "f" }
        if parsed.isHearingImpaired { found += "s" }
        if parsed.isDefault { found += "d" }
        if parsed.isCommentary { found += "c" }
        #expect(found == flags)
        #expect(parsed.number == number)
        #expect(parsed.title == title)
        #expect(parsed.fileName == name)
    }
}

@Suite struct SidecarNameTests {
    @Test(arguments: [
        SidecarRow("Movie.srt"),
        SidecarRow("Movie.en.srt", "en"),
        SidecarRow("Movie.eng.srt", "en"),
        SidecarRow("Movie.default.en.srt", "en", "d"),
        SidecarRow("Movie.en.forced.srt", "en", "f"),
        SidecarRow("Movie.forced.en.srt", "en", "f"),
        SidecarRow("Movie.foreign.en.srt", "en", "f"),
        SidecarRow("Movie.en.cc.ass", "en", "s"),
        SidecarRow("Movie.sdh.en.mks", "en", "s"),
        SidecarRow("Movie.en.sbv", "en"),
        SidecarRow("Movie.en.lrc", "en"),
        SidecarRow("Movie.en.mpl", "en"),
        SidecarRow("Movie.en.sdh.forced.default.sami", "en", "fsd"),
        // The last language wins; an earlier one is a word of the title.
        SidecarRow("Movie.fr.en.smi", "en", title: "fr", match: .titled),
        // Hindi alone, a flag beside another language, before or after it.
        SidecarRow("Movie.hi.srt", "hi"),
        SidecarRow("Movie.en.hi.srt", "en", "s"),
        SidecarRow("Movie.hi.en.srt", "en", "s"),
        SidecarRow("Movie.hi.hi.srt", "hi", "s"),
        SidecarRow("Movie.hi.sdh.srt", "hi", "s"),
        SidecarRow("Movie.hin.hi.srt", "hi", "s"),
        SidecarRow("Movie.hi-IN.srt", "hi-IN"),
        SidecarRow("Movie.Signs & Songs.en.sup", "en", title: "Signs & Songs", match: .titled),
        SidecarRow(
            "Movie.en.Directors Cut.forced.vtt", "en", "f", title: "Directors Cut",
            match: .titled),
        SidecarRow("Movie.Part.Two.en.ssa", "en", title: "Part Two", match: .titled),
        SidecarRow("Movie.en.commentary.srt", "en", "c"),
        // Only a dot separates a title: this is another video.
        SidecarRow("Movie 2.en.srt", "en", title: "2", match: .fuzzy),
    ])
    func jellyfin(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        SidecarRow("movie.EN.SRT", "en"),
        SidecarRow("Movie (en).srt", "en"),
        SidecarRow("Movie [pt-BR].srt", "pt-BR"),
        SidecarRow("Movie.(de).srt", "de"),
        SidecarRow("Movie [en][sdh].srt", "en", "s"),
        SidecarRow("Movie (en) (forced).srt", "en", "f"),
        SidecarRow("Movie.en-US.srt", "en-US"),
        SidecarRow("Movie.zh-Hant-TW.srt", "zh-Hant-TW"),
        SidecarRow("Movie.es-419.srt", "es-419"),
        SidecarRow("Movie.en.hi.srt", "en", "s"),
        SidecarRow("Movie.en.cc.srt", "en", "s"),
        SidecarRow("Movie.en.default.srt", "en", "d"),
        SidecarRow("[Group] Movie.en.srt", "en", title: "[Group]", match: .fuzzy),
        SidecarRow("The Movie - Part 2.srt", title: "The Part 2", match: .fuzzy),
        SidecarRow("Movies.srt", title: "s", match: .fuzzy),
        SidecarRow("Other.en.srt", "en", title: "Other", match: .any),
    ])
    func mpv(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        SidecarRow("Movie.English.srt", "en"),
        SidecarRow("Movie.english.forced.srt", "en", "f"),
        SidecarRow("Movie.forced.English.srt", "en", "f"),
        SidecarRow("Movie.French (Canadian).srt", "fr-CA"),
        SidecarRow("Movie.Portuguese (Brazil).srt", "pt-BR"),
        SidecarRow("Movie.Brazilian Portuguese.srt", "pt-BR"),
        SidecarRow("Movie.Chinese (Traditional).srt", "zh-Hant"),
        SidecarRow("Movie.English (US).srt", "en-US"),
        SidecarRow("Movie.English (SDH).srt", "en", "s"),
        SidecarRow("Movie.English (HI).srt", "en", "s"),
        SidecarRow("Movie.English-Forced.srt", "en", "f"),
        SidecarRow("Movie - English.srt", "en"),
        SidecarRow("Movie_German_forced.srt", "de", "f"),
        SidecarRow("Movie-en.srt", "en"),
        SidecarRow("Movie_pt_BR.srt", "pt-BR"),
        SidecarRow("Movie.Norwegian Bokmal.srt", "nb"),
    ])
    func kodi(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        SidecarRow("Movie.en.forced.srt", "en", "f"),
        SidecarRow("Movie.en.sdh.srt", "en", "s"),
        SidecarRow("Movie.en.cc.srt", "en", "s"),
        SidecarRow("Movie.ger.srt", "de"),
        SidecarRow("Movie.deu.srt", "de"),
        SidecarRow("Movie.fre.forced.srt", "fr", "f"),
        SidecarRow("Movie.chi.srt", "zh"),
        SidecarRow("Movie.fil.srt", "fil"),
        SidecarRow("Movie.forced.srt", nil, "f"),
        SidecarRow("Movie.sdh.srt", nil, "s"),
        SidecarRow(
            "Movie (1999) {imdb-tt1}.en.srt", "en", video: "Movie (1999) {imdb-tt1}.mp4"),
    ])
    func plex(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        // mkvmerge recognizes `forced` anywhere in a name.
        SidecarRow("Movie.forced.srt", nil, "f"),
        SidecarRow("Movie.de.Forced.sup", "de", "f"),
    ])
    func mkvmerge(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        SidecarRow("Movie.en.vtt", "en"),
        SidecarRow("Movie.2.en.forced.sdh.vtt", "en", "fs", number: 2),
        SidecarRow("Movie.en.2.vtt", "en", number: 2),
        SidecarRow("Movie.und.vtt"),
        SidecarRow("Movie.12.und.forced.json", nil, "f", number: 12),
        SidecarRow("Movie.en.png", "en"),
        SidecarRow("Movie.2.en.forced.images", "en", "f", number: 2),
        // A number that belongs to the video's own name is none of the track's.
        SidecarRow("Movie.2.en.srt", "en", video: "Movie.2.mkv"),
        // Years are no numbers.
        SidecarRow("Movie.2019.en.srt", "en", title: "2019", match: .titled),
        SidecarRow("Movie.qaa.srt", "qaa"),
        SidecarRow("Movie.QAA.srt", title: "QAA", match: .titled),
        // A word beats a code.
        SidecarRow("Movie.sdh.vtt", nil, "s"),
        SidecarRow(".hidden.en.srt", "en", video: ".hidden"),
        SidecarRow("noext.en.srt", "en", video: "noext"),
    ])
    func ours(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        SidecarRow("2_English.srt", "en", number: 2, folder: .ofVideo),
        SidecarRow("English.srt", "en", folder: .ofVideo),
        SidecarRow("3_English [SDH].srt", "en", "s", number: 3, folder: .ofVideo),
        SidecarRow("12_Portuguese (Brazilian).srt", "pt-BR", number: 12, folder: .ofVideo),
        SidecarRow("SDH.eng.HI.srt", "en", "s", folder: .ofVideo),
        SidecarRow("Movie.en.srt", "en", folder: .ofVideo),
        SidecarRow("2.English.srt", "en", number: 2, folder: .ofVideo),
        SidecarRow("2_English.srt", "en", title: "2", match: .any, folder: .subtitles),
        SidecarRow("Movie.en.srt", "en", folder: .subtitles),
    ])
    func folders(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        // Words of titles that are codes, too.
        SidecarRow("Movie - What Is It.srt", title: "What Is It", match: .fuzzy),
        SidecarRow("Movie.Spider-Man.srt", title: "Spider-Man", match: .titled),
        SidecarRow("Movie.My-Girl.srt", title: "My-Girl", match: .titled),
        SidecarRow("Movie.1080p.srt", title: "1080p", match: .titled),
        SidecarRow("Movie..en...srt", "en"),
        SidecarRow("Movie.\u{202E}evil\u{1B}[31m.en.srt", "en", title: "evil[31m", match: .titled),
        SidecarRow("Movie.\u{FFFD}\u{FFFD}.srt", title: "\u{FFFD}\u{FFFD}", match: .titled),
        SidecarRow("Movie.\u{7}.srt", match: .titled),
    ])
    func titles(_ row: SidecarRow) { row.check() }

    @Test(arguments: [
        "Movie.mkv", "Movie", "", ".srt", "srt", "Movie.txt", "Subs/Movie.srt", "Movie.srt.bak",
        "Movie.srt.",
    ])
    func namesThatAreNotSidecars(_ name: String) {
        #expect(SidecarName(name, of: "Movie.mkv") == nil)
    }

    @Test func everyFormatThatIsReadIsKnown() {
        for format in SubtitleFormat.inputs {
            for ending in format.fileExtensions {
                #expect(SidecarName.readableExtensions.contains(ending))
                #expect(SidecarName("Movie." + ending, of: "Movie.mkv") != nil)
            }
        }
        let all = SidecarName.readableExtensions.compactMap {
            SidecarName("Movie." + $0, of: "Movie.mkv")
        }
        let (bitmaps, folders) = (all.filter(\.isBitmap), all.filter(\.isFolder))
        #expect(Set(bitmaps.map(\.fileExtension)) == ["sup", "idx", "images", "png"])
        let several = all.filter(\.mayHoldSeveralTracks).map(\.fileExtension)
        #expect(Set(several) == ["idx", "scc", "mcc", "smi", "sami", "mks"])
        #expect(Set(folders.map(\.fileExtension)) == ["images", "png"])
    }

    @Test func longNamesAreRefusedAndManyDotsAreRead() throws {
        let limit = SidecarName.lengthLimit
        let longest = "Movie." + String(repeating: "x", count: limit - 10) + ".srt"
        #expect(SidecarName(longest, of: "Movie.mkv")?.match == .titled)
        #expect(SidecarName("M" + longest, of: "Movie.mkv") == nil)
        let dots = "Movie" + String(repeating: ".", count: 1000) + "en.srt"
        let parsed = try #require(SidecarName(dots, of: "Movie.mkv"))
        #expect(parsed.match == .exact)
        #expect(parsed.language?.rawValue == "en")
        // More parts than are looked at: what is left is a title.
        let parts = "Movie" + String(repeating: ".en", count: 300) + ".srt"
        #expect(SidecarName(parts, of: "Movie.mkv")?.match == .titled)
    }

    @Test func folderNames() {
        func folder(_ components: String...) -> SidecarFolder? {
            SidecarFolder(components: components, of: "Movie.mkv")
        }
        #expect(folder() == .beside)
        #expect(folder("Subs") == .subtitles)
        #expect(folder("subtitles") == .subtitles)
        #expect(folder("Subs", "movie") == .ofVideo)
        #expect(folder("Subs", "Other") == nil)
        #expect(folder("Extras") == nil)
        #expect(folder("Subs", "Movie", "x") == nil)
    }
}
