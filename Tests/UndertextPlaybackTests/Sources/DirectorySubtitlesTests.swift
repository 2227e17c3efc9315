import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFormats
import UndertextPlayback

@Suite struct DirectorySubtitlesTests {
    private func list(_ folder: TemporaryDirectory, _ matching: SidecarMatch = .titled) throws
        -> [SubtitleInfo]
    {
        try DirectorySubtitles(of: folder / "Movie.mkv", matching: matching).subtitles(
            cancellation: Cancellation())
    }

    private func name(_ info: SubtitleInfo, in folder: TemporaryDirectory) -> String {
        guard case .file(.file(let path), let stream) = info.origin else { return "?" }
        return String(path.dropFirst(folder.path.count + 1)) + (stream.map { "#\($0)" } ?? "")
    }

    @Test func allPlaces() throws {
        let folder = TemporaryDirectory()
        for name in [
            "Movie.mkv", "Movie.srt", "Movie.de.forced.srt", "Other.srt", "Movie.nfo",
            "Movie.Signs.en.ass", "Movie 2.srt",
        ] {
            folder.write("1\n00:00:01,000 --> 00:00:02,000\nx\n", to: name)
        }
        for name in [
            "Subs", "Subs/Movie", "Subs/Other", "subtitles", "Extras", "Movie.fr.png",
            "Movie.nl.images",
        ] {
            #expect(makeFolder(folder / name))
        }
        for name in [
            "Subs/Movie.fr.srt", "Subs/Movie/2_English.srt", "Subs/Other/3_German.srt",
            "subtitles/movie.es.srt", "Extras/Movie.it.srt", "Movie.pl.png",
        ] {
            folder.write("x", to: name)
        }
        let infos = try list(folder)
        #expect(
            infos.map { name($0, in: folder) } == [
                "Movie.srt", "Movie.de.forced.srt", "Movie.fr.png", "Movie.nl.images",
                "Movie.Signs.en.ass", "Subs/Movie.fr.srt", "Subs/Movie/2_English.srt",
                "subtitles/movie.es.srt",
            ])
        #expect(infos.map(\.language?.rawValue) == [nil, "de", "fr", "nl", "en", "fr", "en", "es"])
        #expect(
            infos.map(\.name) == [
                "Movie", "de (forced)", "fr", "nl", "Signs", "fr (srt)", "en", "es",
            ])
        #expect(
            infos.map(\.codec) == [
                .subRip, .subRip, nil, nil, .ass, .subRip, .subRip, .subRip,
            ])
        #expect(infos.map(\.isBitmap) == [false, false, true, true, false, false, false, false])
        #expect(Set(infos.map(\.id)).count == infos.count)
        #expect(try list(folder, .fuzzy).contains { name($0, in: folder) == "Movie 2.srt" })
        #expect(
            try list(folder, .exact).allSatisfy { name($0, in: folder) != "Movie.Signs.en.ass" })
    }

    @Test func specialFilesAreNotOpened() throws {
        let folder = TemporaryDirectory()
        folder.write("1\n00:00:01,000 --> 00:00:02,000\nx\n", to: "Movie.srt")
        // Opening a named pipe waits for a writer.
        for name in ["Movie.smi", "Movie.idx", "Movie.en.srt"] {
            #expect(run("mkfifo", [folder / name]).status == 0)
        }
        #expect(run("ln", ["-s", "/dev/zero", folder / "Movie.mks"]).status == 0)
        // Each file is listed once, even if several paths lead to it.
        #expect(run("ln", ["-s", ".", folder / "Subs"]).status == 0)
        #expect(try list(folder).map { name($0, in: folder) } == ["Movie.srt"])
    }

    @Test func namesThatAreNotUTF8AreRead() throws {
        let folder = TemporaryDirectory()
        #expect(
            run(
                "sh",
                [
                    "-c",
                    "printf '1\\n00:00:01,000 --> 00:00:02,000\\nOi\\n' > \"$(printf 'Movie.\\377.pt.srt')\"",
                ],
                directory: folder.path
            )
            .status == 0)
        let infos = try list(folder)
        #expect(infos.count == 1)
        #expect(infos.first?.error == nil)
        #expect(infos.first?.language?.rawValue == "pt")
    }

    @Test func severalTracksInAFile() throws {
        let folder = TemporaryDirectory()
        try folder.write(fixtureBytes("containers/movie.mkv"), to: "Movie.mks")
        try folder.write(fixtureBytes("subtitles/vobsub.idx"), to: "Movie.en.idx")
        try folder.write(fixtureBytes("subtitles/vobsub.sub"), to: "Movie.en.sub")
        folder.write("damaged", to: "Movie.de.mks")
        let infos = try list(folder)
        let names = infos.map { name($0, in: folder) }
        #expect(names.filter { $0.hasPrefix("Movie.mks#") }.count == 7)
        #expect(names.contains("Movie.en.idx"))
        #expect(names.contains("Movie.de.mks"), "it is reported when it is chosen")
        #expect(!names.contains("Movie.en.sub"))
        let model = SubtitleModel()
        try model.addSubtitles(of: DirectorySubtitles(of: folder / "Movie.mkv"))
        model.selectedSubtitleInfo = model.subtitleInfos.first { $0.id.hasSuffix(".idx") }
        _ = model.subtitle(currentTime: .seconds(2))
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.parts.count == 1)
        #expect(model.parts.first?.image != nil)
        model.selectedSubtitleInfo = model.subtitleInfos.first { $0.id.hasSuffix("de.mks") }
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.selectedSubtitleInfo?.error?.code == .notMedia)
    }

    @Test func aFolderThatIsNotThere() {
        #expect(throws: UndertextError.self) {
            try DirectorySubtitles(of: "/nowhere/Movie.mkv").subtitles(
                cancellation: Cancellation())
        }
        let model = SubtitleModel()
        model.addSubtitle(dataSource: DirectorySubtitles(of: "/nowhere/Movie.mkv"))
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.sourceErrors["folder"]?.code == .notFound)
    }
}
