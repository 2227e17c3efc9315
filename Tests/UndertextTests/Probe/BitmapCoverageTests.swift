import TestSupport
import Testing
import Undertext
import UndertextCore

/// The display time of bitmaps is stored in their packets: an index alone does not contain it.
@Suite struct BitmapCoverageTests {
    @Test(.requires("mkvmerge")) func anIndexClaimsNoCoverageOfBitmaps() throws {
        let folder = TemporaryDirectory()
        let made = run(
            "mkvmerge",
            [
                "-q", "-o", folder / "film.mkv",
                Repository.root + "/Fixtures/subtitles/bitmaps.sup",
                Repository.root + "/Fixtures/subtitles/en.srt",
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let brief = try Media(folder / "film.mkv").probe()
        let deep = try Media(folder / "film.mkv").probe(deep: true)
        for stream in brief.container.streams {
            let fact = try #require(brief.facts[stream.index])
            #expect(fact.indexed)
            #expect((fact.coverage == nil) == (stream.kind == .bitmap))
            #expect(try #require(deep.facts[stream.index]?.coverage) > 0.2)
        }
    }
}
