import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct SidecarListTests {
    let folder = [
        "Movie.mkv", "Movie.nfo", "Movie.jpg", "Movie.png", "Movie.en.json", "Movie.srt",
        "Movie.en.srt", "Movie.2.en.srt", "Movie.en.sdh.srt", "Movie.en.forced.srt",
        "Movie.de.idx", "Movie.de.sub", "Movie.fr.SUB", "movie.en.commentary.ass",
        "Movie.ja.default.ass", "Movie.Signs.en.ass", "Movie 2.mkv", "Movie 2.en.srt",
        "Other.en.srt", "Movie.pl.png", "Movie.uk.images",
    ]

    func names(_ matching: SidecarMatch) -> [String] {
        sidecars(of: "Movie.mkv", among: folder, matching: matching).map(\.name.fileName)
    }

    @Test func sortedAsShown() {
        let exact = [
            "Movie.ja.default.ass", "Movie.srt", "Movie.de.idx", "Movie.en.srt", "Movie.2.en.srt",
            "Movie.en.sdh.srt", "Movie.en.forced.srt", "movie.en.commentary.ass", "Movie.fr.SUB",
            "Movie.pl.png", "Movie.uk.images",
        ]
        #expect(names(.exact) == exact)
        #expect(names(.titled) == exact + ["Movie.Signs.en.ass"])
        #expect(names(.fuzzy) == exact + ["Movie.Signs.en.ass", "Movie 2.en.srt"])
        #expect(names(.any) == exact + ["Movie.Signs.en.ass", "Movie 2.en.srt", "Other.en.srt"])
    }

    @Test func theOrderOfTheFolderDoesNotMatter() {
        let expected = sidecars(of: "Movie.mkv", among: folder, matching: .any)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let shuffled = folder.shuffled(using: &generator)
            #expect(sidecars(of: "Movie.mkv", among: shuffled, matching: .any) == expected)
        }
    }

    @Test func pairsAreOneSidecar() {
        let found = sidecars(
            of: "m.mkv", among: ["m.en.SUB", "M.EN.idx", "m.de.sub", "m.fr.idx"])
        #expect(found.map(\.name.fileName) == ["m.de.sub", "M.EN.idx", "m.fr.idx"])
        #expect(found.map(\.companion) == [nil, "m.en.SUB", nil])
        #expect(found.map { $0.candidate(order: 1).isBitmap } == [false, true, true])
    }

    @Test func folderOfTheVideo() {
        let found = sidecars(
            of: "Movie.mkv", among: ["3_French.srt", "2_English.srt", "4_English.srt", "x.txt"],
            folder: .ofVideo, matching: .exact)
        #expect(found.map(\.name.fileName) == ["2_English.srt", "4_English.srt", "3_French.srt"])
        #expect(found.allSatisfy { $0.folder == .ofVideo })
    }

    @Test func candidatesCarryWhatTheNameSays() throws {
        let found = sidecars(of: "m.mkv", among: ["m.pt-BR.forced.sdh.default.commentary.sup"])
        let candidate = try #require(found.first).candidate(order: 4)
        let expected = SubtitleCandidate(
            language: LanguageTag("pt-BR"), isForced: true, isHearingImpaired: true,
            isCommentary: true, isBitmap: true, isDefault: true, isExternal: true, order: 4)
        #expect(candidate == expected)
    }
}
